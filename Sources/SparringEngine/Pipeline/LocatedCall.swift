import SparringContract
import SparringJournal
import SparringLocks

/// Where a request belongs, and what its check against the contract found.
struct LocatedCall: Sendable {
    var call: Call
    let vendor: VendorEntry
    /// Violations of the contract by the request.
    var findings: [Finding]
    /// The answer to give because of them, where the operation declares one.
    let malformedAnswer: String?
}

extension Pipeline {
    /// The call that a request, or a socket's message, is.
    ///
    /// - Parameters:
    ///   - checked: what the check of it against the contract found.
    ///   - base: ``Call/base``.
    ///   - socket: ``Call/socket``.
    func located(
        _ incoming: Incoming, _ operation: ContractOperation, _ request: RequestParts, _ checked: CheckedRequest, of tenant: Tenant,
        in sandbox: Sandbox, lane: String, base: String, _ socket: Socket?, _ vendor: VendorEntry
    ) -> LocatedCall {
        let origin = JournalEntry.Origin(operation: operation.qualifiedName, lane: lane, ordinal: sandbox.nextOrdinal(of: lane))
        let call = Call(
            occasion: Occasion(sandbox, tenant, now: sandbox.clock.now, origin: origin), operation: operation, request: request,
            body: checked.body, base: base, addresses: addresses.withLock { $0 }, socket: socket, outboundClient: outboundClient,
            store: store, work: SandboxClock.Work(parent: incoming.work))
        let malformed = checked.isUsable ? nil : vendor.contract.malformedAnswer.flatMap { operation.answer($0)?.name }
        return LocatedCall(call: call, vendor: vendor, findings: checked.violations.map(Finding.init), malformedAnswer: malformed)
    }
}

import SparringContract
import SparringJournal
import SparringLocks
import SparringSandbox

/// A call with its operation, its tenant and its lane.
struct LocatedCall: Sendable {
    var call: Call
    let vendor: VendorEntry
    /// What the contract says of the request, which is read to find the tenant.
    let checked: CheckedRequest
    /// A fault cut it off before all of it came.
    var isCutShort = false
    /// What is wrong with the request; known once it has been checked.
    var findings: [Finding] = []
    /// What it gets because of that, in place of what the vendor would decide.
    var refusal: ContractRefusal?
    /// Passes it on to the vendor's own server; nil: the vendor's code decides.
    var relay: Handler?
}

/// What a request gets that the contract does not allow.
enum ContractRefusal: Sendable {
    /// The answer of that name, which the operation declares.
    case declared(String)
    /// Sparring's own, as the operation declares none: only a strict server gives it.
    case own
}

extension Pipeline {
    /// The call that a request, or a socket's message, is.
    ///
    /// - Parameters:
    ///   - checked: ``LocatedCall/checked``.
    ///   - base: the object behind ``Call/base``.
    ///   - socket: ``Call/socket``.
    func located(
        _ incoming: Incoming, _ operation: ContractOperation, _ request: RequestParts, _ checked: CheckedRequest, of tenant: Tenant,
        in sandbox: Sandbox, lane: String, base: ClientBase, _ socket: Socket?, _ vendor: VendorEntry
    ) -> LocatedCall {
        sandbox.isUsed()
        let origin = JournalEntry.Origin(operation: operation.qualifiedName, lane: lane, ordinal: sandbox.nextOrdinal(of: lane))
        let seen = operation.canonical(request, checked)
        let call = Call(
            Occasion(sandbox, tenant, now: sandbox.clock.now, origin: origin),
            CallParts(
                operation: operation, request: seen.request, body: seen.body, base: base, socket: socket,
                outbound: self, parent: incoming.work))
        var place = LocatedCall(call: call, vendor: vendor, checked: checked)
        place.relay = relayHandler(operation, incoming, vendor, base, socket)
        return place
    }
}

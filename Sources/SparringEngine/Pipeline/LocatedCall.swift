import SparringContract
import SparringJournal
import SparringLocks
import SparringSandbox

/// A call with its operation, its tenant and its lane.
struct LocatedCall: Sendable {
    var call: Call
    let vendor: VendorEntry
    /// The result of checking the request against the contract; the check reads the body, which finding the tenant may need.
    let checked: CheckedRequest
    /// A fault cut it off before all of it came.
    var isCutShort = false
    /// The mistakes in the request; known once it has been checked.
    var findings: [Finding] = []
    /// The refusal that it gets because of them, in place of what the vendor would decide.
    var refusal: ContractRefusal?
    /// Passes it on to the vendor's own server; nil: the vendor's code decides.
    var relay: Handler?
}

/// The refusal of a request that the contract does not allow.
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

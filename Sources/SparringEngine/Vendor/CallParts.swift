import SparringContract
import SparringJSON
import SparringLocks
import SparringSandbox

/// What stays the same of a ``Call``: one object, as a call is handed from step to step.
final class CallParts: CallNotes {
    let operation: ContractOperation
    let request: RequestParts
    let body: JSON?
    let base: String
    let addresses: Addresses
    let socket: Socket?
    let outbound: any OutboundCalls
    let work: SandboxClock.Work
    private let notes = Mutex<(calls: [JSON], people: [JSON])>(([], []))

    init(
        operation: ContractOperation, request: RequestParts, body: JSON?, base: String, addresses: Addresses, socket: Socket?,
        outbound: any OutboundCalls, work: SandboxClock.Work
    ) {
        (self.operation, self.request, self.body) = (operation, request, body)
        (self.base, self.addresses, self.socket) = (base, addresses, socket)
        (self.outbound, self.work) = (outbound, work)
    }

    func add(_ line: JSON) { notes.withLock { $0.calls.append(line) } }
    /// The calls that it has led to.
    var calls: [JSON] { notes.withLock { $0.calls } }

    /// A name, and who proves to be behind it.
    func add(person line: JSON) { notes.withLock { $0.people.append(line) } }
    var people: [JSON] { notes.withLock { $0.people } }
}

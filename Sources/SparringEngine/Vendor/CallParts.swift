import SparringContract
import SparringJSON
import SparringLocks
import SparringSandbox

/// The part of a ``Call`` that does not change: one object, because a call is handed from step to step.
final class CallParts: CallNotes {
    let operation: ContractOperation
    let request: RequestParts
    let body: JSON?
    let base: ClientBase
    let socket: Socket?
    let outbound: any OutboundCalls
    /// The work of the call that brought this one about.
    private let parent: SandboxClock.Work?
    /// Made when it is first asked for: most calls wait for nothing.
    private let lazyWork = Mutex<SandboxClock.Work?>(nil)
    private let notes = Mutex<(calls: [JSON], people: [JSON])>(([], []))

    init(
        operation: ContractOperation, request: RequestParts, body: JSON?, base: ClientBase, socket: Socket?,
        outbound: any OutboundCalls, parent: SandboxClock.Work?
    ) {
        (self.operation, self.request, self.body) = (operation, request, body)
        (self.base, self.socket) = (base, socket)
        (self.outbound, self.parent) = (outbound, parent)
    }

    var work: SandboxClock.Work {
        lazyWork.withLock { work in
            if let work { return work }
            let made = SandboxClock.Work(parent: parent)
            work = made
            return made
        }
    }

    /// An advance of the clock need not wait for it any longer.
    func endWork(on clock: SandboxClock) { if let work = lazyWork.withLock({ $0 }) { clock.ended(work) } }

    func add(_ line: JSON) { notes.withLock { $0.calls.append(line) } }
    /// The calls that it has led to.
    var calls: [JSON] { notes.withLock { $0.calls } }

    /// A name, and who proves to be behind it.
    func add(person line: JSON) { notes.withLock { $0.people.append(line) } }
    var people: [JSON] { notes.withLock { $0.people } }
}

import SparringContract
import SparringJSON
import SparringJournal
import SparringLocks
import SparringSandbox

/// Makes the calls of emulated vendors: straight into the pipeline where the URL is Sparring's own, else over the network; journalled either way.
protocol OutboundCalls: Sendable {
    func send(_ request: OutboundRequest, for caller: Caller) async -> OutboundResult

    /// Sends the request as an operation of the vendor's own, whose faults strike wherever the call goes.
    ///
    /// - Parameter change: ``DueCall/send(_:as:change:)``.
    func send(
        _ request: OutboundRequest, as operation: ContractOperation, account: String, for caller: Caller,
        change: @Sendable (OutboundRequest, String, [String: String]) -> [OutboundRequest]
    ) async -> OutboundResult
}

/// On whose behalf a vendor calls out.
struct Caller: Sendable {
    var sandbox: Sandbox
    var origin: JournalEntry.Origin
    /// The base URL by which own paths are called.
    var base: String
    var addresses: Addresses
    var calls: any CallNotes
    /// At rest on the sandbox's clock as long as what it called sleeps there.
    var work: SandboxClock.Work
}

/// Takes down what a call leads to, line by line, for its entry in the journal.
protocol CallNotes: Sendable {
    /// A call that the vendor has made.
    func add(_ line: JSON)
}

/// Those of due work.
final class CallLog: CallNotes {
    private let lines = Mutex<[JSON]>([])
    func add(_ line: JSON) { lines.withLock { $0.append(line) } }
    var all: [JSON] { lines.withLock { $0 } }
}

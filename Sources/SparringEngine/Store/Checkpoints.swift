import Dispatch
import GRDB
import SparringLocks

/// Moves the write-ahead log into the database file beside the writing, on a connection of its own; the writer then only has to do the
/// few pages that came meanwhile, after which SQLite starts the log anew (sqlite.org/wal.html §2.2).
final class Checkpoints: Sendable {
    private enum Phase {
        case idle, copying, copied
    }

    /// Jobs between two checkpoints: some 16 MB of log.
    private static let interval = 8192

    private let connection: DatabaseQueue
    private let queue = DispatchQueue(label: "sparring.store.checkpoints", qos: .utility)
    private let state = Mutex((phase: Phase.idle, jobs: 0))

    init(path: String) throws {
        connection = try DatabaseQueue(path: path)
    }

    /// Called by the writer after each commit.
    func committed(_ jobs: Int) {
        let isDue = state.withLock { state in
            state.jobs += jobs
            guard case .idle = state.phase, state.jobs >= Self.interval else { return false }
            state = (.copying, 0)
            return true
        }
        guard isDue else { return }
        queue.async { [self] in
            // A failure only leaves the log longer; the next checkpoint tries again.
            _ = try? connection.writeWithoutTransaction { try $0.checkpoint(.passive) }
            state.withLock { $0.phase = .copied }
        }
    }

    /// Called by the writer outside a transaction.
    func finishIfDue(_ db: Database) throws {
        let isDue = state.withLock { state in
            guard case .copied = state.phase else { return false }
            state.phase = .idle
            return true
        }
        if isDue { _ = try? db.checkpoint(.passive) }
    }

    func close() {
        queue.sync {}
        try? connection.close()
    }
}

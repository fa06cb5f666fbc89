import GRDB
import SparringLocks

/// How long the writer waits for another program that has the database's write lock: once as long as ``StoreFile/patience``, then, until it is free again,
/// hardly at all, as everything that waits would wait behind each other.
final class LockPatience: Sendable {
    /// Milliseconds.
    private static let short = 50

    private struct State {
        var wanted = StoreFile.patience
        var set = StoreFile.patience
    }

    private let state = Mutex(State())

    /// Before a transaction.
    func apply(_ db: Database) throws {
        let change = state.withLock { state -> Int? in
            defer { state.set = state.wanted }
            return state.set == state.wanted ? nil : state.wanted
        }
        if let change { try db.execute(sql: "PRAGMA busy_timeout = \(change)") }
    }

    /// After it.
    func ended(_ error: (any Error)?) {
        let isLocked = (error as? DatabaseError)?.resultCode == .SQLITE_BUSY
        state.withLock { $0.wanted = isLocked ? Self.short : StoreFile.patience }
    }
}

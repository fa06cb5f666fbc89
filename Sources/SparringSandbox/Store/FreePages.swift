import GRDB
import SparringLocks

/// Gives the space of what was deleted back to the file system, a little at a time (sqlite.org/pragma.html#pragma_incremental_vacuum). A file that an earlier
/// version made keeps its size: what is free in it is used again.
final class FreePages: Sendable {
    /// Pages that stay for what comes next: 16 MiB.
    private static let kept = 4_096
    /// Pages that one job gives back: each is moved by writing it.
    private static let step = 64
    /// Transactions after which it is looked at.
    private static let interval = 64

    private struct State {
        var transactions = 0
        var isPossible: Bool?
        var isAtIt = false
    }

    private let state = Mutex(State())

    /// Called after each transaction.
    ///
    /// - Returns: whether ``giveBack(_:)`` is to be called in a job.
    func isDue() -> Bool {
        state.withLock { state in
            state.transactions += 1
            guard state.transactions % Self.interval == 0 else { return false }
            return Self.begin(&state)
        }
    }

    /// The same where something large has just been deleted.
    func begin() -> Bool { state.withLock { Self.begin(&$0) } }

    private static func begin(_ state: inout State) -> Bool {
        guard !state.isAtIt else { return false }
        state.isAtIt = true
        return true
    }

    func end() { state.withLock { $0.isAtIt = false } }

    /// - Returns: whether there is more to give back.
    func giveBack(_ db: Database) throws -> Bool {
        let isPossible = try state.withLock { $0.isPossible } ?? (Int.fetchOne(db, sql: "PRAGMA auto_vacuum") == 2)
        state.withLock { $0.isPossible = isPossible }
        guard isPossible else { return false }
        let excess = (try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0) - Self.kept
        guard excess > 0 else { return false }
        try db.execute(sql: "PRAGMA incremental_vacuum(\(min(excess, Self.step)))")
        return excess > Self.step
    }
}

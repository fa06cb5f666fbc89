import Dispatch
import GRDB
import GRDBSQLite
import SparringLocks

/// Moves the write-ahead log into the database file in parallel with the writing, on a connection of its own; the writer then only has to
/// do the few pages that came meanwhile, after which SQLite restarts the log (sqlite.org/wal.html §2.2).
///
/// SQLite before 3.51.3 can corrupt a database if a commit restarts the log while a second checkpoint begins (sqlite.org/wal.html, "The
/// WAL-Reset Bug"). That cannot happen here: the copying only begins when there is a log to copy, which keeps a commit from restarting it
/// before the copying has ended, and the second checkpoint is the writer's own, between two of its transactions. Nothing else writes or
/// checkpoints (``StoreOwner``).
final class Checkpoints: Sendable {
    private enum Phase {
        case idle, copying, copied
    }

    /// Pages of log after which they are moved: 16 MiB at SQLite's page size of 4 KiB.
    static let interval: Int32 = 4096
    /// Further pages after which nothing is written until the copying has ended: on a busy machine the copying may get too little processor time to keep up.
    static let patience = 2 * interval
    /// Bytes that the log's file keeps when the log restarts; a long reader may have made it longer.
    static let sizeLimit = 64 << 20

    private struct State {
        var phase = Phase.idle
        /// Pages in the log, as SQLite told after the last commit.
        var pages: Int32 = 0
        var dueAt = Checkpoints.interval
    }

    private let connection: DatabaseQueue
    private let failed = Mutex<(@Sendable (any Error) -> Void)?>(nil)
    private let queue = DispatchQueue(label: "sparring.store.checkpoints", qos: .utility)
    private let state = Mutex(State())

    /// - Parameter isTemporary: the file goes with the process, and nothing of it is waited for.
    init(path: String, configuration: Configuration, isTemporary: Bool) throws {
        connection = try DatabaseQueue(path: path, configuration: configuration)
        if isTemporary { try connection.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = OFF") } }
    }

    /// Calls `body` whenever a checkpoint fails.
    func onFailure(_ body: @escaping @Sendable (any Error) -> Void) { failed.withLock { $0 = body } }

    /// Moves what an earlier process has left, and counts pages from now on. On the writer, once.
    func begin(_ db: Database) throws {
        try db.execute(sql: "PRAGMA journal_size_limit = \(Self.sizeLimit)")
        try db.checkpoint(.truncate)
        // Unretained: the store closes the writer's connection before it lets go of this.
        sqlite3_wal_hook(
            db.sqliteConnection,
            { context, _, _, pages in
                if let context { Unmanaged<Checkpoints>.fromOpaque(context).takeUnretainedValue().logged(pages) }
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func logged(_ pages: Int32) {
        state.withLock { state in
            if pages < state.pages { state.dueAt = Self.interval }  // the log has restarted
            state.pages = pages
        }
    }

    /// Called by the writer after each commit.
    func committed() {
        let isDue = state.withLock { state in
            guard case .idle = state.phase, state.pages >= state.dueAt else { return false }
            state.phase = .copying
            return true
        }
        guard isDue else { return }
        queue.async { [self] in
            // Twice: what has come during the first, which is long, is not left to the writer, who would keep everybody waiting for the disk.
            for _ in 0..<2 { attempt { try connection.writeWithoutTransaction { _ = try $0.checkpoint(.passive) } } }
            state.withLock { $0.phase = .copied }
        }
    }

    /// Called by the writer outside a transaction.
    ///
    /// - Returns: false where the copying has to end before anything more is written.
    func finishIfDue(_ db: Database) throws -> Bool {
        let isLate = state.withLock { state in
            if case .copying = state.phase { state.pages >= state.dueAt + Self.patience } else { false }
        }
        if isLate { return false }
        let isDue = state.withLock { state in
            guard case .copied = state.phase else { return false }
            state.phase = .idle
            // While a reader keeps the log from restarting, do not look at it again with every commit.
            state.dueAt = state.pages + Self.interval
            return true
        }
        if isDue { attempt { _ = try db.checkpoint(.passive) } }
        return true
    }

    /// A failure only leaves the log longer; the next checkpoint tries again.
    private func attempt(_ checkpoint: () throws -> Void) {
        do { try checkpoint() } catch { failed.withLock { $0 }?(error) }
    }

    /// Returns once nothing is being moved.
    func finish() { queue.sync {} }

    func close() { try? connection.close() }
}

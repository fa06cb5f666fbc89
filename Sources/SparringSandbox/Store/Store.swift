import Glibc
public import GRDB
import SparringLocks
package import SparringLoop

/// The one SQLite database of a process. Reading never waits for writing (WAL); writing is done on one loop with **group commit**: what one turn of it has
/// brought goes into one transaction, each job in a savepoint of its own.
public final class Store: Sendable {
    public enum Durability: String, Sendable, CaseIterable {
        /// Acknowledged writes survive the death of the process.
        case process
        /// They survive the loss of power too: each transaction waits for the disk.
        case power
    }

    /// The wait for another program's lock.
    final class Waiting {
        var patience = LockPatience()
        /// Nothing is written until it has been tried again.
        var isHeld = false
        /// SQLite itself does not wait any more.
        var isImpatient = false
    }

    /// The jobs that wait for the end of the turn.
    struct Pending {
        var jobs: [any StoreJob] = []
        var isClosed = false
    }

    public let path: String
    let pool: DatabasePool
    /// The changes that jobs make in memory.
    let effects = CommitEffects()
    /// The earlier states of rows.
    let history = History()
    private let isTemporary: Bool
    private let owner: StoreOwner
    /// The loop on which all writing is done.
    package let loop: Loop
    let pending = Mutex(Pending())
    let checkpoints: Checkpoints
    let freePages = FreePages()
    let statements = WriterStatements()
    let waiting: LoopBound<Waiting>
    package let condition = StoreCondition()
    package let unrecorded: UnrecordedCalls
    private let isClosed = Mutex(false)
    private let lastWrite = Mutex<(@Sendable (Database) throws -> Void)?>(nil)
    private let closing = Mutex<[ObjectIdentifier: @Sendable (Database) throws -> Void]>([:])

    /// Opens or creates the database, whose files only this user can read then.
    ///
    /// - Parameters:
    ///   - path: nil for a private file that ``close()`` removes.
    ///   - prepare: called with each connection, before it is used.
    /// - Throws: ``ToolError`` with the file's name where it is served by another process, was written by a newer version, or is no database of
    ///   Sparring's.
    public init(
        path: String?, durability: Durability = .process, migrator: DatabaseMigrator, prepare: (@Sendable (Database) -> Void)? = nil
    ) throws {
        isTemporary = path == nil
        let path = try path ?? TemporaryFile.reserve()
        self.path = path
        let owner = try StoreOwner(of: path)
        self.owner = owner
        unrecorded = UnrecordedCalls(beside: isTemporary ? nil : path)
        do {
            var configuration = StoreFile.configuration
            let synchronous = isTemporary ? "OFF" : durability == .power ? "FULL" : "NORMAL"
            configuration.prepareDatabase { db in
                try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
                // Of a file that is to be made: see FreePages.
                if !db.configuration.readonly { try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL") }
                try db.execute(sql: "PRAGMA foreign_keys = ON")
                // Some systems' SQLite writes every page that is freed full of zeros, so that deleting costs more than making did (Debian's does).
                try db.execute(sql: "PRAGMA secure_delete = FAST")
                prepare?(db)
            }
            if isTemporary {
                try EmptyDatabase.of(migrator).write(to: path)
            } else {
                // Looked at before anything is written to it.
                try StoreFile.check(path, migrator)
            }
            let pool = try DatabasePool(path: path, configuration: configuration)
            let checkpoints = try Checkpoints(path: path, configuration: StoreFile.configuration, isTemporary: isTemporary)
            try pool.writeWithoutTransaction { db in
                // Only now: GRDB sets NORMAL itself when it turns to WAL.
                try db.execute(sql: "PRAGMA synchronous = \(synchronous)")
                try checkpoints.begin(db)
            }
            if !isTemporary { try migrator.migrate(pool) }
            self.pool = pool
            self.checkpoints = checkpoints
            loop = try Loop()
            waiting = LoopBound(Waiting(), to: loop)
        } catch {
            owner.release()
            if isTemporary { TemporaryFile.remove(path) }
            throw StoreFile.named(error, path)
        }
        checkpoints.onFailure { [weak self] in self?.noteCheckpoint($0) }
        loop.run { [self] in
            loop.atEndOfTurn { [weak self] in self?.endTurn() ?? false }
        }
    }

    deinit { loop.stop() }

    /// Queues `body` for the next transaction. `finished` is called once it is committed, on the loop, with what `body` returned or threw; what it threw has
    /// been rolled back, alone.
    public func submit<Value>(
        _ body: @escaping @Sendable (Database) throws -> Value, finished: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        submit(ClosureJob(body, finished: finished))
    }

    /// Runs `body` in a transaction and returns after its commit.
    public func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            submit(body) { continuation.resume(with: $0) }
        }
    }

    /// Runs `work` once at the end of the current transaction, however often its owner asks for it. Only within a job.
    func atEndOfBatch(_ owner: AnyObject, _ work: @escaping @Sendable (Database) throws -> Void) {
        closing.withLock { $0[ObjectIdentifier(owner)] = work }
    }

    /// Records, from now on, what the rows of sandboxes were before each change.
    func recordHistory() throws { try pool.writeWithoutTransaction { try history.record($0, statements) } }

    /// Reads what has been committed.
    public func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await pool.read(body)
    }

    /// Keeps a job that is written after everything else, when the store is closed.
    func beforeClose(_ write: @escaping @Sendable (Database) throws -> Void) { lastWrite.withLock { $0 = write } }

    /// Ends after everything queued has been written. What is still being read, such as a long journal for a verdict, is cut short: nobody waits for it.
    /// Does nothing the second time.
    ///
    /// - Throws: ``StoreEnded`` where the disk does not confirm what was written.
    public func close() throws {
        let isFirst = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        guard isFirst else { return }
        // What waits for another program's lock is waited for too.
        while !loop.perform({ [self] in closePending() }) { usleep(2000) }
        loop.stop()
        checkpoints.finish()
        pool.interrupt()
        if !isTemporary, !condition.isEnded, let last = lastWrite.withLock(\.self) { try? pool.writeWithoutTransaction(last) }
        pool.writeWithoutTransaction { _ in statements.close() }
        // All of it in one file, which may be taken elsewhere.
        if !isTemporary, !condition.isEnded {
            do { try pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) } } catch { noteCheckpoint(error) }
        }
        if let ended = condition.ended {
            leaveLog()
            throw ended
        }
        checkpoints.close()
        try pool.close()
        if isTemporary { TemporaryFile.remove(path) } else { StoreFile.removeLog(path) }
        owner.release()
    }

    /// Lets go of the file as it is. SQLite would move the log once more as it closes, and take it away where the disk says that all went well, which is not
    /// to be believed any more: the connections stay open until the process ends.
    private func leaveLog() {
        _ = (Unmanaged.passRetained(pool), Unmanaged.passRetained(checkpoints))
        owner.release()
    }

    /// Leaves nothing behind of a private file, whatever is still being written: the process is about to end.
    package func abandon() {
        if isTemporary { TemporaryFile.remove(path) }
        owner.release()
    }

    /// Queues the deletion of unused files, and gives the space back that something large has left.
    func reclaim() { if freePages.begin() { giveBack() } }

    func giveBack() {
        submit { [self] db in
            try StoredFiles.collect(db) || freePages.giveBack(db)
        } finished: { [self] result in
            if case .success(true) = result { giveBack() } else { freePages.end() }
        }
    }

    func takeClosing() -> [@Sendable (Database) throws -> Void] {
        closing.withLock { closing in
            defer { if !closing.isEmpty { closing = [:] } }
            return closing.isEmpty ? [] : Array(closing.values)
        }
    }
}

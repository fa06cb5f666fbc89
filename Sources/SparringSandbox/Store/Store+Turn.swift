import GRDB
import SparringLocks
import SparringLoop

/// The end of a turn of the loop: everything that the turn has brought is written in one transaction.
extension Store {
    /// As many jobs as one transaction takes at most: the next turn is not to wait for long.
    private static let batchLimit = 512

    func enqueue(_ job: Job) {
        let (isTaken, isFirst) = pending.withLock { pending in
            if pending.isClosed { return (false, false) }
            pending.jobs.append(job)
            return (true, pending.jobs.count == 1)
        }
        if !isTaken { return job.finished(ToolError("\(path): the server has stopped; nothing more is written")) }
        if isFirst { loop.stir() }
    }

    /// Takes nothing more, if all has been written.
    ///
    /// - Returns: whether it has.
    func closePending() -> Bool {
        pending.withLock { pending in
            pending.isClosed = pending.jobs.isEmpty
            return pending.isClosed
        }
    }

    /// - Returns: whether more is to be written at once.
    func endTurn() -> Bool {
        guard !isHeld else { return false }
        let batch = pending.withLock { pending -> [Job] in
            if pending.jobs.count <= Self.batchLimit {
                defer { pending.jobs = [] }
                return pending.jobs
            }
            defer { pending.jobs.removeFirst(Self.batchLimit) }
            return Array(pending.jobs.prefix(Self.batchLimit))
        }
        if batch.isEmpty { return false }
        run(batch)
        return !isHeld && pending.withLock { !$0.jobs.isEmpty }
    }

    private func run(_ batch: [Job]) {
        var failure: (any Error)?
        do {
            let isDone = try pool.writeWithoutTransaction { db in
                guard try checkpoints.finishIfDue(db) else { return false }
                return try write(batch, db)
            }
            guard isDone else { return hold(batch) }
            effects.committed()
        } catch {
            failure = StoreFile.named(error, path)
            _ = takeClosing()
            effects.rolledBack()
        }
        for job in batch { job.finished(failure) }
        checkpoints.committed()
        if freePages.isDue() { giveBack() }
    }

    /// - Returns: false where another program has the lock, which may be waited for.
    private func write(_ batch: [Job], _ db: Database) throws -> Bool {
        if !isImpatient { try db.execute(sql: "PRAGMA busy_timeout = 0") }
        isImpatient = true
        do {
            try db.cachedStatement(sql: "BEGIN IMMEDIATE").execute()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            if patience.waits() { return false }
            throw error
        }
        patience.ended()
        do {
            for job in batch { try job.perform(db) }
            for work in takeClosing() { try work(db) }
            try db.cachedStatement(sql: "COMMIT").execute()
        } catch {
            // Full disks and I/O errors have ended it themselves.
            if db.isInsideTransaction { try? db.rollback() }
            throw error
        }
        return true
    }

    /// Tries again later, all of it in its order.
    private func hold(_ batch: [Job]) {
        isHeld = true
        pending.withLock { $0.jobs.insert(contentsOf: batch, at: 0) }
        loop.after(LockPatience.pause) { [weak self] in self?.isHeld = false }
    }
}

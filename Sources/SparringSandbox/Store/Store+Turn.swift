import CSQLite
import GRDB
import SparringLocks
import SparringLoop

/// The end of a turn of the loop: everything that the turn has brought is written in one transaction.
extension Store {
    /// The most jobs that one transaction takes: the next turn is not to wait for long.
    private static let batchLimit = 512

    /// Queues a job for the next transaction; from any thread.
    package func submit(_ job: any StoreJob) {
        let (isTaken, isFirst) = pending.withLock { pending in
            if pending.isClosed { return (false, false) }
            pending.jobs.append(job)
            return (true, pending.jobs.count == 1)
        }
        if !isTaken {
            return job.finished(condition.ended ?? ToolError("\(path): the server has stopped; nothing more is written"))
        }
        if isFirst { loop.stir() }
    }

    /// Writes something that changes nothing, to see whether it can be written.
    ///
    /// - Throws: where it cannot.
    package func tryWriting() async throws {
        // SQLite writes the first page for it, whatever its value was (sqlite.org/fileformat2.html §1.3.16).
        try await write { try $0.execute(sql: "PRAGMA user_version = 0") }
    }

    /// Takes nothing more, if all has been written.
    ///
    /// - Returns: whether it has.
    func closePending() -> Bool {
        pending.withLock { pending in
            if pending.jobs.isEmpty { pending.isClosed = true }
            return pending.jobs.isEmpty
        }
    }

    /// - Returns: whether more is to be written at once.
    func endTurn() -> Bool {
        guard !waiting.value.isHeld else { return false }
        let batch = pending.withLock { pending -> [any StoreJob] in
            if pending.jobs.isEmpty { return [] }
            if pending.jobs.count <= Self.batchLimit {
                defer {
                    // The next turn brings about as many.
                    let count = pending.jobs.count
                    pending.jobs = []
                    pending.jobs.reserveCapacity(count)
                }
                return pending.jobs
            }
            defer { pending.jobs.removeFirst(Self.batchLimit) }
            return Array(pending.jobs.prefix(Self.batchLimit))
        }
        if batch.isEmpty { return false }
        run(batch)
        return !waiting.value.isHeld && pending.withLock { !$0.jobs.isEmpty }
    }

    private func run(_ batch: [any StoreJob]) {
        if let ended = condition.ended { return batch.forEach { $0.finished(ended) } }
        var failure: (any Error)?
        /// The failures of single jobs, by their places in the batch.
        var failures: [Int: any Error] = [:]
        do {
            let isDone = try pool.writeWithoutTransaction { db in
                guard try checkpoints.finishIfDue(db) else { return false }
                return try write(batch, db, &failures)
            }
            guard isDone else { return hold(batch) }
            effects.committed()
        } catch {
            failure = StoreFile.named(error, path)
            _ = takeClosing()
            effects.rolledBack()
        }
        note(failure ?? failures.values.first { $0 is StoreError })
        for (place, job) in batch.enumerated() { job.finished(failure ?? failures[place]) }
        checkpoints.committed()
        if freePages.isDue() { giveBack() }
    }

    /// - Parameter failure: of a transaction; nil: it was committed.
    private func note(_ failure: (any Error)?) {
        guard let failure = failure as? StoreError else { return condition.worked() }
        if failure.isOfSync { end(failure) } else { condition.failed(failure) }
    }

    /// A checkpoint has failed. The log has everything then, and the next one tries again; but not where the disk has confirmed nothing.
    func noteCheckpoint(_ error: any Error) {
        if let failure = StoreFile.named(error, path) as? StoreError, failure.isOfSync { end(failure) }
    }

    /// Writes nothing more; from any thread.
    private func end(_ failure: StoreError) {
        pending.withLock { $0.isClosed = true }
        condition.end(failure)
        loop.stir()
    }

    /// - Returns: false where another program has the lock, which may be waited for.
    private func write(_ batch: [any StoreJob], _ db: Database, _ failures: inout [Int: any Error]) throws -> Bool {
        let waiting = waiting.value
        if !waiting.isImpatient { try db.execute(sql: "PRAGMA busy_timeout = 0") }
        waiting.isImpatient = true
        do {
            try statements.run(.begin, db)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            if waiting.patience.waits() { return false }
            throw error
        }
        waiting.patience.ended()
        do {
            var begun = db.changedRows
            for (place, job) in batch.enumerated() {
                do {
                    try perform(job, db, &begun)
                } catch {
                    failures[place] = StoreFile.named(error, path)
                    // Full disks and I/O errors end the transaction itself: then no job in the batch may report success.
                    if !db.isInsideTransaction { throw error }
                }
            }
            for work in takeClosing() { try work(db) }
            try statements.run(.commit, db)
        } catch {
            // Full disks and I/O errors have ended it themselves.
            if db.isInsideTransaction { try? db.rollback() }
            throw error
        }
        return true
    }

    /// - Parameter begun: how many rows had been changed when the transaction began.
    private func perform(_ job: any StoreJob, _ db: Database, _ begun: inout Int) throws {
        let before = db.changedRows
        // Of a transaction that has changed nothing yet, nothing is lost if it is rolled back: a savepoint would keep a copy of each page for it.
        let isFirst = before == begun
        let hasSavepoint = !isFirst && !job.writesOnce
        effects.begin()
        do {
            if hasSavepoint { try statements.run(.savepoint, db) }
            try job.perform(db)
            if hasSavepoint { try statements.run(.release, db) }
            effects.keep()
        } catch {
            effects.drop()
            guard db.isInsideTransaction else { throw error }
            if hasSavepoint {
                try takeBack(db)
            } else if db.changedRows != before {
                try db.rollback()
                if isFirst {
                    try statements.run(.begin, db)
                    begun = db.changedRows
                }
            }
            throw error
        }
    }

    /// Takes back what a job has written in its savepoint.
    private func takeBack(_ db: Database) throws {
        do {
            try statements.run(.rollBack, db)
            try statements.run(.release, db)
        } catch {
            try db.rollback()
            throw error
        }
    }

    /// Tries again later, all of it in its order.
    private func hold(_ batch: [any StoreJob]) {
        let waiting = waiting.value
        waiting.isHeld = true
        pending.withLock { $0.jobs.insert(contentsOf: batch, at: 0) }
        loop.after(LockPatience.pause) { waiting.isHeld = false }
    }
}

extension Database {
    /// How many rows the connection has changed since it was opened; GRDB's own count looks first which queue asks.
    fileprivate var changedRows: Int { Int(sqlite3_total_changes64(sqliteConnection)) }
}

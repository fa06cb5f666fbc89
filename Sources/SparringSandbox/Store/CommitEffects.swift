import Glibc
import SparringLocks

/// The changes that a transaction makes in memory. Memory follows the commit: what others can see is changed with ``afterCommit(_:)``; what
/// only the writer itself looks at may be changed at once, with ``onRollback(_:)`` to take it back. Both belong to the job that is being
/// performed, and share the fate of its savepoint and of the whole transaction.
package final class CommitEffects: Sendable {
    typealias Effect = @Sendable () -> Void

    /// The numbers of the job that is being performed, and of its transaction.
    struct Moment: Equatable {
        var job = 0
        var transaction = 0
    }

    private struct Recorded {
        var changes: [Effect] = []
        var undoings: [Effect] = []
    }

    private struct State {
        /// Nil while no job is being performed.
        var job: Recorded?
        /// On which the job is performed: what other threads do meanwhile is none of it.
        var thread = pthread_t()
        /// The effects of those jobs of this transaction whose savepoints have been released.
        var kept = Recorded()
        var moment = Moment()
        /// The parts that the job, and the transaction, have touched.
        var ofJob: [any Rewindable] = []
        var ofTransaction: [any Rewindable] = []

        var isOurs: Bool { job != nil && pthread_equal(thread, pthread_self()) != 0 }
    }

    private let state = Mutex(State())

    /// Nil outside of a job.
    var moment: Moment? { state.withLock { $0.isOurs ? $0.moment : nil } }

    /// Registers a part to be rewound with the job, or with the transaction.
    func touch(_ part: any Rewindable, isFirstOfTransaction: Bool) {
        state.withLock { state in
            state.ofJob.append(part)
            if isFirstOfTransaction { state.ofTransaction.append(part) }
        }
    }

    /// Calls `change` once the job's transaction is committed, before anybody hears of the commit; never where it is rolled back. Outside
    /// of a job it is called at once.
    func afterCommit(_ change: @escaping Effect) {
        let isRecorded = state.withLock { state in
            guard state.isOurs else { return false }
            state.job?.changes.append(change)
            return true
        }
        if !isRecorded { change() }
    }

    /// Calls `undo` where the job's savepoint or its transaction is rolled back, the latest first. Outside of a job nothing is rolled back.
    func onRollback(_ undo: @escaping Effect) {
        state.withLock { if $0.isOurs { $0.job?.undoings.append(undo) } }
    }

    // MARK: The writer's

    func begin() {
        state.withLock { state in
            state.job = Recorded()
            state.thread = pthread_self()
            state.moment.job += 1
        }
    }

    /// The job's savepoint has been released.
    func keep() {
        state.withLock { state in
            guard let job = state.job.take() else { return }
            state.ofJob.removeAll(keepingCapacity: true)
            if !job.changes.isEmpty { state.kept.changes += job.changes }
            if !job.undoings.isEmpty { state.kept.undoings += job.undoings }
        }
    }

    /// The job's savepoint has been rolled back, alone or with its transaction.
    func drop() {
        let (undoings, parts) = state.withLock { state in
            defer { state.ofJob.removeAll(keepingCapacity: true) }
            return (state.job.take()?.undoings ?? [], state.ofJob)
        }
        for undo in undoings.reversed() { undo() }
        for part in parts { part.rewindJob() }
    }

    func committed() {
        for change in take().changes { change() }
    }

    /// The whole transaction has been rolled back.
    func rolledBack() {
        drop()
        let parts = state.withLock { $0.ofTransaction }
        for undo in take().undoings.reversed() { undo() }
        for part in parts { part.rewindTransaction() }
    }

    /// Takes the effects of the transaction's jobs; another transaction begins.
    private func take() -> Recorded {
        state.withLock { state in
            defer {
                state.kept = Recorded()
                state.ofTransaction.removeAll(keepingCapacity: true)
                state.moment.transaction += 1
            }
            return state.kept
        }
    }
}

/// A part of memory that knows by itself what it was when a job, or its transaction, began.
protocol Rewindable: AnyObject, Sendable {
    func rewindJob()
    func rewindTransaction()
}

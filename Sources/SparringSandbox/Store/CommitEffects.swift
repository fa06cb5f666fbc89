import Glibc
import SparringLocks

/// What a transaction changes in memory. Memory follows the commit: what others can see is changed with ``afterCommit(_:)``; what only the writer
/// itself looks at may be changed at once, with ``onRollback(_:)`` to take it back. Both belong to the job that is being performed, and
/// share the fate of its savepoint and of the whole transaction.
package final class CommitEffects: Sendable {
    typealias Effect = @Sendable () -> Void

    private struct Recorded {
        var changes: [Effect] = []
        var undoings: [Effect] = []
    }

    private struct State {
        /// Nil while no job is being performed.
        var job: Recorded?
        /// On which the job is performed: what other threads do meanwhile is none of it.
        var thread = pthread_t()
        /// Of the jobs of this transaction whose savepoints have been released.
        var kept = Recorded()
        var jobs = 0

        var isOurs: Bool { job != nil && pthread_equal(thread, pthread_self()) != 0 }
    }

    private let state = Mutex(State())

    /// Tells the jobs apart; nil outside of one.
    var job: Int? { state.withLock { $0.isOurs ? $0.jobs : nil } }

    /// Has `change` made once the job's transaction is committed, before anybody hears of the commit; never where it is rolled back. Outside of a
    /// job it is made at once.
    func afterCommit(_ change: @escaping Effect) {
        let isRecorded = state.withLock { state in
            guard state.isOurs else { return false }
            state.job?.changes.append(change)
            return true
        }
        if !isRecorded { change() }
    }

    /// Has `undo` called where the job's savepoint or its transaction is rolled back, the latest first. Outside of a job nothing is rolled back.
    func onRollback(_ undo: @escaping Effect) {
        state.withLock { if $0.isOurs { $0.job?.undoings.append(undo) } }
    }

    // MARK: The writer's

    func begin() {
        state.withLock { state in
            state.job = Recorded()
            state.thread = pthread_self()
            state.jobs += 1
        }
    }

    /// The job's savepoint has been released.
    func keep() {
        state.withLock { state in
            guard let job = state.job.take() else { return }
            state.kept.changes += job.changes
            state.kept.undoings += job.undoings
        }
    }

    /// The job's savepoint has been rolled back, alone or with its transaction.
    func drop() {
        let undoings = state.withLock { $0.job.take()?.undoings ?? [] }
        for undo in undoings.reversed() { undo() }
    }

    func committed() {
        for change in take().changes { change() }
    }

    /// The whole transaction has been rolled back.
    func rolledBack() {
        drop()
        for undo in take().undoings.reversed() { undo() }
    }

    private func take() -> Recorded {
        state.withLock { state in
            defer { state.kept = Recorded() }
            return state.kept
        }
    }
}

package import SparringJournal
import SparringLocks

/// Whether the database can be written at present.
package final class StoreCondition: Sendable {
    package struct Failure: Sendable {
        /// When the first of the writes failed that have all failed since, by the machine's clock.
        package var since: Timestamp
        /// Why the last one failed.
        package var reason: String
        /// Nothing is written any more, until another process opens the database.
        package var isFinal: Bool
    }

    private struct State {
        var failure: Failure?
        var onEnd: [@Sendable (String) -> Void] = []
    }

    private let state = Mutex(State())

    /// Nil while the database can be written.
    package var failure: Failure? { state.withLock { $0.failure } }

    package var isEnded: Bool { failure?.isFinal == true }

    /// The error of whatever is to be written now; nil where it may be tried.
    var ended: StoreEnded? { failure.flatMap { $0.isFinal ? StoreEnded(reason: $0.reason) : nil } }

    /// Calls `body` with the reason once nothing is written any more.
    package func onEnd(_ body: @escaping @Sendable (String) -> Void) {
        let reason = state.withLock { state -> String? in
            if let failure = state.failure, failure.isFinal { return failure.reason }
            state.onEnd.append(body)
            return nil
        }
        if let reason { body(reason) }
    }

    func worked() { state.withLock { if $0.failure?.isFinal == false { $0.failure = nil } } }

    func failed(_ error: any Error) {
        let now = Timestamp.now
        state.withLock { state in
            guard state.failure?.isFinal != true else { return }
            state.failure = Failure(since: state.failure?.since ?? now, reason: "\(error)", isFinal: false)
        }
    }

    /// The disk did not confirm a write, and no later confirmation means anything: the kernel may have forgotten what it could not write (fsync(2), NOTES).
    func end(_ error: any Error) {
        failed(error)
        let (reason, told) = state.withLock { state in
            let isFirst = state.failure?.isFinal == false
            state.failure?.isFinal = true
            return (state.failure?.reason ?? "", isFirst ? state.onEnd : [])
        }
        for body in told { body(reason) }
    }
}

/// Nothing is written to the database any more.
package struct StoreEnded: Error, CustomStringConvertible {
    /// With the file's name.
    var reason: String
    package var description: String { "\(reason); nothing more is written, since the disk may have lost what it did not confirm" }
}

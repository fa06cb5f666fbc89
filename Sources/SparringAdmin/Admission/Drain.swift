import SparringJSON
import SparringJournal
import SparringLocks
import SparringSandbox

/// Whether a server lets its sandboxes come to their end and takes no new ones.
final class Drain: Sendable {
    /// A drain under way, by the machine's clock.
    struct UnderWay: Sendable {
        var since: Timestamp
        /// When the sandboxes that are left end with the server.
        var deadline: Timestamp

        var json: JSON { ["since": .string(since.description), "deadline": .string(deadline.description)] }
    }

    static let standardTime = Duration.seconds(3600)

    private struct State {
        var underWay: UnderWay?
        var deadline: Task<Void, Never>?
        var onEnd: (@Sendable () -> Void)?
    }
    private let state = Mutex(State())

    /// Nil: new sandboxes are taken.
    var underWay: UnderWay? { state.withLock(\.underWay) }

    /// Called once when the last sandbox has ended or the deadline has come.
    func onEnd(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onEnd = body } }

    /// Begins, or sets another deadline.
    ///
    /// - Parameter isEmpty: whether all sandboxes have ended.
    func begin(for time: Duration, isEmpty: @escaping @Sendable () -> Bool) -> UnderWay {
        let now = Timestamp.now
        let task = Task { [weak self] in
            guard (try? await Task.sleep(for: time)) != nil else { return }
            self?.end()
        }
        let underWay = state.withLock { state in
            let underWay = UnderWay(since: state.underWay?.since ?? now, deadline: now + time)
            state.underWay = underWay
            state.deadline?.cancel()
            state.deadline = task
            return underWay
        }
        if isEmpty() { end() }
        return underWay
    }

    /// New sandboxes are taken again.
    func cancel() {
        state.withLock { state in
            state.deadline?.cancel()
            (state.underWay, state.deadline) = (nil, nil)
        }
    }

    /// There is nothing left to wait for.
    func end() {
        let body = state.withLock { state in
            guard state.underWay != nil else { return nil as (@Sendable () -> Void)? }
            state.deadline?.cancel()
            return state.onEnd.take()
        }
        body?()
    }
}

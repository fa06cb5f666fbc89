import SparringLocks
import SparringLoop

/// Waiting until all that was woken is at rest, and the end of every wait.
extension SandboxClock {
    /// An advance, or an end, that waits until nothing is running any more.
    final class Settled: Sendable {
        private let continuation: Mutex<CheckedContinuation<Void, Never>?>

        init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = Mutex(continuation) }

        /// Only the first time counts.
        func tell() { continuation.withLock { $0.take() }?.resume() }
    }

    /// - Parameter limit: of the machine's time, after which it returns all the same; nil: there is none.
    func settle(within limit: Duration? = nil) async {
        await withCheckedContinuation { continuation in
            let settled = Settled(continuation)
            let isAtRest = state.withLock { state in
                if state.running > 0 { state.settledWaiters.append(settled) }
                return state.running == 0
            }
            if isAtRest { return settled.tell() }
            guard let limit else { return }
            loop.run { [loop] in loop.after(limit) { settled.tell() } }
        }
    }

    /// Ends every wait, now and from now on.
    public func release() {
        while let sleeper = nextReleased() { sleeper.wake(.released) }
    }

    /// Ends every wait, the first due first, and each once what the one before led to is at rest: what it decides is the same each time then.
    ///
    /// - Parameter limit: of the machine's time for all of them; those left after that are ended at once.
    package func release(within limit: Duration) async {
        let end = ContinuousClock.now + limit
        while let sleeper = nextReleased() {
            sleeper.wake(.released)
            await settle(within: max(.zero, end - .now))
        }
    }

    /// - Returns: the next one to be ended, whose work is running again.
    private func nextReleased() -> Sleeper? {
        state.withLock { state in
            state.isReleased = true
            guard let first = state.sleepers.first else { return nil }
            state.sleepers.remove(first.number)
            // What an alarm would have begun does not begin.
            if !first.isAlarm { Self.run(first.work, &state) }
            return first
        }
    }
}

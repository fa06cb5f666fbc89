import SparringLocks

/// Keeps calls apart, so that a vendor is never called more often than was said.
final class ProbePace: Sendable {
    private let interval: Duration
    private let next = Mutex(ContinuousClock.now)

    init(_ interval: Duration) { self.interval = interval }

    /// Waits for the time of the next call.
    func wait() async throws {
        let time = next.withLock { next in
            let time = max(next, .now)
            next = time + interval
            return time
        }
        try await Task.sleep(until: time, clock: .continuous)
    }
}

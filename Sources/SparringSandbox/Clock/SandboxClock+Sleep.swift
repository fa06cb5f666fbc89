package import SparringJournal

extension SandboxClock {
    /// Waits for `duration` of sandbox time. `onSleep` is given the means to end the wait early, before it begins.
    public func sleep(for duration: Duration, what: String, work: Work, onSleep: (@escaping @Sendable () -> Void) -> Void) async -> Wake {
        await withCheckedContinuation { continuation in
            wait(what, work, onSleep, until: { $0 + duration }) { continuation.resume(returning: $0) }
        }
    }

    /// Waits until the sandbox's time has come to `due`.
    package func sleep(until due: Timestamp, what: String, work: Work, onSleep: (@escaping @Sendable () -> Void) -> Void) async -> Wake {
        await withCheckedContinuation { continuation in
            wait(what, work, onSleep, until: { _ in due }) { continuation.resume(returning: $0) }
        }
    }

    /// Waits as ``sleep(for:what:work:onSleep:)`` does, without a task: calls `then` once, on the loop if time itself ends the wait. What hundreds wait for comes in
    /// a few turns then.
    package func wait(
        for duration: Duration, what: String, work: Work, onSleep: (@escaping @Sendable () -> Void) -> Void,
        then: @escaping @Sendable (Wake) -> Void
    ) {
        wait(what, work, onSleep, until: { $0 + duration }, then: then)
    }
}

package import SparringJournal

extension SandboxClock {
    /// Waits for `duration` of sandbox time. `onSleep` is given the means to end the wait early, before it begins.
    public func sleep(for duration: Duration, what: String, work: Work, onSleep: (@escaping @Sendable () -> Void) -> Void) async -> Wake {
        await sleep(what, work, onSleep) { $0 + duration }
    }

    /// Waits until the sandbox's time has come to `due`.
    package func sleep(until due: Timestamp, what: String, work: Work, onSleep: (@escaping @Sendable () -> Void) -> Void) async -> Wake {
        await sleep(what, work, onSleep) { _ in due }
    }
}

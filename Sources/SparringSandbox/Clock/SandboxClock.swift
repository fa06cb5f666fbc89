import SparringJSON
public import SparringJournal
import SparringLocks
package import SparringLoop

/// A sandbox's time, and what waits for it. Everything a client could notice runs on it: the expiry of tokens and codes, injected delays,
/// the times in the journal.
public final class SandboxClock: Sendable {
    public enum Mode: Sendable, Equatable {
        /// Runs as fast as the wall clock, perhaps ahead of it or behind it.
        case real
        /// Stands until it is advanced.
        case frozen
        /// So many times as fast as the wall clock.
        case rate(Double)

        var speed: Double {
            switch self {
            case .real: 1
            case .frozen: 0
            case .rate(let rate): rate
            }
        }
    }

    /// The reason why a wait ended.
    public enum Wake: Sendable {
        case due
        /// The client went away.
        case abandoned
        /// The sandbox was reset or deleted, or the process is ending: nobody is waited for.
        case released
    }

    /// One thing in progress that may wait on the clock; ``SandboxClock/advance(by:)`` returns only when those it woke have come to rest.
    public final class Work: Sendable {
        fileprivate let progress = Mutex((isRunning: false, isOver: false))
        /// The work that waits for this to end: at rest as long as this sleeps, running again once it is woken.
        fileprivate let parent: Work?
        public init(parent: Work? = nil) { self.parent = parent }
    }

    struct Sleeper {
        var number: Int
        var due: Timestamp
        var what: String
        var work: Work
        /// Advances wait for it however it was woken.
        var isAlarm = false
        var wake: @Sendable (Wake) -> Void
    }

    struct State {
        var mode: Mode
        /// The sandbox's time at ``anchor``.
        var base: Timestamp
        /// Monotonic nanoseconds.
        var anchor: Int64
        var sleepers = DueQueue()
        var nextNumber = 0
        var running = 0
        var settledWaiters: [Settled] = []
        var timer: Loop.Timer?
        /// While time is being advanced it stands still between what falls due.
        var advancingTo: Timestamp?
        /// The length of that advance.
        var stride = Duration.zero
        /// The latest jump of a clock that was set to another time: where it led, and how far.
        var leap = (to: Timestamp(milliseconds: 0), by: Duration.zero)
        var isReleased = false

        func now(_ monotonic: Int64) -> Timestamp {
            if advancingTo != nil { return base }
            let elapsed = Double(monotonic.subtractingClamped(anchor)) / 1_000_000 * mode.speed
            return base + .milliseconds(Int64(clamped: elapsed))
        }
    }

    /// The machine's time that a duration of the sandbox's time takes; on a clock that stands, the same duration.
    package func machineTime(of duration: Duration) -> Duration {
        let speed = state.withLock { $0.mode.speed }
        return speed > 0 ? .milliseconds(Int64(clamped: Double(duration.milliseconds) / speed)) : duration
    }

    let state: Mutex<State>
    /// Time itself makes things due there.
    let loop: Loop
    private let turns = AsyncLock()

    package init(mode: Mode = .real, now: Timestamp? = nil, on loop: Loop) {
        let arrival = Arrival.now
        self.loop = loop
        state = Mutex(
            State(mode: mode, base: now ?? Timestamp(milliseconds: arrival.wall / 1_000_000), anchor: arrival.monotonic), .clock)
    }

    public var now: Timestamp { state.withLock { $0.now(Arrival.monotonicNow) } }
    public var mode: Mode { state.withLock { $0.mode } }

    /// The time by which the clock is being advanced at once; zero while it is not.
    public var stride: Duration { state.withLock { $0.advancingTo == nil ? .zero : $0.stride } }

    /// How far the clock has jumped, as it was set to another time after `time`; zero if it was not.
    func leap(since time: Timestamp) -> Duration { state.withLock { $0.leap.to > time ? $0.leap.by : .zero } }

    /// Everything that waits on the clock, the next first.
    public var pending: [(due: Timestamp, what: String)] {
        state.withLock { $0.sleepers.inOrder.map { ($0.due, $0.what) } }
    }

    /// Calls `then` once, when the wait has ended. `onSleep` is given the means to end it early, before it begins.
    ///
    /// - Parameter due: from the time at which the wait begins.
    func wait(
        _ what: String, _ work: Work, _ onSleep: (@escaping @Sendable () -> Void) -> Void, until due: (Timestamp) -> Timestamp,
        then: @escaping @Sendable (Wake) -> Void
    ) {
        let number = nextNumber()
        onSleep { [weak self] in self?.wake(number, .abandoned) }
        if !enqueue(number, what, work, then, due: due) { then(.released) }
    }

    /// Calls `ring` once when the sandbox's time has come to `due`, at once where it has already. What is called says with
    /// ``ended(_:)`` when `work` is over. Nothing of this is kept: what must survive a restart is scheduled with ``Sandbox/schedule(_:_:)``.
    ///
    /// - Parameter onRelease: called in place of `ring` where the sandbox is reset or deleted, or the process ends.
    /// - Returns: the alarm's number; nil where the clock has been released, and neither will be called.
    @discardableResult
    public func alarm(
        at due: Timestamp, what: String, work: Work, onRelease: @escaping @Sendable () -> Void = {}, ring: @escaping @Sendable () -> Void
    ) -> Int? {
        let number = nextNumber()
        let wake: @Sendable (Wake) -> Void = { if case .due = $0 { ring() } else { onRelease() } }
        return enqueue(number, what, work, isAlarm: true, wake) { _ in due } ? number : nil
    }

    /// Takes an alarm back that has not rung yet.
    public func cancel(alarm number: Int) { _ = state.withLock { $0.sleepers.remove(number) } }

    /// `work` waits for something else that runs on this clock.
    func pause(_ work: Work) { state.withLock { Self.pause(work, &$0) } }

    /// Marks `work` as running again, as the thing that it waited for has come: until it is over, an advance waits for it.
    package func resume(_ work: Work) { state.withLock { Self.run(work, &$0) } }

    /// `work` is over: an advance that woke it need not wait for it any longer.
    public func ended(_ work: Work) {
        state.withLock { state in
            Self.rest(work, &state)
            work.progress.withLock { $0.isOver = true }
        }
    }

    /// Moves time forward, waking what falls due in the order in which it does, and returns when all that is at rest again.
    ///
    /// - Returns: how many waits ended.
    public func advance(by duration: Duration) async -> Int { await advance(by: duration) { _ in } }

    /// - Parameter keep: is given what a restart needs to find the clock where it is being moved to; where it throws, nothing is moved.
    func advance(by duration: Duration, keep: (_ stored: JSON) async throws -> Void) async rethrows -> Int {
        await turns.take()
        defer { turns.give() }
        let target = now + duration
        try await keep(stored(at: target))
        state.withLock { state in
            state.base = state.now(Arrival.monotonicNow)
            state.advancingTo = max(state.base, target)
            state.stride = duration
        }
        await settle()  // what time itself has made due may be under way, and what it leads to belongs before
        var ran = 0
        while let sleeper = nextDue() {
            ran += 1
            sleeper.wake(.due)
            await settle()
        }
        state.withLock { state in
            state.base = max(state.base, state.advancingTo ?? state.base)
            state.anchor = Arrival.monotonicNow
            state.advancingTo = nil
        }
        schedule()
        return ran
    }

    private func nextNumber() -> Int {
        state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
    }

    /// - Returns: false where the clock is released and nobody waits any more.
    private func enqueue(
        _ number: Int, _ what: String, _ work: Work, isAlarm: Bool = false, _ wake: @escaping @Sendable (Wake) -> Void,
        due: (Timestamp) -> Timestamp
    ) -> Bool {
        let (isAsleep, isFirst) = state.withLock { state in
            if state.isReleased { return (false, false) }
            let due = due(state.now(Arrival.monotonicNow))
            state.sleepers.insert(Sleeper(number: number, due: due, what: what, work: work, isAlarm: isAlarm, wake: wake))
            if !isAlarm { Self.pause(work, &state) }
            return (true, state.sleepers.first?.number == number)
        }
        if isFirst { schedule() }
        return isAsleep
    }

    /// Takes the next sleeper that falls due before the end of the advance.
    private func nextDue() -> Sleeper? {
        state.withLock { state in
            guard let target = state.advancingTo, let first = state.sleepers.first, first.due <= target else { return nil }
            state.sleepers.remove(first.number)
            state.base = max(state.base, first.due)
            Self.run(first.work, &state)
            return first
        }
    }

    private func wake(_ number: Int, _ reason: Wake) {
        state.withLock { $0.sleepers.remove(number) }?.wake(reason)
    }

    static func run(_ work: Work, _ state: inout State) {
        let starts = work.progress.withLock { progress in
            defer { if !progress.isOver { progress.isRunning = true } }
            return !progress.isRunning && !progress.isOver
        }
        if starts { state.running += 1 }
        if let parent = work.parent { run(parent, &state) }
    }

    /// `work` goes to sleep, and so does the work that waits for it.
    private static func pause(_ work: Work, _ state: inout State) {
        if let parent = work.parent { pause(parent, &state) }
        rest(work, &state)
    }

    private static func rest(_ work: Work, _ state: inout State) {
        let wasRunning = work.progress.withLock { progress in
            defer { progress.isRunning = false }
            return progress.isRunning
        }
        guard wasRunning else { return }
        state.running -= 1
        if state.running == 0 {
            for waiter in state.settledWaiters { waiter.tell() }
            state.settledWaiters = []
        }
    }
}

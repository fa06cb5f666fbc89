import SparringJSON
import SparringJournal
import SparringLocks
import SparringLoop

/// The waits that time itself ends, on the loop.
extension SandboxClock {
    /// Milliseconds of the wall clock that the timer is set to at most; a slow clock's waits are then looked at again.
    private static let longestWait = 86_400_000.0
    /// The most that wake in one turn: their answers go out while the next ones are worked on.
    private static let wokenAtOnce = 64

    /// Sets the one timer to the first wait that is due or that the running clock will reach.
    func schedule() { loop.run { [weak self] in self?.setTimer() } }

    private func setTimer() {
        let (old, wait) = state.withLock { state in (state.timer.take(), Self.untilFirst(&state)) }
        if let old { loop.cancel(old) }
        guard let wait else { return }
        let timer = loop.after(wait) { [weak self] in self?.wakeDue() }
        state.withLock { $0.timer = timer }
    }

    /// - Returns: how long the machine has to wait for the first one; nil: there is none that time itself makes due.
    private static func untilFirst(_ state: inout State) -> Duration? {
        guard state.advancingTo == nil, let first = state.sleepers.first else { return nil }
        let left = Double((first.due - state.now(Arrival.monotonicNow)).milliseconds)
        if left <= 0 { return .zero }
        return state.mode.speed > 0 ? .microseconds(Int64(clamped: min(left / state.mode.speed, longestWait) * 1000)) : nil
    }

    private func wakeDue() {
        var count = 0
        while count < Self.wokenAtOnce, let sleeper = nextOverdue() {
            sleeper.wake(.due)
            count += 1
        }
        setTimer()
    }

    private func nextOverdue() -> Sleeper? {
        state.withLock { state in
            guard state.advancingTo == nil, let first = state.sleepers.first, first.due <= state.now(Arrival.monotonicNow) else {
                return nil
            }
            state.sleepers.remove(first.number)
            if first.isAlarm { Self.run(first.work, &state) }
            return first
        }
    }
}

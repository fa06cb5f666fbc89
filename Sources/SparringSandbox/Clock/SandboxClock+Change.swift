import SparringJSON
public import SparringJournal
import SparringLocks

/// Changing how time runs, and what time it is.
extension SandboxClock {
    /// A change that is to be made: from `since` on, in monotonic nanoseconds, the clock shows `time` and runs as `mode` says.
    package struct Change: Sendable {
        var mode: Mode
        var time: Timestamp
        /// The time that the clock showed before.
        var earlier: Timestamp
        var since: Int64
        /// Time was asked for, and does not just go on.
        var isJump: Bool
    }

    /// How the clock is to run, and, where given, what time it is to show. Moving backwards is allowed: a phone's clock does it too.
    package func change(mode: Mode, now: Timestamp? = nil) -> Change {
        state.withLock { state in
            let monotonic = Arrival.monotonicNow
            let shown = state.now(monotonic)
            return Change(mode: mode, time: now ?? shown, earlier: shown, since: monotonic, isJump: now != nil)
        }
    }

    /// Changes it at once, and only in memory.
    public func set(mode: Mode, now: Timestamp? = nil) { make(change(mode: mode, now: now)) }

    func make(_ change: Change) {
        state.withLock { state in
            if change.isJump { state.leap = (change.time, change.time - change.earlier) }
            if let target = state.advancingTo {
                // An advance under way goes on from there, as far as it had to go.
                if change.isJump { state.advancingTo = target + (change.time - state.base) }
            }
            if change.isJump || state.advancingTo == nil { state.base = change.time }
            state.anchor = change.since
            state.mode = change.mode
        }
        schedule()
    }
}

extension SandboxClock.Change {
    /// The state that a restart needs once the change has been made.
    var stored: JSON { SandboxClock.stored(mode, time, Arrival.now.wall) }

    /// The change as the journal shows it.
    var json: JSON { SandboxClock.shown(mode, time) }

    /// `the clock was set to 2026-11-21T07:00:00.000Z, 10 min ahead; it is frozen`
    var words: String {
        let running =
            switch mode {
            case .real: "it runs as the machine's does"
            case .frozen: "it is frozen"
            case .rate(let rate): "it runs \(Int64(exactly: rate).map { String($0) } ?? String(rate)) times as fast as the machine's"
            }
        guard isJump, time != earlier else { return "the clock was set at \(time): \(running)" }
        let distance = time > earlier ? "\((time - earlier).words) ahead" : "\((earlier - time).words) back"
        return "the clock was set to \(time), \(distance); \(running)"
    }
}

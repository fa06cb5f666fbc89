import SparringLocks

/// The exchanges, or other parties, that wait for somebody who may never come. When the server stops it ends their waits itself.
final class Sleepers<Sleeper: AnyObject & Sendable>: Sendable {
    private struct State {
        var sleepers: [ObjectIdentifier: Sleeper] = [:]
        var areReleased = false
    }

    private let state = Mutex(State())

    var areReleased: Bool { state.withLock { $0.areReleased } }

    /// - Returns: false when the server has stopped waiting.
    func add(_ sleeper: Sleeper) -> Bool {
        state.withLock { state in
            if !state.areReleased { state.sleepers[ObjectIdentifier(sleeper)] = sleeper }
            return !state.areReleased
        }
    }

    func remove(_ sleeper: Sleeper) { state.withLock { _ = $0.sleepers.removeValue(forKey: ObjectIdentifier(sleeper)) } }

    /// Ends all waits; no further ones begin.
    func release(_ end: (Sleeper) -> Void) {
        let sleepers = state.withLock { state in
            state.areReleased = true
            return state.sleepers.values.map { $0 }
        }
        for sleeper in sleepers { end(sleeper) }
    }
}

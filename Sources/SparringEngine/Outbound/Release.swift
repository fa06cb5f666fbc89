import SparringLocks

/// Ends what waits for others, once and for all.
final class Release: Sendable {
    private struct State {
        var isReleased = false
        var last = 0
        var actions: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())

    var isReleased: Bool { state.withLock { $0.isReleased } }

    func release() {
        let actions = state.withLock { state in
            state.isReleased = true
            defer { state.actions = [:] }
            return state.actions.values.map { $0 }
        }
        for action in actions { action() }
    }

    /// Calls `action` once on release, or at once if the release has already happened.
    ///
    /// - Returns: the number to ``forget(_:)`` it by.
    func onRelease(_ action: @escaping @Sendable () -> Void) -> Int {
        let number = state.withLock { state -> Int? in
            guard !state.isReleased else { return nil }
            state.last += 1
            state.actions[state.last] = action
            return state.last
        }
        if number == nil { action() }
        return number ?? 0
    }

    func forget(_ number: Int) { state.withLock { _ = $0.actions.removeValue(forKey: number) } }
}

/// A value that comes once and is waited for by one.
final class Once<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiter: CheckedContinuation<Value, Never>?
    }

    private let state = Mutex(State())

    /// Only the first call counts.
    func resume(_ value: Value) {
        let waiter = state.withLock { state -> CheckedContinuation<Value, Never>? in
            guard state.value == nil else { return nil }
            state.value = value
            return state.waiter.take()
        }
        waiter?.resume(returning: value)
    }

    var value: Value {
        get async {
            await withCheckedContinuation { continuation in
                let value = state.withLock { state in
                    if state.value == nil { state.waiter = continuation }
                    return state.value
                }
                if let value { continuation.resume(returning: value) }
            }
        }
    }
}

import Synchronization

/// Counts what is in flight over all listeners, so that stopping can wait for it.
final class Flow: Sendable {
    private struct State {
        var exchanges = 0
        var connections = 0
        var isDraining = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())
    private let isDrainingFlag = Atomic(false)

    /// Answers given now tell the client not to come back on this connection.
    var isDraining: Bool { isDrainingFlag.load(ordering: .relaxed) }

    /// - Returns: the connection's number, counted from 1.
    func connectionOpened() -> Int {
        state.withLock { state in
            state.connections += 1
            return state.connections
        }
    }

    func exchangeBegan() { state.withLock { $0.exchanges += 1 } }

    func exchangeEnded() {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.exchanges -= 1
            return state.exchanges == 0 ? state.waiter.take() : nil
        }
        waiter?.resume()
    }

    /// Returns when no exchange is in flight any more.
    func drain() async {
        isDrainingFlag.store(true, ordering: .relaxed)
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.exchanges > 0 { state.waiter = continuation }
                return state.exchanges == 0
            }
            if isIdle { continuation.resume() }
        }
    }
}

import SparringLocks

/// Counts what is in flight over all listeners, so that stopping can wait for it.
final class Flow: Sendable {
    private struct State {
        var exchanges = 0
        var suspended = 0
        var sockets = 0
        var connections = 0
        var isClosed = false
        /// The number of a stop's steps on the loop that have ended.
        var ends = 0
        /// The next wait that may be hurried is not begun.
        var isHurried = false
        var waits = 0
        var waiter: Waiter?
        /// The last wait whose time was over before it had begun.
        var missed = 0
    }

    private struct Waiter {
        let number: Int
        let mayBeHurried: Bool
        let isMet: @Sendable (State) -> Bool
        let continuation: CheckedContinuation<Bool, Never>
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

    func exchangeEnded() { change { $0.exchanges -= 1 } }

    /// Asked before a connection is suspended.
    ///
    /// - Returns: false when the server has closed: libmicrohttpd must not be stopped over a suspended connection.
    func maySuspend() -> Bool {
        state.withLock { state in
            if !state.isClosed { state.suspended += 1 }
            return !state.isClosed
        }
    }

    /// A connection that was suspended is not any more.
    func resumed() { change { $0.suspended -= 1 } }

    /// A connection is about to be upgraded. Call this before ``resumed()`` of the same exchange, so that ``close()`` cannot pass between.
    func socketBegan() { state.withLock { $0.sockets += 1 } }

    var hasSockets: Bool { state.withLock { $0.sockets > 0 } }

    /// libmicrohttpd has taken an upgraded connection back, or the upgrade did not come about.
    func socketEnded() { change { $0.sockets -= 1 } }

    func startDraining() { isDrainingFlag.store(true, ordering: .relaxed) }

    /// Returns when no exchange is in flight and no socket open any more, after `limit`, or on ``hurry()``.
    ///
    /// - Returns: whether none is.
    func becomesIdle(within limit: Duration) async -> Bool {
        await wait(limit, mayBeHurried: true) { $0.exchanges == 0 && $0.sockets == 0 }
    }

    /// Ends the ``becomesIdle(within:)`` that is under way, else the next one.
    func hurry() {
        let waiter = state.withLock { state -> Waiter? in
            if state.waiter?.mayBeHurried == true { return state.waiter.take() }
            state.isHurried = true
            return nil
        }
        waiter?.continuation.resume(returning: false)
    }

    /// Returns when no connection is suspended, upgraded ones included, or after `limit`.
    ///
    /// - Returns: whether none is. From then on none can be.
    func close(within limit: Duration) async -> Bool {
        let isStill: @Sendable (State) -> Bool = { $0.suspended == 0 && $0.sockets == 0 }
        let deadline = ContinuousClock.now + limit
        // Somebody may be suspended between a wait and its end; then it is waited for again.
        while await wait(deadline - .now, until: isStill) {
            let isClosed = state.withLock { state in
                state.isClosed = isStill(state)
                return state.isClosed
            }
            if isClosed { return true }
        }
        return false
    }

    /// A part of the server has ended.
    func partEnded() { change { $0.ends += 1 } }

    /// - Returns: whether so many parts have ended, within `limit`.
    func partsEnd(_ count: Int, within limit: Duration) async -> Bool { await wait(limit) { $0.ends >= count } }

    private func change(_ change: (inout State) -> Void) {
        let waiter = state.withLock { state -> Waiter? in
            change(&state)
            return state.waiter.map { $0.isMet(state) } == true ? state.waiter.take() : nil
        }
        waiter?.continuation.resume(returning: true)
    }

    /// One wait at a time.
    private func wait(_ limit: Duration, mayBeHurried: Bool = false, until isMet: @escaping @Sendable (State) -> Bool) async -> Bool {
        let number = state.withLock { state in
            state.waits += 1
            return state.waits
        }
        let timer = Task {
            try await Task.sleep(for: limit)
            giveUp(number)
        }
        defer { timer.cancel() }
        return await withCheckedContinuation { continuation in
            let result: Bool? = state.withLock { state in
                let isHurried = mayBeHurried && state.isHurried
                if mayBeHurried { state.isHurried = false }
                if isMet(state) { return true }
                if isHurried || state.missed == number { return false }
                state.waiter = Waiter(number: number, mayBeHurried: mayBeHurried, isMet: isMet, continuation: continuation)
                return nil
            }
            if let result { continuation.resume(returning: result) }
        }
    }

    private func giveUp(_ number: Int) {
        let waiter = state.withLock { state in
            if state.waiter?.number == number { return state.waiter.take() }
            state.missed = number
            return nil
        }
        waiter?.continuation.resume(returning: false)
    }
}

import SparringLocks

/// Those who wait for something to be committed to a journal.
package final class JournalWaits: Sendable {
    /// The outcome of a wait.
    package enum End<Value: Sendable>: Sendable {
        case found(Value)
        case timedOut
        /// The caller left.
        case abandoned
        /// The sandbox was deleted or reset, or the server stops.
        case released
        /// So many wait already that one more would slow everybody down.
        case refused
    }

    /// Each of them reads after each commit.
    package static let limit = 256

    private struct State {
        var waiters: [Int: Waiter] = [:]
        var last = 0
        var isEnded = false
    }

    private struct Waiter {
        /// Nil while the waiter looks.
        var continuation: CheckedContinuation<Void, Never>?
        /// Something has been committed since it began to look, or its wait is over.
        var isWoken = false
        var end: Ending?
    }

    private enum Ending { case timedOut, abandoned }

    private let state = Mutex(State())

    /// Calls `check` now and after each commit until it returns a value, or the wait ends otherwise.
    ///
    /// - Parameter onHangUp: has something called when the caller leaves.
    package func wait<Value: Sendable>(
        for timeout: Duration, onHangUp: (@escaping @Sendable () -> Void) -> Void = { _ in }, until check: () async throws -> Value?
    ) async throws -> End<Value> {
        let ticket = state.withLock { state -> Int? in
            guard state.waiters.count < Self.limit else { return nil }
            state.last += 1
            state.waiters[state.last] = Waiter()
            return state.last
        }
        guard let ticket else { return .refused }
        defer { state.withLock { $0.waiters[ticket] = nil } }
        onHangUp { [weak self] in self?.end(ticket, .abandoned) }
        let timer = Task { [weak self] in
            try await Task.sleep(for: timeout)
            self?.end(ticket, .timedOut)
        }
        defer { timer.cancel() }
        return try await withTaskCancellationHandler {
            while true {
                if let value = try await check() { return .found(value) }
                switch await next(ticket) {
                case .some(.timedOut): return .timedOut
                case .some(.abandoned): return .abandoned
                case nil: if state.withLock({ $0.isEnded }) { return .released }
                }
            }
        } onCancel: {
            end(ticket, .abandoned)
        }
    }

    package var count: Int { state.withLock { $0.waiters.count } }

    /// One more would be refused.
    package var areFull: Bool { count >= Self.limit }

    /// Something was committed.
    func wake() {
        let woken = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            guard !state.waiters.isEmpty else { return [] }
            return state.waiters.keys.compactMap { Self.wake($0, &state) }
        }
        for continuation in woken { continuation.resume() }
    }

    /// Ends all waits, those to come included.
    package func end() {
        state.withLock { $0.isEnded = true }
        wake()
    }

    /// Returns when something has been committed since the last call, or the wait is over.
    private func next(_ ticket: Int) async -> Ending? {
        await withCheckedContinuation { continuation in
            let isDue = state.withLock { state in
                let isDue = state.isEnded || state.waiters[ticket]?.isWoken != false
                if isDue { state.waiters[ticket]?.isWoken = false } else { state.waiters[ticket]?.continuation = continuation }
                return isDue
            }
            if isDue { continuation.resume() }
        }
        return state.withLock { $0.waiters[ticket]?.end }
    }

    private func end(_ ticket: Int, _ ending: Ending) {
        let continuation = state.withLock { state in
            if state.waiters[ticket]?.end == nil { state.waiters[ticket]?.end = ending }
            return Self.wake(ticket, &state)
        }
        continuation?.resume()
    }

    private static func wake(_ ticket: Int, _ state: inout State) -> CheckedContinuation<Void, Never>? {
        guard let continuation = state.waiters[ticket]?.continuation.take() else {
            state.waiters[ticket]?.isWoken = true
            return nil
        }
        return continuation
    }
}

import SparringLocks

/// The exchanges that wait for somebody who may never come. When the server stops it ends their waits itself.
final class Sleepers: Sendable {
    private struct State {
        var exchanges: [ObjectIdentifier: Exchange] = [:]
        var areReleased = false
    }

    private let state = Mutex(State())

    var areReleased: Bool { state.withLock { $0.areReleased } }

    /// - Returns: false when the server has stopped waiting.
    func add(_ exchange: Exchange) -> Bool {
        state.withLock { state in
            if !state.areReleased { state.exchanges[ObjectIdentifier(exchange)] = exchange }
            return !state.areReleased
        }
    }

    func remove(_ exchange: Exchange) { state.withLock { _ = $0.exchanges.removeValue(forKey: ObjectIdentifier(exchange)) } }

    /// Ends all waits; no further ones begin.
    func release(_ end: (Exchange) -> Void) {
        let exchanges = state.withLock { state in
            state.areReleased = true
            return state.exchanges.values.map { $0 }
        }
        for exchange in exchanges { end(exchange) }
    }
}

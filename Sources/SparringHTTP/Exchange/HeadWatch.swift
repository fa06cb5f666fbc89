import SparringJournal
import SparringLocks
import SparringLoop

/// Looks after the connections of a server from time to time, so that none keeps a place that it does not use: see
/// ``ClientConnection/look(now:limit:)``.
final class HeadWatch: Sendable {
    private struct State {
        var connections: [Int: ClientConnection] = [:]
        /// A look is due.
        var isAwake = false
    }

    private let loop: Loop
    private let state = Mutex(State())
    /// In nanoseconds.
    private let limit: Int64

    /// - Parameter limit: how long a client may take to send a head.
    init(limit: Duration, on loop: Loop) {
        self.loop = loop
        self.limit = Int64(min(limit / .nanoseconds(1), 1e18))
    }

    func add(_ connection: ClientConnection) {
        let wasAwake = state.withLock { state in
            state.connections[connection.number] = connection
            defer { state.isAwake = true }
            return state.isAwake
        }
        if !wasAwake { wait() }
    }

    func remove(_ connection: ClientConnection) { state.withLock { _ = $0.connections.removeValue(forKey: connection.number) } }

    /// The requests of a listener that libmicrohttpd has not read to their ends.
    func unread(of listener: Listener) -> [Exchange] {
        state.withLock { Array($0.connections.values) }.compactMap(\.exchange).filter { $0.listener === listener && $0.isUnread }
    }

    private func wait() {
        loop.after(.milliseconds(min(max(limit / 8_000_000, 5), 250))) { [weak self] in self?.look() }
    }

    private func look() {
        let connections = state.withLock { state in
            state.isAwake = !state.connections.isEmpty
            return Array(state.connections.values)
        }
        let now = Arrival.now.monotonic
        for connection in connections { connection.look(now: now, limit: limit) }
        if !connections.isEmpty { wait() }
    }
}

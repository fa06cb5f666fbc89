import SparringJournal
import SparringLoop

/// Looks after the connections of a server from time to time, so that none keeps a place that it does not use: see
/// ``ClientConnection/look(now:limit:)``. All of it belongs to the loop's thread.
final class HeadWatch {
    private let loop: Loop
    /// In nanoseconds.
    private let limit: Int64
    private var connections: [Int: ClientConnection] = [:]
    /// A look is due.
    private var isAwake = false

    /// - Parameter limit: how long a client may take to send a head.
    init(limit: Duration, on loop: Loop) {
        self.loop = loop
        self.limit = Int64(min(limit / .nanoseconds(1), 1e18))
    }

    func add(_ connection: ClientConnection) {
        connections[connection.number] = connection
        if !isAwake { wait() }
    }

    func remove(_ connection: ClientConnection) { connections[connection.number] = nil }

    /// The requests of a listener that libmicrohttpd has not read to their ends.
    func unread(of listener: Listener) -> [Exchange] {
        connections.values.compactMap(\.exchange).filter { $0.listener === listener && $0.isUnread }
    }

    private func wait() {
        isAwake = true
        loop.after(.milliseconds(min(max(limit / 8_000_000, 5), 250))) { [weak self] in self?.look() }
    }

    private func look() {
        isAwake = false
        let now = Arrival.monotonicNow
        for connection in connections.values { connection.look(now: now, limit: limit) }
        if !connections.isEmpty { wait() }
    }
}

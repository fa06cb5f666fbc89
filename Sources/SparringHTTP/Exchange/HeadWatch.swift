internal import CMicrohttpd
import Glibc
import SparringJournal
import SparringLocks

/// Looks after the connections of a server from time to time, so that none keeps a place that it does not use: see
/// ``ClientConnection/look(now:limit:)``. One thread, asleep while there are none.
final class HeadWatch: Sendable {
    private struct State {
        var connections: [Int: ClientConnection] = [:]
        /// The thread waits for a connection to come.
        var isAsleep = false
        var isStopped = false
    }

    private let state = Mutex(State())
    /// In nanoseconds.
    private let limit: Int64
    /// Becomes readable when the thread is to look before its time.
    private let wake: Int32

    /// - Parameter limit: how long a client may take to send a head.
    init(limit: Duration) throws(HTTPServerError) {
        self.limit = Int64(min(limit / .nanoseconds(1), 1e18))
        wake = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        guard wake >= 0 else { throw .system("eventfd", errno) }
    }

    deinit { close(wake) }

    /// Runs until ``stop()``.
    func start() { startThread { [self] in run() } }

    func add(_ connection: ClientConnection) {
        let wasAsleep = state.withLock { state in
            state.connections[connection.number] = connection
            defer { state.isAsleep = false }
            return state.isAsleep
        }
        if wasAsleep { _ = eventfd_write(wake, 1) }
    }

    func remove(_ connection: ClientConnection) { state.withLock { _ = $0.connections.removeValue(forKey: connection.number) } }

    /// Ends the thread.
    func stop() {
        state.withLock { $0.isStopped = true }
        _ = eventfd_write(wake, 1)
    }

    private func run() {
        let interval = Int32(min(max(limit / 8_000_000, 5), 250))  // milliseconds
        var wasEmpty = false
        while true {
            let (connections, isAsleep, isStopped) = state.withLock { state in
                // Where connections come one after the other, the thread does not sleep between two of them.
                state.isAsleep = wasEmpty && state.connections.isEmpty
                return (Array(state.connections.values), state.isAsleep, state.isStopped)
            }
            if isStopped { return }
            wasEmpty = connections.isEmpty
            let now = Arrival.now.monotonic
            for connection in connections { connection.look(now: now, limit: limit) }
            var waiting = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
            poll(&waiting, 1, isAsleep ? -1 : interval)
            var count: eventfd_t = 0
            eventfd_read(wake, &count)
        }
    }
}

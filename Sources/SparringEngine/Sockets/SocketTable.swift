import SparringLocks

/// The open sockets of a sandbox.
final class SocketTable: Sendable {
    private struct State {
        var open: [Int: Socket] = [:]
        var last = 0
    }
    private let state = Mutex(State())

    func nextNumber() -> Int {
        state.withLock { state in
            state.last += 1
            return state.last
        }
    }

    func add(_ socket: Socket) { state.withLock { $0.open[socket.number] = socket } }
    func remove(_ socket: Socket) { state.withLock { _ = $0.open.removeValue(forKey: socket.number) } }
    subscript(_ number: Int) -> Socket? { state.withLock { $0.open[number] } }

    /// In the order of opening.
    var all: [Socket] { state.withLock { $0.open.values.sorted { $0.number < $1.number } } }
}

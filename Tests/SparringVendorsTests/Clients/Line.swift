import SparringJSON
import SparringLocks
import Support

/// A client's socket, from which is read what has come, without waiting for more.
protocol Line: Sendable {
    func send(_ message: JSON)
    /// - Parameter isSettled: waits until what the server has handed to the socket is here.
    func arrived(isSettled: Bool) async throws -> [SocketClient.Event]
    /// In order.
    func close()
    /// Lets go of a connection on which nothing comes any more.
    func drop()
}

/// In the pipeline: what the server has sent is there.
struct MemoryLine: Line {
    let socket: MemorySocket

    func send(_ message: JSON) { socket.sendText(message.text) }

    func arrived(isSettled: Bool) async throws -> [SocketClient.Event] {
        var events: [SocketClient.Event] = []
        while try await !socket.unread().isEmpty { events.append(try await socket.next()) }
        return events
    }

    func close() { socket.close(1000) }
    func drop() { socket.close(1006) }
}

/// On the wire.
final class WireLine: Line {
    private struct State {
        var arrived: [SocketClient.Event] = []
        var pongs = 0
        var isOver = false
    }

    private let socket: SocketClient
    private let state: Mutex<State>

    init(_ socket: SocketClient) {
        self.socket = socket
        state = Mutex(State())
        Task { [self] in await read() }
    }

    private func read() async {
        while !state.withLock({ $0.isOver }) {
            let event = (try? await socket.next()) ?? .ended(.closed)
            state.withLock { state in
                switch event {
                case .pong: state.pongs += 1
                case .ended(.timedOut): break
                case .message, .text: state.arrived.append(event)
                case .closed, .ended:
                    state.arrived.append(event)
                    state.isOver = true
                }
            }
        }
    }

    func send(_ message: JSON) { socket.send(message) }

    func arrived(isSettled: Bool) async throws -> [SocketClient.Event] {
        if isSettled {
            let pongs = state.withLock { $0.pongs }
            socket.ping()
            // On a dead socket no pong comes, and nothing else.
            let limit = ContinuousClock.now + .milliseconds(200)
            while ContinuousClock.now < limit, state.withLock({ $0.pongs == pongs && !$0.isOver }) { try await ClientStage.glance() }
        }
        return state.withLock { state in
            defer { state.arrived = [] }
            return state.arrived
        }
    }

    func close() { socket.close() }

    func drop() {
        state.withLock { $0.isOver = true }
        socket.raw.reset()
    }
}

extension ClientStage {
    func open(_ target: String, headers: [(String, String)]) async throws -> any Line {
        let socket = try await server.open(target, headers: headers)
        if let memory = socket as? MemorySocket { return MemoryLine(socket: memory) }
        guard let wire = socket as? SocketClient else { throw Disturbed.closed }
        return WireLine(wire)
    }
}

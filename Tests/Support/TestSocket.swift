/// A client's socket, at either speed.
public protocol TestSocket: Sendable {
    func sendText(_ text: String)
    func close(_ code: Int)
    /// The next thing that comes; throws where nothing does.
    func next() async throws -> SocketClient.Event
    /// The events that have come and were not read, once everything that was under way has.
    func unread() async throws -> [SocketClient.Event]
}

extension SocketClient: TestSocket {
    public func unread() async throws -> [Event] {
        _ = try await isAlive()
        var all: [Event] = []
        while let event = try await keptNext() { all.append(event) }
        return all
    }
}

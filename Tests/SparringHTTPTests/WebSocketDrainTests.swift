import SparringHTTP
import Support
import Testing

/// Stopping while WebSockets are open.
@Suite struct WebSocketDrainTests {
    private static func start(_ handler: ScriptedHandler) throws -> HTTPServer {
        var options = HTTPServer.Options()
        options.addresses = ["127.0.0.1"]
        return try HTTPServer(options, handler: handler)
    }

    @Test func `open sockets are closed with 1001, and their answers waited for`() async throws {
        let handler = ScriptedHandler.echoing()
        let server = try Self.start(handler)
        let client = try await RawClient.socket(server.port)
        async let stopped: Void = server.stop(grace: .seconds(60)) { handler.note("released") }
        #expect(try await client.frame().closing == "1001 going away")
        client.send(.close(1001))
        let (frames, end) = await client.rest()
        #expect(frames.isEmpty && end == .closed)
        await stopped
        #expect(handler.notes == ["opened", "closed by server: 1001 going away (clean)"])
    }

    enum Client: CaseIterable, Sendable {
        case silent, frozenServer, notReading, halfFrame, closing
    }

    @Test(arguments: Client.allCases) func `a client that does not answer is cut off when the grace is over`(client: Client) async throws {
        let handler = ScriptedHandler.echoing()
        let server = try Self.start(handler)
        let socket = try await RawClient.socket(server.port)
        switch client {
        case .silent: break
        case .frozenServer:
            socket.send(.text("!freeze"))
            try #require(await handler.waits(forNote: "frozen"))
        case .notReading: socket.send(.text("!flood 1000000 15"))
        case .halfFrame: socket.send([0x81])
        case .closing:
            socket.send(.text("!close 4000 first"))
            #expect(try await socket.frame().closing == "4000 first")
        }
        try #require(await handler.waits(forNote: "opened"))
        let took = await ContinuousClock().measure { await server.stop(grace: .milliseconds(300)) {} }
        #expect(took < .seconds(100), "well before the limit of the close handshake")
        #expect(await socket.rest().end != .timedOut)
        let told = handler.notes.filter { $0.hasPrefix("closed by server: ") }
        #expect(told.count == 1, "\(handler.notes)")
    }

    @Test func `an upgrade delivered while the server stops is closed at once`() async throws {
        let handler = ScriptedHandler { handler, exchange in handler.hold(exchange) }
        let server = try Self.start(handler)
        let client = try RawClient(port: server.port)
        client.send(RawClient.handshake())
        try #require(await handler.waits(forHandled: 1))
        await server.stop(grace: .milliseconds(50)) {
            handler.release(
                .upgrade(WebSocketUpgrade(opened: { _ in EchoSocket(notes: handler) }, failed: { _ in handler.note("failed") })))
        }
        let end = await client.read().end
        #expect(end == .closed || end == .reset)
        #expect(handler.completions.count == 1)
        #expect(
            handler.notes.count == 1 && (handler.notes[0] == "failed" || handler.notes[0].hasPrefix("closed by server")), "\(handler.notes)"
        )
    }

    @Test func `sockets that come and go do not hinder a stop at any moment`() async throws {
        for _ in 0..<20 {
            let handler = ScriptedHandler.echoing()
            let server = try Self.start(handler)
            let clients = try (0..<20).map { _ in try RawClient(port: server.port) }
            for (number, client) in clients.enumerated() {
                client.send(RawClient.handshake())
                client.send(.text("hello"), number % 3 == 0 ? .close(1000) : number % 3 == 1 ? .text("!reset") : .text("!abort"))
            }
            try #require(await handler.waits(forHandled: 1))
            await server.stop(grace: .seconds(5)) {}
            for client in clients { #expect(await client.read().end != .timedOut) }
            let opened = handler.notes.count { $0 == "opened" }
            let ended = handler.notes.count { $0.hasPrefix("closed by") }
            #expect(opened == ended)
        }
    }
}

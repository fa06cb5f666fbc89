import Dispatch
import SparringHTTP
import Support
import Testing

/// Stopping.
@Suite struct DrainTests {
    private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    private static func start(_ handler: ScriptedHandler) throws -> HTTPServer {
        var options = HTTPServer.Options()
        options.addresses = ["127.0.0.1"]
        options.idleTimeout = .seconds(600)
        return try HTTPServer(options, handler: handler)
    }

    private static let holding: @Sendable (ScriptedHandler, Exchange) -> Void = { handler, exchange in handler.hold(exchange) }

    /// How a connection is refused once none is taken any more.
    private static func refusal(_ port: Int) async -> String {
        await aside {
            let deadline = ContinuousClock.now + patience
            var last = "none"
            // One that comes just as the listening ends may be reset.
            while ContinuousClock.now < deadline, last != "Connection refused" {
                do { try RawClient(port: port).reset() } catch { last = "\(error)" }
            }
            return last
        }
    }

    @Test func `everything in flight is answered, and told that the connection ends`() async throws {
        let handler = ScriptedHandler(handle: Self.holding)
        let server = try Self.start(handler)
        let clients = try (0..<20).map { _ in try RawClient(port: server.port) }
        for client in clients { client.send(Self.get) }
        try #require(await handler.waits(forHandled: 20))
        async let stopped: Void = server.stop(grace: .seconds(60)) { handler.note("released") }
        #expect(await Self.refusal(server.port) == "Connection refused")
        handler.release()
        for client in clients {
            let answer = try await client.answer()
            #expect(answer.status == 200 && answer["Connection"]?.lowercased() == "close")
            #expect(await client.read().end == .closed)
        }
        await stopped
        #expect(handler.notes.isEmpty)
    }

    @Test func `what is stalled is released at the deadline`() async throws {
        let handler = ScriptedHandler(handle: Self.holding)
        let server = try Self.start(handler)
        let client = try RawClient(port: server.port)
        client.send(Self.get)
        try #require(await handler.waits(forHandled: 1))
        let took = await ContinuousClock().measure { await server.stop(grace: .milliseconds(300)) { handler.release() } }
        #expect(took >= .milliseconds(300) && took < .seconds(300), "at the deadline, well before the idle timeout")
        #expect(try await client.answer().status == 200)
    }

    @Test func `a stream is released at the deadline`() async throws {
        let stream = ResponseStream()
        let server = try Self.start(
            ScriptedHandler { _, exchange in exchange.deliver(.answer(Response(status: 200, body: .stream(stream)))) })
        let client = try RawClient(port: server.port)
        client.send(Self.get)
        stream.append("begun".utf8)
        #expect(await client.read { $0.firstRange(of: Array("begun".utf8)) != nil }.end == .met)
        await server.stop(grace: .milliseconds(50)) { stream.finish() }
        #expect(try await client.answer().text == "begun")
    }

    @Test(arguments: ["GET /half HTTP/1.1\r\nHost: a\r\n", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf"])
    func `a client that never ends its request does not hold the stop up`(half: String) async throws {
        let handler = ScriptedHandler()
        let server = try Self.start(handler)
        let client = try RawClient(port: server.port)
        client.send(half)
        let other = try RawClient(port: server.port)
        other.send(Self.get)
        #expect(try await other.answer().status == 200)
        let took = await ContinuousClock().measure { await server.stop(grace: .milliseconds(50)) {} }
        #expect(took < .seconds(300), "well before the idle timeout")
        let end = await client.read().end
        #expect(end == .closed || end == .reset)
    }

    @Test func `a client that never reads its answer does not hold the stop up`() async throws {
        let handler = ScriptedHandler { _, exchange in
            exchange.deliver(.answer(Response(status: 200, body: .bytes([UInt8](repeating: 1, count: 50_000_000)))))
        }
        let server = try Self.start(handler)
        let client = try RawClient(port: server.port)
        client.send(Self.get)
        try #require(await handler.waits(forHandled: 1))
        let took = await ContinuousClock().measure { await server.stop(grace: .milliseconds(50)) {} }
        #expect(took < .seconds(300), "well before the idle timeout")
        #expect(handler.completions == ["the server stopped"])
    }

    @Test func `connections that are idle are closed, and a busy one may stop the server at any moment`() async throws {
        for _ in 0..<20 {
            let handler = ScriptedHandler { _, exchange in
                // Answered by another thread, so that requests are suspended when the server closes.
                DispatchQueue.global().async { exchange.echo() }
            }
            let server = try Self.start(handler)
            let idle = try RawClient(port: server.port)
            let busy = try RawClient(port: server.port)
            busy.send(String(repeating: Self.get, count: 200))
            #expect(try await busy.answer().status == 200)
            await server.stop(grace: .seconds(5)) {}
            #expect(await idle.read().end == .closed)
            let end = await busy.read().end
            #expect(end == .closed || end == .reset)
        }
    }
}

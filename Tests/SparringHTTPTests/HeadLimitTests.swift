import Dispatch
import SparringHTTP
import Support
import Testing

/// Connections that take a place and bring no request.
@Suite struct HeadLimitTests {
    private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    /// A server whose idle timeout does not come into it.
    private static func run(
        _ handler: ScriptedHandler = ScriptedHandler(), places: Int = 1000, headTimeout: Duration = .seconds(600),
        _ body: (HTTPServer) async throws -> Void
    ) async throws {
        try await withServer(
            handler,
            configure: {
                $0.addresses = ["127.0.0.1"]
                $0.connectionLimit = places
                $0.idleTimeout = .seconds(600)
                $0.headTimeout = headTimeout
            }, body)
    }

    @Test(arguments: [
        ("GET /half", nil), ("GET /half HTTP/1.1\r\nHost: a\r\n", "the client closed the connection"),
        ("POST /half HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf", "the client closed the connection"),
    ])
    func `a client that leaves in the middle of its request leaves its place to others`(half: String, reason: String?) async throws {
        let handler = ScriptedHandler()
        try await Self.run(handler, places: 4) { server in
            #expect(server.connectionLimit == 4)
            // Of most of them the FIN is there when their bytes are read, as the places were taken when they came.
            for _ in 0..<12 {
                let client = try RawClient(port: server.port)
                client.send(half)
                client.close()
            }
            let client = try RawClient(port: server.port)
            client.send(Self.get)
            #expect(try await client.answer().status == 200)
            guard let reason else { return #expect(handler.rejected.isEmpty && handler.heads.count == 1) }
            let told = await handler.waits {
                $0.count {
                    switch $0 {
                    case .rejected("/half", reason), .completed("/half", reason): true
                    default: false
                    }
                } == 12
            }
            #expect(told, "\(handler.rejected) \(handler.completions)")
        }
    }

    @Test(arguments: ["", get]) func `a head that trickles in is cut off when its time is over`(before: String) async throws {
        let handler = ScriptedHandler()
        try await Self.run(handler, headTimeout: .milliseconds(400)) { server in
            let client = try RawClient(port: server.port)
            if !before.isEmpty {
                client.send(before)
                #expect(try await client.answer().status == 200)
            }
            client.send("GET /slow HTTP/1.1\r\nX-Long: ")
            let end = await aside { () -> RawClient.End in
                for _ in 0..<3000 {
                    client.send("x")
                    let end = client.readBlocking(.milliseconds(20)).end
                    if end != .timedOut { return end }
                }
                return .timedOut
            }
            #expect(end == .closed || end == .reset)
            #expect(await handler.waits { $0.contains { if case .rejected("/slow", _) = $0 { true } else { false } } })
            #expect(handler.rejected.first?.reason == "the head was not whole within 0.4 seconds")
        }
    }

    @Test func `a first line that trickles in on a connection that is kept is cut off too`() async throws {
        try await Self.run(headTimeout: .milliseconds(400)) { server in
            let client = try RawClient(port: server.port)
            client.send(Self.get)
            #expect(try await client.answer().status == 200)
            let end = await aside { () -> RawClient.End in
                for _ in 0..<3000 {
                    client.send("x")
                    let end = client.readBlocking(.milliseconds(20)).end
                    if end != .timedOut { return end }
                }
                return .timedOut
            }
            #expect(end == .closed || end == .reset)
        }
    }

    @Test(arguments: Wire.allCases) func `a client that says nothing is not waited for longer than for a head`(wire: Wire) async throws {
        let handler = ScriptedHandler()
        try await Wire.withServer(handler, configure: { $0.headTimeout = .milliseconds(200) }) { server in
            // Over TLS not even a handshake.
            let port = wire == .plain ? server.port : try #require(server.tlsPort)
            let (bytes, end) = try await RawClient(port: port).read()
            #expect(bytes.isEmpty && end == .closed)
            #expect(handler.events.isEmpty)
        }
    }

    @Test func `neither a connection between two requests nor an exchange that waits is cut off`() async throws {
        let handler = ScriptedHandler { handler, exchange in
            if exchange.request.head.target == "/held" { handler.hold(exchange) } else { exchange.echo() }
        }
        try await Self.run(handler, headTimeout: .milliseconds(100)) { server in
            let kept = try RawClient(port: server.port)
            kept.send(Self.get)
            #expect(try await kept.answer().status == 200)
            let waiting = try RawClient(port: server.port)
            waiting.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
            try #require(await handler.waits(forKept: 1))
            // Four connections, one after the other, are cut off meanwhile.
            for _ in 0..<4 { #expect(try await RawClient(port: server.port).read().end == .closed) }
            handler.release()
            #expect(try await waiting.answer().status == 200)
            kept.send(Self.get)
            #expect(try await kept.answer().status == 200)
        }
    }

    @Test(arguments: [
        (get, 1), (get + get, 2), ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello", 1),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", 1),
    ])
    func `a client that closes its side behind its request is answered`(requests: String, count: Int) async throws {
        let handler = ScriptedHandler { handler, exchange in
            // Later, and from another thread, so that the FIN is there before the answer.
            handler.hold(exchange)
        }
        try await Self.run(handler) { server in
            // To its oldest connection libmicrohttpd is kinder.
            let older = try RawClient(port: server.port)
            let client = try RawClient(port: server.port)
            client.send(requests)
            client.finishSending()
            for number in 1...count {
                try #require(await handler.waits(forKept: number))
                handler.release()
                #expect(try await client.answer().status == 200)
            }
            #expect(await client.read().end == .closed)
            #expect(await handler.waits(forCompleted: count))
            #expect(handler.completions == Array(repeating: nil, count: count))
            #expect(older.isUp)
        }
    }

    @Test func `that all places are taken is reported once, and again when it happens again`() async throws {
        let handler = ScriptedHandler()
        try await Self.run(handler, places: 32) { server in
            for _ in 1...2 {
                let before = handler.notes.count
                // The first 32 take the places.
                let clients = try (0..<34).map { _ in try RawClient(port: server.port) }
                #expect(await handler.waits(forNotes: before + 1) { $0 == "full at 32" })
                #expect(handler.notes.count == before + 1)
                for client in clients { client.close() }
                let last = try RawClient(port: server.port)
                last.send(Self.get)
                #expect(try await last.answer().status == 200)
            }
        }
    }
}

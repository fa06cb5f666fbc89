import SparringHTTP
import Support
import Testing

/// Bodies that are made while they are sent.
@Suite struct StreamTests {
    /// A handler that answers with this stream.
    private static func handler(_ stream: ResponseStream) -> ScriptedHandler {
        ScriptedHandler { handler, exchange in
            stream.onCancel { handler.note("cancelled") }
            exchange.deliver(.answer(Response(status: 200, body: .stream(stream))))
        }
    }

    @Test func `what is appended arrives chunk by chunk while the body goes on`() async throws {
        let stream = ResponseStream()
        let handler = Self.handler(stream)
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            for piece in ["first", "second", "third"] {
                stream.append(piece.utf8)
                #expect(await client.read { $0.firstRange(of: Array(piece.utf8)) != nil }.end == .met)
            }
            stream.finish()
            let answer = try await client.answer()
            #expect(answer.text == "firstsecondthird" && answer.chunks == [5, 6, 5])
            #expect(await handler.waits(forCompleted: 1))
            #expect(handler.notes.isEmpty)
            #expect(handler.completions == [nil])
        }
    }

    @Test func `a stream that was finished before goes out whole, and the connection is kept`() async throws {
        let body = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) }
        let handler = ScriptedHandler { _, exchange in
            let stream = ResponseStream()
            stream.append(body)
            stream.finish()
            stream.append([1, 2, 3])
            exchange.deliver(.answer(Response(status: 200, body: .stream(stream))))
        }
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            for _ in 0..<3 {
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try await client.answer().body == body)
            }
        }
    }

    @Test func `to HTTP 1.0 a stream goes without chunks`() async throws {
        let stream = ResponseStream()
        try await withServer(Self.handler(stream)) { server in
            let client = try RawClient(port: server.port)
            client.send("GET / HTTP/1.0\r\n\r\n")
            stream.append("one".utf8)
            stream.append("two".utf8)
            stream.finish()
            let answer = try await client.answer()
            #expect(answer.text == "onetwo" && answer.chunks.isEmpty)
        }
    }

    @Test(arguments: WaitTests.Leaving.allCases)
    func `a client that leaves a stream is noticed though nothing is sent`(leaving: WaitTests.Leaving) async throws {
        let stream = ResponseStream()
        let handler = Self.handler(stream)
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            stream.append("first".utf8)
            #expect(await client.read { $0.firstRange(of: Array("first".utf8)) != nil }.end == .met)
            switch leaving {
            case .close: client.close()
            case .reset: client.reset()
            }
            #expect(await handler.waits(forNote: "cancelled"))
            #expect(await handler.waits(forCompleted: 1))
            stream.append("nobody reads this".utf8)
            stream.finish()
        }
    }

    @Test func `a client that leaves while much is under way is noticed`() async throws {
        let stream = ResponseStream()
        let handler = Self.handler(stream)
        stream.append([UInt8](repeating: 1, count: 50_000_000))
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(await client.read { $0.count > 1000 }.end == .met)
            client.reset()
            #expect(await handler.waits(forNote: "cancelled"))
        }
    }

    @Test func `HEAD cancels the stream`() async throws {
        let handler = Self.handler(ResponseStream())
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await client.answer(toHead: true).status == 200)
            #expect(await handler.waits(forNote: "cancelled"))
        }
    }
}

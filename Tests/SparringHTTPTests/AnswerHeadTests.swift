import Dispatch
import HTTPTypes
import SparringHTTP
import Support
import Testing

/// Heads that libmicrohttpd has no room for, or does not take.
@Suite struct AnswerHeadTests {
    private static let big = HTTPField.Name("X-Big")!

    /// Answers with a header field of as many bytes as the target says.
    private static func answering() -> ScriptedHandler {
        .delivering { request in
            let size = Int(request.head.target.dropFirst()) ?? 0
            return .answer(Response(status: 200, headers: [big: String(repeating: "b", count: size)], body: .bytes(Array("body".utf8))))
        }
    }

    /// A head of so many bytes.
    private static func request(_ method: String = "GET", answer: Int, bytes: Int = 0) -> String {
        let start = "\(method) /\(answer) HTTP/1.1\r\nHost: a\r\n"
        let padding = bytes - start.utf8.count - 13
        return start + (padding > 0 ? "X-Pad: \(String(repeating: "p", count: padding))\r\n" : "") + "\r\n"
    }

    @Test(arguments: [(16_000, 0), (14_000, 1000), (1000, 14_000)])
    func `an answer's head may take what the request's has left`(answer: Int, request: Int) async throws {
        try await withServer(Self.answering()) { server in
            let client = try RawClient(port: server.port)
            for _ in 0..<2 {
                client.send(Self.request(answer: answer, bytes: request))
                let received = try await client.answer()
                #expect(received.status == 200 && received["X-Big"]?.count == answer && received.text == "body")
            }
        }
    }

    @Test(arguments: [(20_000, 0), (16_384, 0), (10_000, 14_000)], Wire.allCases)
    func `an answer whose head does not fit is 500, and told`(size: (answer: Int, request: Int), wire: Wire) async throws {
        let handler = Self.answering()
        try await Wire.withServer(handler) { server in
            let client = try await wire.connect(server)
            await client.write(Self.request(answer: size.answer, bytes: size.request))
            let answer = try await client.answer()
            #expect(answer.status == 500 && answer["Content-Type"] == "application/problem+json")
            #expect(answer["Connection"] == "close" && answer["Date"] != nil)
            let words =
                "the answer's header fields, \(size.answer + 9) bytes, do not fit into the 16384 bytes that the heads of request and answer"
                + " share"
            #expect(
                answer.text == #"{"type":"about:blank","title":"Internal Server Error","status":500,"detail":"\#(words)"}"#)
            #expect(await client.read().end == .closed)
            #expect(await handler.waits(forNote: "answered 500 instead: " + words))
            #expect(await handler.waits(forCompleted: 1))
            #expect(handler.completions == ["answered 500 instead: " + words])
        }
    }

    @Test func `to HEAD such a 500 has no body`() async throws {
        try await withServer(Self.answering()) { server in
            let client = try RawClient(port: server.port)
            client.send(Self.request("HEAD", answer: 20_000))
            #expect(try await client.answer(toHead: true).status == 500)
            let (bytes, end) = await client.read()
            #expect(bytes.isEmpty && end == .closed)
        }
    }

    @Test func `an upgrade whose head does not fit fails`() async throws {
        let handler = ScriptedHandler { handler, exchange in
            let upgrade = WebSocketUpgrade(
                headers: [Self.big: String(repeating: "b", count: 20_000)], opened: { _ in EchoSocket(notes: handler) },
                failed: { handler.note($0) })
            exchange.deliver(.upgrade(upgrade))
        }
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            client.send(RawClient.handshake())
            #expect(try await client.answer().status == 500)
            #expect(await handler.waits(forNotes: 1) { $0.hasPrefix("answered 500 instead: the answer's header fields, 20009 bytes") })
            #expect(await handler.waits(forCompleted: 1))
        }
    }

    @Test func `an empty header field is sent, and length and coding are not the handler's`() async throws {
        let headers: HTTPFields = [Self.big: "", .contentLength: "77", .transferEncoding: "gzip", .connection: "keep-alive"]
        try await withServer(.delivering { _ in .answer(Response(status: 200, headers: headers, body: .bytes([1, 2]))) }) { server in
            let client = try RawClient(port: server.port)
            for _ in 0..<2 {
                client.send(Self.request(answer: 0))
                let answer = try await client.answer()
                #expect(answer["X-Big"] == "" && answer["Content-Length"] == "2" && answer["Transfer-Encoding"] == nil)
                #expect(answer.body == [1, 2])
            }
        }
    }

    @Test(arguments: [-1, 42, 1000]) func `an answer with an impossible status is 500, and told`(status: Int) async throws {
        let handler = ScriptedHandler.delivering { _ in .answer(Response(status: status)) }
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            client.send(Self.request(answer: 0))
            let answer = try await client.answer()
            #expect(answer.status == 500 && answer.text.contains("an answer with the status \(status) cannot be sent"))
            #expect(await handler.waits(forNote: "an answer with the status \(status) cannot be sent"))
        }
    }

    /// libmicrohttpd forgets to end such a request.
    @Test(arguments: Wire.allCases)
    func `a Cookie of more pairs than there is room for is refused, and holds no stop up`(wire: Wire) async throws {
        let handler = ScriptedHandler()
        let server = try Wire.start(handler)
        let client = try await wire.connect(server)
        let cookie = Array(repeating: "a=1", count: 300).joined(separator: ";")
        await client.write("GET /cookies HTTP/1.1\r\nHost: a\r\nCookie: \(cookie)\r\n\r\n")
        if wire == .plain { #expect(try await client.answer().status == 431) }
        #expect(await client.read().end == .closed)
        #expect(await handler.waits { $0.contains { if case .rejected = $0 { true } else { false } } })
        #expect(handler.rejected.map(\.target) == ["/cookies"] && handler.rejected[0].reason.hasPrefix("431: "))
        await server.stop(grace: .seconds(300)) { handler.note("released") }
        #expect(handler.notes.isEmpty)
    }

    @Test func `a request that libmicrohttpd refuses is reported as its own, whichever connections close at the same time`() async throws {
        let (blocked, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let handler = ScriptedHandler(receive: { head in
            if head.target == "/block" {
                blocked.signal()
                mayGoOn.wait()
            }
            return .read(limit: 100)
        })
        try await withServer(handler) { server in
            // Connections whose requests are over, and one in the middle of its head.
            let kept = try (0..<4).map { _ in try RawClient(port: server.port) }
            for client in kept {
                client.send(Self.request(answer: 0))
                #expect(try await client.answer().status == 200)
            }
            let half = try RawClient(port: server.port)
            half.send("GET /half HTTP/1.1\r\nHost: a\r\n")
            let refused = try RawClient(port: server.port)
            // What follows happens to all of them in one turn of the listener's loop.
            let blocker = try RawClient(port: server.port)
            blocker.send("GET /block HTTP/1.1\r\nHost: a\r\n\r\n")
            await aside { blocked.wait() }
            for client in kept + [half] { client.close() }
            refused.send("GET /refused HTTP/1.1\r\nHost: a\r\nCookie: \(String(repeating: "a=b; ", count: 1000))\r\n\r\n")
            mayGoOn.signal()
            #expect(try await refused.answer().status == 431)
            #expect(await handler.waits { $0.count { if case .rejected = $0 { true } else { false } } == 2 })
            #expect(handler.rejected.first { $0.target == "/refused" }?.reason.hasPrefix("431: ") == true, "\(handler.rejected)")
        }
    }
}

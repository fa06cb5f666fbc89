import HTTPTypes
import SparringHTTP
import Support
import Testing

/// Answers that are cut off on their way out.
@Suite(.serialized) struct ResponsePhaseTests {
    static let get = "GET /one HTTP/1.1\r\nHost: a\r\n\r\n"
    static let body = "0123456789"

    struct Case: Sendable, CustomTestStringConvertible {
        var how: Transmission.Cut
        var at: Transmission.Point
        var wire: Wire
        var testDescription: String { "\(how) at \(at), \(wire)" }

        static let all = [Transmission.Cut.reset, .close, .stall, .malformedChunk].flatMap { how in
            [Transmission.Point.body(after: nil), .body(after: 0), .body(after: 3), .body(after: 9), .body(after: 99), .end].flatMap { at in
                Wire.allCases.map { Case(how: how, at: at, wire: $0) }
            }
        }

        var count: Int {
            switch at {
            case .body(let after): min(after ?? 5, 10)
            case .end: 10
            }
        }

        /// The bytes after the head.
        var rest: String {
            let sent = String(ResponsePhaseTests.body.prefix(count))
            guard how == .malformedChunk else { return sent }
            return (sent.isEmpty ? "" : "\(String(count, radix: 16, uppercase: true))\r\n\(sent)\r\n") + "no chunk size\r\n"
        }

        var words: String {
            let place = at == .end ? "the answer" : "\(count) of 10 bytes of the body"
            return switch how {
            case .reset: "reset after \(place)"
            case .close: "closed after \(place)"
            case .stall: "stalled after \(place) until the client left"
            case .malformedChunk: "closed with a malformed chunk after \(place)"
            }
        }
    }

    static func response(_ status: Int = 200, _ body: String = body) -> Response {
        Response(status: status, headers: [.contentType: "text/plain"], body: .bytes(Array(body.utf8)))
    }

    @Test(arguments: Case.all) func `the client gets exactly this much of the answer`(_ given: Case) async throws {
        let handler = ScriptedHandler.delivering { request in
            request.head.target == "/one"
                ? .disturbed(Self.response(), Transmission(cut: (given.how, given.at))) : .answer(Response(status: 204))
        }
        try await Wire.withServer(handler) { server in
            let client = try await given.wire.connect(server)
            // The second request is not answered: nothing of the connection is left for it.
            await client.write(Self.get + "GET /two HTTP/1.1\r\nHost: a\r\n\r\n")
            let answer: HalfAnswer
            if given.how == .stall {
                answer = HalfAnswer(await client.read(within: patience, until: HalfAnswer.has(given.rest)).bytes)
                let other = try await given.wire.connect(server)
                await other.write("GET /two HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try await other.answer().status == 204)
                #expect(await handler.waits(forNote: "sent"))
                #expect(client.isUp && handler.notes == ["sent"])
                client.close()
            } else {
                let (bytes, end) = await client.read()
                answer = HalfAnswer(bytes)
                #expect(end == (given.how == .reset ? .reset : .closed))
            }
            #expect(answer.rest == given.rest)
            #expect(answer.head.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.head.contains("Content-Type: text/plain\r\n"))
            #expect(answer.head.contains(given.how == .malformedChunk ? "Transfer-Encoding: chunked\r\n" : "Content-Length: 10\r\n"))
            #expect(!answer.head.contains("Connection:") && !answer.head.contains("HTTP/1.1 204"))
            #expect(await handler.waits(forNote: given.words))
        }
    }

    struct Bodiless: Sendable, CustomTestStringConvertible {
        var how: Transmission.Cut
        var method: String
        var status: Int
        var length: String?
        var body: String
        var testDescription: String { "\(how) of \(status) to \(method)" }

        static let all = [Transmission.Cut.reset, .close, .stall, .malformedChunk].flatMap { how in
            [
                Bodiless(how: how, method: "HEAD", status: 200, length: "10", body: ResponsePhaseTests.body),
                Bodiless(how: how, method: "GET", status: 204, length: nil, body: ""),
                Bodiless(how: how, method: "GET", status: 304, length: "0", body: ""),
                Bodiless(how: how, method: "GET", status: 304, length: "10", body: ResponsePhaseTests.body),
                Bodiless(how: how, method: "GET", status: 201, length: how == .malformedChunk ? nil : "0", body: ""),
            ]
        }
    }

    @Test(arguments: Bodiless.all, [Transmission.Point.body(after: nil), .end])
    func `an answer without a body is cut after its head, which is as ever`(_ given: Bodiless, at: Transmission.Point) async throws {
        let handler = ScriptedHandler.delivering { request in
            let response = Self.response(given.status, given.body)
            return request.head.target == "/one" ? .disturbed(response, Transmission(cut: (given.how, at))) : .answer(response)
        }
        try await Wire.withServer(handler) { server in
            let usual = try RawClient(port: server.port)
            usual.send("\(given.method) /two HTTP/1.1\r\nHost: a\r\n\r\n")
            let (expected, _) = await usual.read(within: patience) {
                !HalfAnswer($0).head.isEmpty && HalfAnswer($0).head.hasSuffix("\r\n\r\n")
            }
            for wire in Wire.allCases {
                let client = try await wire.connect(server)
                await client.write("\(given.method) /one HTTP/1.1\r\nHost: a\r\n\r\n")
                let rest = given.how == .malformedChunk ? "no chunk size\r\n" : ""
                let answer: HalfAnswer
                if given.how == .stall {
                    answer = HalfAnswer(await client.read(within: patience, until: HalfAnswer.has("")).bytes)
                    #expect(client.isUp)
                    client.close()
                } else {
                    let (bytes, end) = await client.read()
                    answer = HalfAnswer(bytes)
                    #expect(end == (given.how == .reset ? .reset : .closed))
                }
                #expect(answer.rest == rest)
                #expect(Self.dateless(answer.head) == Self.dateless(HalfAnswer(expected).head) || given.status == 201 && !rest.isEmpty)
                if let length = given.length {
                    #expect(answer.head.contains("Content-Length: \(length)\r\n"))
                } else {
                    #expect(!answer.head.contains("Content-Length"))
                }
            }
            #expect(await handler.waits(forCompleted: 3))
        }
    }

    /// The date has the form that libmicrohttpd gives it, and may be another second.
    private static func dateless(_ head: String) -> String {
        head.replacing(/Date: [A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT\r\n/, with: "Date\r\n")
    }

    @Test(arguments: Wire.allCases, [Transmission.Cut.reset, .close])
    func `a client that is slow gets all that was sent before the cut`(wire: Wire, how: Transmission.Cut) async throws {
        let body = (0..<8_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let handler = ScriptedHandler.delivering { request in
            if request.head.target != "/one" { return .answer(Response(status: 204)) }
            return .disturbed(Response(status: 200, body: .bytes(body)), Transmission(cut: (how, .body(after: 7_500_000))))
        }
        try await Wire.withServer(handler) { server in
            let client = try await wire.connect(server)
            await client.write(Self.get)
            // The kernel's buffers are full before the first byte is read.
            let other = try await wire.connect(server)
            await other.write("GET /two HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await other.answer().status == 204)
            let (bytes, end) = await client.read()
            let start = try #require(bytes.firstRange(of: Array("\r\n\r\n".utf8))).upperBound
            #expect(bytes.count - start == 7_500_000 && bytes[start...] == body[..<7_500_000])
            #expect(end == (how == .reset ? .reset : .closed))
        }
    }

    @Test func `to HTTP 1.0 a malformed chunk comes without chunks, and a kept connection is announced as ever`() async throws {
        let handler = ScriptedHandler.delivering { request in
            .disturbed(Self.response(), Transmission(cut: (request.head.target == "/chunk" ? .malformedChunk : .close, .end)))
        }
        try await withServer(handler) { server in
            let old = try RawClient(port: server.port)
            old.send("GET /chunk HTTP/1.0\r\n\r\n")
            #expect(HalfAnswer(await old.read().bytes).rest == Self.body + "no chunk size\r\n")
            let asking = try RawClient(port: server.port)
            asking.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(HalfAnswer(await asking.read().bytes).head.contains("Connection: close\r\n"))
        }
    }

    @Test func `under TLS a closure alert comes before the FIN, and none before an RST`() async throws {
        let handler = ScriptedHandler.delivering { request in
            .disturbed(Self.response(), Transmission(cut: (request.head.target == "/one" ? .close : .reset, .body(after: 3))))
        }
        try await Wire.withServer(handler) { server in
            for (target, hasAlert) in [("/one", true), ("/two", false)] {
                let client = try await TLSClient(port: server.tlsPort ?? 0)
                await client.write("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(HalfAnswer(await client.read().bytes).rest == "012")
                #expect(client.hasClosureAlert == hasAlert)
            }
        }
    }

    @Test func `a stream is sent undisturbed`() async throws {
        let handler = ScriptedHandler.delivering { _ in
            let stream = ResponseStream()
            stream.append("stream".utf8)
            stream.finish()
            return .disturbed(Response(status: 200, body: .stream(stream)), Transmission(cut: (.reset, .end)))
        }
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            client.send(Self.get)
            #expect(try await client.answer().text == "stream")
        }
    }
}

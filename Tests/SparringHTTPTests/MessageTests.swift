import HTTPTypes
import SparringHTTP
import SparringJournal
import Support
import Testing

/// Requests in, answers out.
@Suite struct MessageTests {
    @Test func `a connection is kept for the next request`() async throws {
        let handler = ScriptedHandler()
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            for number in 1...3 {
                client.send("GET /\(number) HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try await client.answer().text == "GET /\(number)\n")
            }
            #expect(Set(handler.handled.map(\.head.connection)).count == 1)
            // Only the first one had a connection opened for it.
            #expect(handler.handled.map { $0.head.arrival.opening > 0 } == [true, false, false])
        }
    }

    @Test func `pipelined requests are answered in their order`() async throws {
        try await withServer { server in
            let client = try RawClient(port: server.port)
            let requests = (1...10).map { "POST /\($0) HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n#\($0 % 10)" }
            client.send(requests.joined())
            for number in 1...10 {
                #expect(try await client.answer().text == "POST /\(number)\n#\(number % 10)")
            }
        }
    }

    @Test(arguments: [
        (["5\r\nhello\r\n0\r\n\r\n"], "hello"),
        (["1\r\na\r\n", "00002\r\nbc\r\n", "0\r\n\r\n"], "abc"),
        (["A;name=value;other=\"quoted\"\r\n0123456789\r\n0\r\n\r\n"], "0123456789"),
        (["3\r\nabc\r\n0\r\nChecksum: 1\r\nX-More: 2\r\n\r\n"], "abc"),
        (["0\r\n\r\n"], ""),
        (["6\r", "\nab", "cd", "ef\r\n0", "\r\n\r\n"], "abcdef"),
    ])
    func `a chunked body arrives whole`(pieces: [String], body: String) async throws {
        try await withServer { server in
            let client = try RawClient(port: server.port)
            client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            for piece in pieces { client.send(piece) }
            #expect(try await client.answer().text == "POST /\n" + body)
            client.send("GET /next HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await client.answer().text == "GET /next\n")
        }
    }

    @Test(arguments: [0, 1, 16_383, 16_384, 1_000_000, 10_000_000])
    func `a body of any length comes and goes unchanged`(length: Int) async throws {
        let body = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        try await withServer(
            ScriptedHandler { _, exchange in exchange.deliver(.answer(Response(status: 200, body: .bytes(exchange.request.body)))) }
        ) {
            server in
            let client = try RawClient(port: server.port)
            client.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n")
            client.send(body)
            let answer = try await client.answer()
            #expect(answer.status == 200 && answer.body == body)
        }
    }

    @Test func `HEAD is answered with the length and without the body`() async throws {
        try await withServer { server in
            let client = try RawClient(port: server.port)
            client.send("HEAD /h HTTP/1.1\r\nHost: a\r\n\r\nGET /next HTTP/1.1\r\nHost: a\r\n\r\n")
            let answer = try await client.answer(toHead: true)
            #expect(answer.status == 200 && answer["Content-Length"] == "8")
            #expect(try await client.answer().text == "GET /next\n")
        }
    }

    @Test func `204 and 304 have no body`() async throws {
        try await withServer(
            ScriptedHandler { _, exchange in exchange.deliver(.answer(Response(status: exchange.request.head.target == "/204" ? 204 : 304)))
            }
        ) { server in
            let client = try RawClient(port: server.port)
            for status in [204, 304] {
                client.send("GET /\(status) HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try await client.answer().status == status)
            }
        }
    }

    @Test func `of the body of a 304 only the length is sent`() async throws {
        let handler = ScriptedHandler { _, exchange in
            exchange.deliver(
                .answer(Response(status: exchange.request.head.target == "/304" ? 304 : 200, body: .bytes(Array("seven b".utf8)))))
        }
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            client.send("GET /304 HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
            let unmodified = try await client.answer()
            #expect(unmodified.status == 304 && unmodified["Content-Length"] == "7")
            #expect(try await client.answer().text == "seven b", "the next answer follows the head")
        }
    }

    @Test func `HTTP 1.0 is answered and the connection closed`() async throws {
        try await withServer { server in
            let client = try RawClient(port: server.port)
            client.send("GET /old HTTP/1.0\r\n\r\n")
            let (bytes, end) = await client.read()
            #expect(end == .closed && String(decoding: bytes, as: UTF8.self).hasSuffix("\r\n\r\nGET /old\n"))
        }
    }

    @Test func `Connection close is obeyed`() async throws {
        try await withServer { server in
            let client = try RawClient(port: server.port)
            client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(try await client.answer()["Connection"]?.lowercased() == "close")
            #expect(await client.read().end == .closed)
        }
    }

    @Test func `a client that waits for 100 Continue gets it before it sends`() async throws {
        try await withServer { server in
            let client = try RawClient(port: server.port)
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n")
            #expect(try await client.answer().status == 100)
            client.send("body")
            #expect(try await client.answer().text == "POST /\nbody")
        }
    }

    @Test func `a refused head is answered at once, without 100 Continue`() async throws {
        let handler = ScriptedHandler(receive: { _ in .refuse(Response(status: 417)) })
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n")
            #expect(try await client.answer().status == 417)
            #expect(await client.read().end == .closed)
            #expect(handler.handled.isEmpty)
        }
    }

    @Test(arguments: [
        "Content-Length: 40\r\n\r\n" + String(repeating: "x", count: 40),
        "Transfer-Encoding: chunked\r\n\r\n14\r\n" + String(repeating: "x", count: 20) + "\r\n14\r\n" + String(repeating: "x", count: 20)
            + "\r\n0\r\n\r\n",
    ])
    func `of a body over the limit no more than the limit is kept`(rest: String) async throws {
        let handler = ScriptedHandler(
            handle: { _, exchange in exchange.deliver(.answer(Response(status: exchange.request.bodyExceededLimit ? 413 : 200))) },
            receive: { _ in .read(limit: 16) })
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            client.send("POST / HTTP/1.1\r\nHost: a\r\n" + rest)
            #expect(try await client.answer().status == 413)
            #expect(handler.handled.map(\.body) == [Array(repeating: UInt8(ascii: "x"), count: 16)])
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 16\r\n\r\n" + String(repeating: "y", count: 16))
            #expect(try await client.answer().status == 200)
        }
    }

    @Test(arguments: [1, 250, 500, 8000]) func `a query may have as many arguments as the head has room for`(count: Int) async throws {
        try await withServer { server in
            let client = try RawClient(port: server.port)
            let target = "/search?" + Array(repeating: "a", count: count).joined(separator: "&")
            for _ in 0..<2 {
                client.send("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try await client.answer().text == "GET \(target)\n")
            }
        }
    }

    @Test func `a target and a value that are no UTF-8 are taken, repaired`() async throws {
        let handler = ScriptedHandler()
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            client.send(
                Array("GET /".utf8) + [0xFF] + Array("?".utf8) + [0xE4] + Array(" HTTP/1.1\r\nHost: a\r\nX-Latin: ".utf8) + [
                    0xE4, 13, 10, 13, 10,
                ])
            #expect(try await client.answer().status == 200)
            let head = try #require(handler.handled.first?.head)
            #expect(head.defect == nil && head.target == "/\u{FFFD}?\u{FFFD}" && head.headers[.init("X-Latin")!] == "\u{FFFD}")
        }
    }

    @Test func `the target, the headers and the version are what was sent`() async throws {
        let handler = ScriptedHandler()
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            client.send("PROPFIND /a%2Fb%00c//d/?q=%20&r#s HTTP/1.1\r\nHost: a\r\nX-Two: 1\r\nx-two: 2\r\nX-Empty:\r\nX-Latin: é\r\n\r\n")
            #expect(try await client.answer().status == 200)
            let head = try #require(handler.handled.first?.head)
            #expect(head.method.rawValue == "PROPFIND" && head.version == "HTTP/1.1" && !head.isTLS && head.defect == nil)
            #expect(head.target == "/a%2Fb%00c//d/?q=%20&r#s")
            #expect(head.headers[values: .init("X-Two")!] == ["1", "2"])
            #expect(head.headers[.init("X-Empty")!] == "" && head.headers[.init("X-Latin")!] == "é")
        }
    }
}

import Dispatch
import SparringHTTP
import Support
import Testing

/// Bytes that cannot be accepted as a request.
@Suite struct RejectionTests {
    @Test(arguments: [
        ("Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "both Content-Length and Transfer-Encoding"),
        ("Content-Length: 0\r\nContent-Length: 5\r\n\r\n", "Content-Length is '0, 5'"),
        ("Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello", "Content-Length is '5, 5'"),
        ("Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", "Transfer-Encoding is 'gzip, chunked'"),
        ("Transfer-Encoding: identity\r\n\r\n", "Transfer-Encoding is 'identity'"),
        ("Host: b\r\n\r\n", "more than one Host"),
        ("Bad Name: 1\r\n\r\n", "header name 'Bad Name'"),
        ("X-Space : 1\r\n\r\n", "header name 'X-Space '"),
        ("(comment): 1\r\n\r\n", "header name '(comment)'"),
        ("Ünicode: 1\r\n\r\n", "header name 'Ünicode'"),
        ("Content-Length: 0\0\r\n\r\n", "a line of the head holds NUL"),
        ("X-A: b\0Content-Length: 5\r\nX-B: c\r\n\r\n", "a line of the head holds NUL"),
        ("\0Content-Length: 5\r\n\r\n", "a line of the head holds NUL"),
        ("Content-Length: 5\r\n 6\r\n\r\n", "a header field goes on in a second line"),
        ("X-A: b\r\n\tc\r\nX-B: d\r\n\r\n", "a header field goes on in a second line"),
        ("X-A: b\r\n \r\n\r\n", "a header field goes on in a second line"),
        ("X-A: b\rc\r\n\r\n", "the value of X-A holds a control character"),
        ("X-A: b\r\r\n\r\n", "the value of X-A holds a control character"),
        ("X-A: \u{1B}[2J\r\n\r\n", "the value of X-A holds a control character"),
        ("X-A: \u{7F}\r\n\r\n", "the value of X-A holds a control character"),
        ("Transfer-Encoding: \u{B}chunked\r\n\r\n0\r\n\r\n", "the value of Transfer-Encoding holds a control character"),
        ("Transfer-Encoding: chunked \r\n\r\n0\r\n\r\n", "Transfer-Encoding is 'chunked '"),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "Transfer-Encoding is 'chunked, chunked'"),
    ])
    func `a head with a defect is reported, refused, and the last of its connection`(rest: String, defect: String) async throws {
        let handler = ScriptedHandler(receive: { head in head.defect == nil ? .read(limit: 100) : .refuse(Response(status: 400)) })
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            client.send("POST / HTTP/1.1\r\nHost: a\r\n" + rest + "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await client.answer().status == 400)
            let (after, end) = await client.read()
            #expect(after.isEmpty && (end == .closed || end == .reset))
            #expect(handler.handled.isEmpty)
            let head = try #require(handler.heads.first)
            #expect(head.defect?.hasPrefix(defect) == true, "\(head.defect ?? "no defect")")
        }
    }

    @Test(arguments: [
        ("GET /a\0b HTTP/1.1\r\nHost: a", "a line of the head holds NUL"), ("GE\0T /a HTTP/1.1\r\nHost: a", "a line of the head holds NUL"),
        ("GET /a\tb HTTP/1.1\r\nHost: a", "the target holds a control"),
        ("GET /\u{7F} HTTP/1.1\r\nHost: a", "the target holds a control"), ("(GET) / HTTP/1.1\r\nHost: a", "the method is not a token"),
        ("GET http://a:b/ HTTP/1.1\r\nHost: a", "the target's host 'a:b' is not a host"),
        ("GET http:/// HTTP/1.1\r\nHost: a", "the target's host '' is not a host"),
        ("GET http://user@a/ HTTP/1.1\r\nHost: a", "the target's host 'user@a' is not a host"),
    ])
    func `a request line with a defect is reported and refused`(head: String, defect: String) async throws {
        let handler = ScriptedHandler(receive: { head in head.defect == nil ? .read(limit: 100) : .refuse(Response(status: 400)) })
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            client.send(head + "\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await client.answer().status == 400)
            #expect(await client.read().bytes.isEmpty)
            #expect(handler.heads.count == 1 && handler.heads[0].defect?.hasPrefix(defect) == true, "\(handler.heads.map(\.defect))")
        }
    }

    /// Many sound heads in many sizes, in pieces and behind one another: none may be taken for a defective one by where libmicrohttpd put it.
    @Test func `no sound head has a defect, however it comes`() async throws {
        let handler = ScriptedHandler(receive: { head in head.defect == nil ? .read(limit: 1 << 20) : .refuse(Response(status: 400)) })
        try await withServer(handler) { server in
            var generator = Generator(state: 2)
            func some(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
            for _ in 0..<200 {
                let client = try RawClient(port: server.port)
                let requests = (0..<some(1...3)).map { _ in
                    var text = some(0...3) == 0 ? "\r\n" : ""
                    let end = some(0...3) == 0 ? "\n" : "\r\n"
                    text += "POST /\(String(repeating: "p", count: some(0...300)))?a=%20b&c HTTP/1.1\(end)Host: a\(end)"
                    for number in 0..<some(0...20) {
                        text += "X-\(number):\(some(0...1) == 0 ? "" : " \t")\(String(repeating: "v", count: some(0...200)))\(end)"
                    }
                    if some(0...2) == 0 { text += "Cookie: a=b; c=d\(end)" }
                    return text + "Content-Length: 3\(end)\(end)abc"
                }
                var rest = Array(requests.joined().utf8)[...]
                while !rest.isEmpty {
                    let piece = rest.prefix(some(1...4) == 1 ? some(1...50) : some(1...5000))
                    client.send(Array(piece))
                    rest = rest.dropFirst(piece.count)
                }
                for _ in requests { #expect(try await client.answer().status == 200) }
            }
            #expect(handler.heads.allSatisfy { $0.defect == nil }, "\(handler.heads.compactMap(\.defect).prefix(3))")
        }
    }

    @Test func `chunking is a defect in HTTP 1.0`() async throws {
        let handler = ScriptedHandler(receive: { head in head.defect == nil ? .read(limit: 100) : .refuse(Response(status: 400)) })
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            client.send("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
            #expect(try await client.answer().status == 400)
        }
    }

    private static let long = String(repeating: "x", count: 20_000)

    @Test(arguments: [
        ("GET /no-host HTTP/1.1\r\n\r\n", 400, "/no-host"),
        ("POST /nan HTTP/1.1\r\nHost: a\r\nContent-Length: two\r\n\r\n", 400, "/nan"),
        ("POST /minus HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400, "/minus"),
        ("POST /huge HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999999\r\n\r\n", 413, "/huge"),
        ("GET /many HTTP/1.1\r\nHost: a\r\nX-Long: \(long)\r\n\r\n", 431, "/many"),
        ("GET /\(long) HTTP/1.1\r\nHost: a\r\n\r\n", 414, ""),
        ("GET /version HTTP/3.0\r\nHost: a\r\n\r\n", 505, ""),
        ("GET /version WHAT/1.1\r\nHost: a\r\n\r\n", 400, ""),
        ("GET /no-colon HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n", 400, "/no-colon"),
    ])
    func `what libmicrohttpd answers itself is reported with its reason`(request: String, status: Int, target: String) async throws {
        let handler = ScriptedHandler()
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            client.send(request)
            let answer = try await client.answer()
            #expect(answer.status == status)
            // One head, and one body as long as it says.
            let rest = await client.read().bytes
            #expect(answer["Content-Length"].flatMap { Int($0) } == answer.body.count && rest.isEmpty, "\(answer) \(rest)")
            #expect(await handler.waits { $0.contains { if case .rejected = $0 { true } else { false } } })
            #expect(handler.rejected.count == 1)
            #expect(handler.rejected.first?.target == target)
            #expect(handler.rejected.first?.reason.hasPrefix("\(status): ") == true, "\(handler.rejected)")
        }
    }

    @Test func `a broken chunk is reported as a broken exchange`() async throws {
        let handler = ScriptedHandler()
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nnot hex\r\n")
            #expect(try await client.answer().status == 400)
            #expect(await handler.waits(forCompleted: 1))
            #expect(handler.completions.first??.hasPrefix("400: ") == true, "\(handler.completions)")
            #expect(handler.handled.isEmpty)
        }
    }

    @Test func `a client that leaves in the middle of its head is reported`() async throws {
        let handler = ScriptedHandler()
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            // The first answer says that the second head's half has been read.
            client.send("GET /whole HTTP/1.1\r\nHost: a\r\n\r\nGET /half HTTP/1.1\r\nHost: a\r\nX-")
            #expect(try await client.answer().status == 200)
            client.close()
            #expect(await handler.waits { $0.contains { if case .rejected = $0 { true } else { false } } })
            #expect(handler.rejected.first?.target == "/half")
            #expect(handler.rejected.first?.reason == "the client closed the connection")
        }
    }

    /// SplitMix64.
    private struct Generator: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
            return z ^ z >> 31
        }
    }

    private static let sound = Array(
        "POST /path?q=1 HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello".utf8)
    private static let chunked = Array("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n".utf8)

    /// Noise, or a request with some of its bytes changed, cut or doubled.
    private static func malformed(_ generator: inout Generator) -> [UInt8] {
        if Int.random(in: 0..<4, using: &generator) == 0 {
            return (0..<Int.random(in: 1...300, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator) }
        }
        var bytes = Bool.random(using: &generator) ? sound : chunked
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(contentsOf: bytes.prefix(place), at: place)
            default: bytes.removeSubrange(place...)
            }
            if bytes.isEmpty { bytes = [0] }
        }
        return bytes
    }

    @Test func `ten thousand malformed inputs leave the server answering`() async throws {
        let handler = ScriptedHandler(receive: { head in head.defect == nil ? .read(limit: 100) : .refuse(Response(status: 400)) })
        try await withServer(handler) { server in
            let port = server.port
            let sent = await aside {
                var generator = Generator(state: 1)
                return (1...10_000).count { _ in
                    guard let client = try? RawClient(port: port) else { return false }
                    client.send(Self.malformed(&generator))
                    // What is no whole request gets no answer: the wait only gives the server time to read it.
                    _ = client.readBlocking(.milliseconds(1)) { !$0.isEmpty }
                    client.reset()
                    return true
                }
            }
            #expect(sent == 10_000)
            let client = try RawClient(port: server.port)
            client.send("GET /sound HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await client.answer().text == "GET /sound\n")
        }
        // Every head that came in has ended.
        #expect(handler.completions.count == handler.heads.count)
    }
}

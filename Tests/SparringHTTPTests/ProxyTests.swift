import HTTPTypes
import SparringHTTP
import Support
import Testing

/// The forward proxy on the wire.
@Suite struct ProxyTests {
    /// Emulates `*.vendor.example`.
    private static func handler(_ handle: @escaping @Sendable (ScriptedHandler, Exchange) -> Void = { $1.echo() }) -> ScriptedHandler {
        ScriptedHandler(handle: handle, serves: { $0.hasSuffix(".vendor.example") })
    }

    private static func withProxy(
        _ handler: ScriptedHandler, _ others: ForwardProxy.Others = .refuse, _ change: (inout HTTPServer.Options) -> Void = { _ in },
        _ body: (HTTPServer, _ port: Int, LocalAuthority) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let authority = try LocalAuthority.load(or: folder.path)
        try await withServer(handler) { options in
            options.addresses = ["127.0.0.1"]
            options.headTimeout = patience
            options.proxy = ForwardProxy(port: 0, others: others, authority: authority)
            change(&options)
        } _: { server in
            try await body(server, try #require(server.proxyPort), authority)
        }
    }

    @Test func `a request in absolute form is served, and its connection ends with it`() async throws {
        let handler = Self.handler()
        try await Self.withProxy(handler) { _, port, _ in
            let client = try RawClient(port: port)
            client.send("GET http://api.vendor.example/x HTTP/1.1\r\nHost: other\r\n\r\n")
            let answer = try await client.answer()
            #expect(answer.text == "GET http://api.vendor.example/x\n")
            #expect(await client.read(within: patience) { _ in false }.end == .closed)
            #expect(handler.heads.last?.hop == ProxyHop() && handler.heads.last?.authority == "api.vendor.example")
        }
    }

    @Test(arguments: [1, 7, 1000])
    func `a tunnel carries any number of requests, however its CONNECT is split`(size: Int) async throws {
        let handler = Self.handler()
        try await Self.withProxy(handler) { _, port, _ in
            let client = try RawClient(port: port)
            let connect = Array("CONNECT API.vendor.example:80 HTTP/1.1\r\nHost: API.vendor.example:80\r\n\r\n".utf8)
            for start in stride(from: 0, to: connect.count, by: size) {
                client.send(Array(connect[start..<min(start + size, connect.count)]))
            }
            #expect(
                await client.read(within: patience) { $0.ends(with: "\r\n\r\n") }.bytes.text
                    == "HTTP/1.1 200 Connection Established\r\n\r\n")
            client.take(39)
            for number in 1...3 {
                client.send("GET /\(number) HTTP/1.1\r\nHost: api.vendor.example\r\n\r\n")
                #expect(try await client.answer().text == "GET /\(number)\n")
            }
            #expect(handler.heads.count == 3 && handler.heads.allSatisfy { $0.hop == ProxyHop(tunnel: "api.vendor.example") && !$0.isTLS })
        }
    }

    @Test func `what follows the CONNECT at once is not lost`() async throws {
        let handler = Self.handler()
        try await Self.withProxy(handler) { _, port, _ in
            let client = try RawClient(port: port)
            client.send("CONNECT a.vendor.example:80 HTTP/1.1\r\n\r\nGET /early HTTP/1.1\r\nHost: a.vendor.example\r\n\r\n")
            _ = await client.read(within: patience) { $0.ends(with: "GET /early\n") }
            #expect(handler.heads.map(\.target) == ["/early"])
        }
    }

    @Test func `a tunnel with TLS shows a certificate for the name that is asked for`() async throws {
        let handler = Self.handler()
        try await Self.withProxy(handler) { _, port, authority in
            for host in ["one.vendor.example", "two.vendor.example", "one.vendor.example"] {
                let client = try await TLSClient(port: port, trusting: authority.certificatePEM, host: host, isProxy: true)
                for path in ["/a", "/b"] {
                    await client.write("GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
                    #expect(try await client.answer().text == "GET \(path)\n")
                }
                #expect(handler.heads.last?.hop == ProxyHop(tunnel: host) && handler.heads.last?.isTLS == true)
                #expect(handler.heads.last?.tls != nil && handler.heads.last?.listener == nil)
            }
        }
    }

    @Test func `a client that turns away from such a certificate is reported with the host`() async throws {
        let handler = Self.handler()
        let folder = try TemporaryFolder()
        let other = try LocalAuthority.load(or: folder.path)
        try await Self.withProxy(handler) { _, port, _ in
            await #expect(throws: RawClient.Failed.self) {
                try await TLSClient(port: port, trusting: other.certificatePEM, host: "api.vendor.example", isProxy: true)
            }
            #expect(await handler.waits(forNote: "silent to api.vendor.example"))
        }
    }

    @Test(arguments: [
        ("CONNECT other.example:443 HTTP/1.1\r\nHost: other.example:443\r\n\r\n", "CONNECT other.example:443\n"),
        ("CONNECT vendor.example HTTP/1.1\r\nHost: x\r\n\r\n", "CONNECT vendor.example\n"),
        ("GET http://other.example/ HTTP/1.1\r\nHost: x\r\n\r\n", "GET http://other.example/\n"),
        ("GET / HTTP/1.1\r\nHost: other.example\r\n\r\n", "GET /\n"),
    ])
    func `the handler answers what is for others, and the connection ends`(request: String, echo: String) async throws {
        let handler = Self.handler()
        try await Self.withProxy(handler) { _, port, _ in
            let client = try RawClient(port: port)
            client.send(request)
            let answer = await client.read(within: patience) { _ in false }
            #expect(answer.bytes.text.hasSuffix(echo) && answer.end == .closed)
            #expect(handler.heads.last?.hop == ProxyHop())
        }
    }

    @Test func `a CONNECT that is too long is refused`() async throws {
        try await Self.withProxy(Self.handler(), .refuse) {
            $0.headLimit = 4096
        } _: { _, port, _ in
            let client = try RawClient(port: port)
            client.send("CONNECT a.vendor.example:443 HTTP/1.1\r\nX: \(String(repeating: "x", count: 8000))\r\n\r\n")
            #expect(try await client.answer().status == 431)
        }
    }

    @Test func `a client that leaves amid its CONNECT, or sends none in time, is let go`() async throws {
        try await Self.withProxy(Self.handler()) {
            $0.headTimeout = .milliseconds(200)
        } _: { _, port, _ in
            let halved = try RawClient(port: port)
            halved.send("CONNECT a.vend")
            halved.finishSending()
            #expect(await halved.read(within: patience) { _ in false }.end == .closed)
            let silent = try RawClient(port: port)
            #expect(await silent.read(within: patience) { _ in false }.end == .closed)
        }
    }

    @Test func `a stop waits for no tunnel in which nothing has been said`() async throws {
        let folder = try TemporaryFolder()
        var options = HTTPServer.Options()
        options.addresses = ["127.0.0.1"]
        options.proxy = ForwardProxy(port: 0, authority: try LocalAuthority.load(or: folder.path))
        let server = try HTTPServer(options, handler: Self.handler())
        let port = try #require(server.proxyPort)
        let (silent, begun) = (try RawClient(port: port), try RawClient(port: port))
        begun.send("CONNECT a.vendor.example:443 HTTP/1.1\r\n\r\n")
        #expect(await begun.read(within: patience) { $0.ends(with: "\r\n\r\n") }.end == .met)
        await server.stop(grace: .zero) {}
        #expect(await silent.read(within: patience) { _ in false }.end != .timedOut)
        #expect(await begun.read(within: patience) { _ in false }.end != .timedOut)
    }

    // MARK: Passing on

    @Test func `what is for others is passed on unread, as a tunnel and as a request`() async throws {
        let (handler, other) = (Self.handler(), ScriptedHandler())
        try await withServer(other) { far in
            try await Self.withProxy(handler, .pass) { _, port, _ in
                let tunnel = try RawClient(port: port)
                tunnel.send("CONNECT 127.0.0.1:\(far.port) HTTP/1.1\r\n\r\n")
                #expect(await tunnel.read(within: patience) { $0.ends(with: "\r\n\r\n") }.bytes.text.hasPrefix("HTTP/1.1 200 "))
                tunnel.take(39)
                let body = String(repeating: "long ", count: 100_000)
                for number in 1...2 {
                    tunnel.send("POST /\(number) HTTP/1.1\r\nHost: far\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body)
                    #expect(try await tunnel.answer().text == "POST /\(number)\n" + body)
                }
                let plain = try RawClient(port: port)
                plain.send(
                    "POST http://127.0.0.1:\(far.port)/p?q HTTP/1.1\r\nHost: far\r\nProxy-Connection: x\r\nContent-Length: 2\r\n\r\nhi")
                let answer = await plain.read(within: patience) { _ in false }
                #expect(answer.bytes.text.hasSuffix("\r\n\r\nPOST /p?q\nhi") && answer.end == .closed)
                #expect(other.heads.last?.headers[.init("Proxy-Connection")!] == nil)
            }
            #expect(other.heads.count == 3 && handler.heads.isEmpty)
        }
    }

    @Test func `a host that cannot be reached is the handler's to tell of`() async throws {
        let handler = Self.handler()
        let closed = try await withServer { $0.port }
        try await Self.withProxy(handler, .pass) { _, port, _ in
            for request in [
                "CONNECT 127.0.0.1:\(closed) HTTP/1.1\r\nHost: x\r\n\r\n", "GET http://127.0.0.1:\(closed)/ HTTP/1.1\r\nHost: x\r\n\r\n",
            ] {
                let client = try RawClient(port: port)
                client.send(request)
                #expect(await client.read(within: patience) { _ in false }.end == .closed)
                #expect(handler.heads.last?.hop == ProxyHop(failure: "cannot be reached: Connection refused"))
            }
            let unknown = try RawClient(port: port)
            unknown.send("CONNECT nowhere.invalid:443 HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(await unknown.read(within: patience) { _ in false }.end == .closed)
            #expect(handler.heads.last?.hop?.failure?.hasPrefix("cannot be resolved: ") == true)
        }
    }
}

extension [UInt8] {
    fileprivate var text: String { String(decoding: self, as: UTF8.self) }
    fileprivate func ends(with text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}

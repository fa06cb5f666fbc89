import Dispatch
import Foundation
import SparringHTTP
import Support
import Testing

/// TLS, judged by Python's ssl module. The sockets are read by the script itself: Python's own TLS sockets show a reset as an end of file.
@Suite(.enabled("there is no Python with ssl") { await Command.pythonHas("ssl") }) struct TLSTests {
    /// Calls the server once for each line of `calls`, `NAME PATH`, and prints how each ended.
    private static let program = """
        import socket, ssl, sys
        port, trust, calls = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
        def step(sock, incoming, outgoing, action):
            while True:
                try:
                    result = action()
                    sock.sendall(outgoing.read())
                    return result
                except ssl.SSLWantReadError:
                    sock.sendall(outgoing.read())
                    data = sock.recv(65536)
                    incoming.write(data) if data else incoming.write_eof()
        def read(tls):
            try: return tls.read(65536)
            except ssl.SSLZeroReturnError: return b""
        for call in calls:
            name, path = call.split()
            context = ssl.create_default_context(cafile=trust if trust != "-" else None)
            context.verify_flags |= ssl.VERIFY_X509_STRICT
            try:
                with socket.create_connection(("127.0.0.1", port), 60) as sock:
                    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
                    tls = context.wrap_bio(incoming, outgoing, server_hostname=name)
                    step(sock, incoming, outgoing, tls.do_handshake)
                    request = f"GET {path} HTTP/1.1\\r\\nHost: {name}\\r\\nConnection: close\\r\\n\\r\\n".encode()
                    step(sock, incoming, outgoing, lambda: tls.write(request))
                    data = b""
                    while piece := step(sock, incoming, outgoing, lambda: read(tls)): data += piece
                    print(data.split(b"\\r\\n")[0].decode() or "closed", len(data.split(b"\\r\\n\\r\\n", 1)[-1]))
            except ConnectionResetError: print("reset")
            except ssl.SSLCertVerificationError as error: print("untrusted", error.verify_message)
        """

    private func ask(_ handler: ScriptedHandler, trusted: Bool = true, _ calls: [String]) async throws -> [String] {
        let folder = try TemporaryFolder()
        let authority = try LocalAuthority.load(or: folder.path)
        let trust = folder.file("trust.pem")
        try authority.certificatePEM.write(toFile: trust, atomically: true, encoding: .utf8)
        let identity = try authority.identity(hosts: ["sparring.test"])
        return try await withServer(
            handler,
            configure: {
                $0.addresses = ["127.0.0.1"]
                $0.tlsPort = 0
                $0.identity = identity
            }
        ) { server in
            let port = try #require(server.tlsPort)
            #expect(port != server.port)
            let text = try await Command.python(["-c", Self.program, String(port), trusted ? trust : "-"] + calls).output()
            return text.split(separator: "\n").map(String.init)
        }
    }

    @Test func `every usual name and those given are trusted, no others`() async throws {
        let handler = ScriptedHandler()
        let names = ["localhost", "127.0.0.1", "::1", "10.0.2.2", "host.docker.internal", "sparring.test"]
        let ends = try await ask(handler, (names + ["other.test", "192.0.2.1"]).map { $0 + " /" })
        #expect(ends.prefix(names.count).allSatisfy { $0 == "HTTP/1.1 200 OK 6" }, "\(ends)")
        #expect(ends.dropFirst(names.count).allSatisfy { $0.hasPrefix("untrusted ") } && ends.count == names.count + 2, "\(ends)")
        #expect(handler.handled.count == names.count && handler.handled.allSatisfy { $0.head.isTLS })
    }

    @Test func `a client without the authority refuses`() async throws {
        #expect(try await ask(ScriptedHandler(), trusted: false, ["localhost /"]).first?.hasPrefix("untrusted ") == true)
    }

    @Test func `a reset, an empty answer, a large and a streamed body work as without TLS`() async throws {
        let handler = ScriptedHandler { _, exchange in
            switch exchange.request.head.target {
            case "/reset": exchange.deliver(.reset)
            case "/empty": exchange.deliver(.empty)
            case "/large": exchange.deliver(.answer(Response(status: 200, body: .bytes([UInt8](repeating: 1, count: 3_000_000)))))
            default:
                let stream = ResponseStream()
                exchange.deliver(.answer(Response(status: 200, body: .stream(stream))))
                DispatchQueue.global().async {
                    stream.append("streamed".utf8)
                    stream.finish()
                }
            }
        }
        let ends = try await ask(handler, ["localhost /reset", "localhost /empty", "localhost /large", "localhost /stream"])
        // 8 bytes in one chunk: 8 CRLF … CRLF 0 CRLF CRLF
        #expect(ends == ["reset", "closed 0", "HTTP/1.1 200 OK 3000000", "HTTP/1.1 200 OK 18"])
    }

    @Test func `a client that leaves while it waits is noticed`() async throws {
        let handler = ScriptedHandler { handler, exchange in
            handler.hold(exchange)
            exchange.onHangUp {
                handler.note("left")
                handler.release()
            }
        }
        let folder = try TemporaryFolder()
        let identity = try LocalAuthority.load(or: folder.path).identity(hosts: [])
        try await withServer(
            handler,
            configure: {
                $0.addresses = ["127.0.0.1"]
                $0.tlsPort = 0
                $0.identity = identity
            }
        ) { server in
            let leaving = """
                import socket, ssl, sys
                context = ssl._create_unverified_context()
                tls = context.wrap_socket(socket.create_connection(("127.0.0.1", int(sys.argv[1])), 60))
                tls.sendall(b"GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n")
                """
            _ = try await Command.python(["-c", leaving, String(try #require(server.tlsPort))]).output()
            #expect(await handler.waits(forNote: "left"))
            #expect(await handler.waits(forCompleted: 1))
        }
    }

    @Test func `what is no TLS on the TLS port leaves the server answering`() async throws {
        let folder = try TemporaryFolder()
        let identity = try LocalAuthority.load(or: folder.path).identity(hosts: [])
        try await withServer(
            configure: {
                $0.addresses = ["127.0.0.1"]
                $0.tlsPort = 0
                $0.identity = identity
            }
        ) { server in
            for _ in 0..<50 {
                let client = try RawClient(port: try #require(server.tlsPort))
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                let end = await client.read().end
                #expect(end == .closed || end == .reset)
            }
            let client = try RawClient(port: server.port)
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await client.answer().status == 200)
        }
    }
}

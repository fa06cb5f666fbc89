import SparringHTTP
import Support
import Testing

/// The differences under TLS, where libmicrohttpd is between the client and the socket. Frames over wss: Tests/peers/websocket_cases.py.
@Suite(.enabled("there is no Python with ssl") { await Command.pythonHas("ssl") }) struct WebSocketTLSTests {
    /// Opens a socket, runs the script's part, then prints the end.
    private static let client = """
        import socket, ssl, sys
        raw = socket.create_connection(("127.0.0.1", int(sys.argv[1])), 60)
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        tls = ssl._create_unverified_context().wrap_bio(incoming, outgoing)
        def step(action):
            while True:
                try:
                    result = action()
                    raw.sendall(outgoing.read())
                    return result
                except ssl.SSLWantReadError:
                    raw.sendall(outgoing.read())
                    data = raw.recv(65536)
                    if not data: raise EOFError
                    incoming.write(data)
        def send(*frames):
            for first, payload in frames:
                tls.write(bytes([first, 0x80 | len(payload), 0, 0, 0, 0]) + payload)
            raw.sendall(outgoing.read())
        def receive(count):
            data = b""
            while len(data) < count: data += step(lambda: tls.read(count - len(data)))
            return data
        def end():
            try:
                while data := step(lambda: tls.read(65536)): print("data", len(data))
                print("closed")
            except (EOFError, ssl.SSLZeroReturnError): print("closed")
            except ConnectionResetError: print("reset")
        step(tls.do_handshake)
        tls.write(("GET / HTTP/1.1\\r\\nHost: a\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\nSec-WebSocket-Key: "
            "dGhlIHNhbXBsZSBub25jZQ==\\r\\nSec-WebSocket-Version: 13\\r\\n\\r\\n").encode())
        raw.sendall(outgoing.read())
        head = b""
        while not head.endswith(b"\\r\\n\\r\\n"): head += receive(1)

        """

    private func run(_ handler: ScriptedHandler, _ part: String, during: @Sendable () async -> Void = {}) async throws -> String {
        let folder = try TemporaryFolder()
        let identity = try LocalAuthority.load(or: folder.path).identity(hosts: [])
        return try await withServer(
            handler,
            configure: {
                $0.addresses = ["127.0.0.1"]
                $0.tlsPort = 0
                $0.identity = identity
            }
        ) { server in
            async let output = Command.python(["-c", Self.client + part, String(try #require(server.tlsPort))]).output()
            await during()
            let text = try await output
            #expect(await handler.waits(forNotes: 1) { $0.hasPrefix("closed by") })
            return text
        }
    }

    @Test(arguments: ["raw.close()", "raw.shutdown(socket.SHUT_WR)\nwhile raw.recv(65536): pass"])
    func `a client that leaves without a close frame is noticed, what it sent before is not lost`(leaving: String) async throws {
        let handler = ScriptedHandler.echoing()
        _ = try await run(handler, "for _ in range(1000): send((0x8A, b'x' * 125))\n" + leaving)
        #expect(handler.notes.count { $0 == "control" } == 1000)
        #expect(handler.notes.last == "closed by client: - the client closed TCP without a close frame")
    }

    @Test(arguments: ["raw.close()", "end()"]) func `a frozen socket says nothing, and ends with its client or by a reset`(leaving: String)
        async throws
    {
        let held = Held()
        let handler = ScriptedHandler.echoing { held.socket = $0 }
        let output = try await run(handler, "send((0x81, b'!freeze'), (0x89, b'p'), (0x88, b''))\n" + leaving) {
            _ = await handler.waits(forNote: "frozen")
            if leaving == "end()" { held.socket?.reset() }
        }
        #expect(output == (leaving == "end()" ? "reset\n" : ""))
        let expected = leaving == "end()" ? "closed by server: - reset" : "closed by client: - the client closed TCP without a close frame"
        #expect(handler.notes.last == expected)
    }

    @Test func `a client that reads nothing is cut off when too much is unsent`() async throws {
        var limits = WebSocketLimits()
        limits.unsent = 1 << 20
        limits.lingering = .milliseconds(100)
        let handler = ScriptedHandler.echoing(limits)
        let gone = "closed by server: - more than 1048576 bytes unsent: the client does not read"
        let output = try await run(handler, "send((0x81, b'!flood 100000 300'))\nprint(len(raw.recv(1)))") {
            _ = await handler.waits(forNote: gone)
        }
        #expect(output == "1\n" && handler.notes.contains(gone))
    }

    @Test func `a million bytes come back`() async throws {
        let handler = ScriptedHandler.echoing()
        let output = try await run(
            handler,
            """
            tls.write(b"\\x82\\xff" + (1000000).to_bytes(8, "big") + b"\\0\\0\\0\\0" + b"z" * 1000000)
            raw.sendall(outgoing.read())
            print(receive(1000010)[10:] == b"z" * 1000000)
            send((0x88, b""))
            print(receive(2))
            end()
            """)
        #expect(output == "True\nb'\\x88\\x00'\nclosed\n")
    }
}

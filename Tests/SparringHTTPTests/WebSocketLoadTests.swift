import Dispatch
import Foundation
@testable import SparringHTTP
import SparringLocks
import Support
import Testing

/// Many messages, big ones, slow clients, many sockets.
@Suite struct WebSocketLoadTests {
    @Test func `ten thousand messages keep their order both ways`() async throws {
        try await withServer(.echoing()) { server in
            let client = try await RawClient.socket(server.port)
            let messages = (0..<10_000).map { WireFrame.text("message \($0)") }
            async let sent: Void = aside { client.send(messages.flatMap(\.bytes)) }
            let received = try await client.frames(10_000)
            await sent
            #expect(received == messages)
        }
    }

    @Test func `what several threads send keeps each thread's order`() async throws {
        let handler = ScriptedHandler.echoing { socket in
            for thread in 0..<4 {
                DispatchQueue.global().async {
                    for number in 0..<1000 { socket.send(text: Array("\(thread) \(number)".utf8)) }
                }
            }
        }
        try await withServer(handler) { server in
            let client = try await RawClient.socket(server.port)
            let received = try await client.frames(4000).map(\.text)
            for thread in 0..<4 {
                #expect(received.filter { $0.hasPrefix("\(thread) ") } == (0..<1000).map { "\(thread) \($0)" })
            }
        }
    }

    @Test func `a message of three megabytes comes back, one byte more is refused before it is read`() async throws {
        var limits = WebSocketLimits()
        limits.message = 3 << 20
        limits.unsent = 4 << 20
        try await withServer(.echoing(limits)) { [limits] server in
            let client = try await RawClient.socket(server.port)
            let big = WireFrame(0x82, [UInt8](repeating: 0x5A, count: limits.message))
            let bytes = big.bytes
            async let sent: Void = aside { client.send(bytes) }
            #expect(try await client.frame() == big)
            await sent
            // Only the head of it: 127 and 64 bits of length.
            client.send(Array(WireFrame(0x82, [UInt8](repeating: 0, count: limits.message + 1)).bytes.prefix(14)))
            #expect(try await client.frame().closing == "1009 the message is longer than 3145728 bytes")
        }
    }

    @Test func `a client that does not read is aborted when too much is unsent`() async throws {
        var limits = WebSocketLimits()
        limits.unsent = 4 << 20
        let handler = ScriptedHandler.echoing(limits)
        try await withServer(handler) { server in
            let client = try await RawClient.socket(server.port)
            client.send(.text("!flood 100000 1000"))
            let expected = "closed by server: - more than 4194304 bytes unsent: the client does not read"
            #expect(await handler.waits(forNote: expected))
            #expect(await client.rest().end != .timedOut)
        }
    }

    @Test func `empty messages count as unsent too`() async throws {
        var limits = WebSocketLimits()
        limits.unsent = 1 << 20
        let handler = ScriptedHandler.echoing(limits)
        try await withServer(handler) { server in
            let client = try await RawClient.socket(server.port)
            client.send(.text("!flood 0 100000"))
            #expect(await handler.waits(forNote: "closed by server: - more than 1048576 bytes unsent: the client does not read"))
        }
    }

    @Test func `a client that asks and does not read is held back, and gets every answer once it reads`() async throws {
        var limits = WebSocketLimits.patient
        // Less than it asks for, and both kernels hold less than the rest.
        limits.unsent = 4 << 20
        let held = Held()
        try await withServer(.echoing(limits) { held.socket = $0 }) { [limits] server in
            let client = try await RawClient.socket(server.port)
            client.send(.text("are you there"))
            #expect(try await client.frame().text == "are you there")
            let socket = try #require(held.socket)
            let messages = (0..<100).map { WireFrame(0x82, [UInt8](repeating: UInt8($0), count: 200_000)) }
            let bytes = messages.flatMap(\.bytes)
            let other = try await RawClient.socket(server.port)
            async let sent: Void = aside { client.send(bytes) }
            try await until { socket.unsent > limits.unsent / 4 }
            // A server that went on reading would have read it all within a second, and aborted the socket. Others are answered meanwhile.
            let start = ContinuousClock.now
            while ContinuousClock.now - start < .seconds(1) {
                other.send(.text("hello"))
                #expect(try await other.frame().text == "hello")
            }
            #expect(socket.unsent <= limits.unsent / 2)
            #expect(try await client.frames(messages.count) == messages)
            await sent
        }
    }

    @Test func `a client that pings and does not read is held back, and gets every pong once it reads`() async throws {
        var limits = WebSocketLimits.patient
        limits.unsent = 256 << 20
        try await withServer(.echoing(limits)) { server in
            let client = try await RawClient.socket(server.port)
            // More than the kernel takes.
            client.send(.text("!flood 1000000 40"))
            let padding = String(repeating: " ", count: 120)
            let pings = (10_000..<30_000).map { WireFrame(0x89, "\($0)\(padding)".utf8) }
            async let sent: Void = aside { for ping in pings { client.send(ping) } }
            let frames = try await client.frames(40 + pings.count)
            await sent
            #expect(frames.prefix(40).allSatisfy { $0.payload.count == 1_000_000 })
            #expect(frames.dropFirst(40).map(\.payload) == pings.map(\.payload))
        }
    }

    @Test func `of more pings than are kept for a client that does not read, the first ones and the last are answered`() {
        var pongs = WebSocketPongs()
        func ping(_ numbers: Range<Int>) -> [Bool] { numbers.map { pongs.add(Array("\($0)".utf8)) } }
        func next() -> [Int] { pongs.next().map { Int(String(decoding: $0, as: UTF8.self))! } }

        #expect(ping(0..<3) == [true, false, false])
        #expect(!pongs.areBehind)
        #expect(next() == [0, 1, 2])
        // The kernel takes its time.
        #expect(ping(3..<1000).allSatisfy { !$0 })
        #expect(pongs.areBehind && pongs.areFlooded)
        #expect(next() == [])
        pongs.taken()
        #expect(next() == Array(3..<3 + WebSocketPongs.waitingLimit - 1) + [999])
        pongs.taken()
        #expect(next() == [])
        #expect(ping(1000..<1001) == [true])
        #expect(!pongs.areFlooded)
        #expect(next() == [1000])
    }

    @Test func `what is unsent is counted until it is sent`() async throws {
        let held = Held()
        let handler = ScriptedHandler.echoing { held.socket = $0 }
        try await withServer(handler) { server in
            let client = try await RawClient.socket(server.port)
            client.send(.text("!flood 100000 150"), .text("!unsent"))
            let frames = try await client.frames(151)
            #expect(frames.dropLast().allSatisfy { $0.payload.count == 100_000 })
            #expect(try #require(Int(frames[150].text)) > 0)
            client.send(.text("!unsent"))
            #expect(try await client.frame().text == "0")
            #expect(held.socket?.unsent == 0)
        }
    }

    // 5,000 and 1,000 were tried by hand.
    @Test(arguments: [(250, 50)]) func `many idle sockets stay open, and all are closed by a stop`(plain: Int, secure: Int) async throws {
        let folder = try TemporaryFolder()
        let identity = try LocalAuthority.load(or: folder.path).identity(hosts: [])
        let hasPython = await Command.pythonHas("ssl")
        let total = plain + (hasPython ? secure : 0)
        let bell = ScriptedHandler()
        let left = Mutex(total)
        let handler = ScriptedHandler.echoing { _ in
            let isLast = left.withLock { left in
                left -= 1
                return left == 0
            }
            if isLast { bell.note("all are open") }
        }
        var options = HTTPServer.Options()
        options.addresses = ["127.0.0.1"]
        if hasPython {
            options.tlsPort = 0
            options.identity = identity
        }
        let server = try HTTPServer(options, handler: handler)
        var clients: [RawClient] = []
        for _ in 0..<plain { clients.append(try await RawClient.socket(server.port)) }
        let tlsPort = server.tlsPort
        async let python = Self.runIdle(tlsPort, secure)
        var areOpen = false
        for _ in 0..<3 where !areOpen { areOpen = await bell.waits(forNote: "all are open") }  // a busy machine shakes hands slowly
        try #require(areOpen)
        for client in clients { client.send(.text("still there")) }
        for client in clients { #expect(try await client.frame() == .text("still there")) }
        async let stopped: Void = server.stop(grace: .seconds(300)) { handler.note("released") }
        for client in clients {
            #expect(try await client.frame().closing == "1001 going away")
            client.send(.close(1001))
        }
        for client in clients { #expect(await client.rest() == ([], .closed)) }
        if let words = try await python { #expect(words == "\(secure) closed with 1001\n") }
        await stopped
        // A close frame that a busy machine answers too late is not waited for.
        #expect(handler.notes.count { $0.hasPrefix("closed by server: 1001 going away") } == total)
        #expect(!handler.notes.contains("released"))
    }

    private static func runIdle(_ port: Int?, _ count: Int) async throws -> String? {
        guard let port else { return nil }
        return try await Command.python(["-c", idle, "\(port)", "\(count)"]).output()
    }

    /// Opens sockets over TLS, waits for their close frames, answers them and waits for TCP's end.
    private static let idle = """
        import ssl, socket, sys
        context, sockets = ssl._create_unverified_context(), []
        handshake = ("GET / HTTP/1.1\\r\\nHost: a\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\nSec-WebSocket-Key: "
            "dGhlIHNhbXBsZSBub25jZQ==\\r\\nSec-WebSocket-Version: 13\\r\\n\\r\\n").encode()
        for _ in range(int(sys.argv[2])):
            one = context.wrap_socket(socket.create_connection(("127.0.0.1", int(sys.argv[1])), 60))
            one.sendall(handshake)
            head = b""
            while not head.endswith(b"\\r\\n\\r\\n"): head += one.recv(1)
            sockets.append(one)
        closed = 0
        for one in sockets:
            data = one.recv(100)
            while len(data) < 2 or len(data) < 2 + data[1]: data += one.recv(100)
            assert data[:2] == b"\\x88\\x0c" and data[2:4] == b"\\x03\\xe9", data
            one.sendall(b"\\x88\\x82\\0\\0\\0\\0\\x03\\xe9")
            try: assert one.recv(100) == b""
            except ssl.SSLEOFError: pass
            closed += 1
        print(closed, "closed with 1001")
        """
}

private func == (left: (frames: [WireFrame], end: RawClient.End), right: ([WireFrame], RawClient.End)) -> Bool {
    left.frames == right.0 && left.end == right.1
}

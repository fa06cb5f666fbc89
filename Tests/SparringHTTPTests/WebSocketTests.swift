import Dispatch
import HTTPTypes
import SparringHTTP
import SparringLocks
import Support
import Testing

/// The life of a WebSocket on plain TCP. The frames of every section of RFC 6455 are in Tests/peers/websocket_cases.py.
@Suite struct WebSocketTests {
    @Test func `a handshake is answered as RFC 6455 requires, and messages come back`() async throws {
        let handler = ScriptedHandler.echoing()
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            client.send(RawClient.handshake())
            let answer = try await client.answer()
            #expect(answer.status == 101)
            #expect(answer["Upgrade"] == "websocket" && answer["Connection"]?.lowercased() == "upgrade")
            #expect(answer["Sec-WebSocket-Accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", "RFC 6455 §1.3")
            #expect(answer["Sec-WebSocket-Protocol"] == nil && answer["Sec-WebSocket-Extensions"] == nil)
            client.send(.text("hello"), WireFrame(0x82, [0, 255]), WireFrame(0x89, "p".utf8), WireFrame(0x8A, []))
            #expect(try await client.frames(3) == [.text("hello"), WireFrame(0x82, [0, 255]), WireFrame(0x8A, "p".utf8)])
            client.send(.close(1000, "bye"))
            let (frames, end) = await client.rest()
            #expect(frames.map(\.closing) == ["1000"] && end == .closed)
            #expect(await handler.waits(forNote: "closed by client: 1000 bye (clean)"))
            #expect(handler.completions == [nil], "the exchange was completed with the 101")
            #expect(handler.notes == ["opened", "control", "control", "closed by client: 1000 bye (clean)"])
        }
    }

    @Test func `the fields given go out with the 101, and the socket knows its connection`() async throws {
        let handler = ScriptedHandler { handler, exchange in
            let number = exchange.request.head.connection
            let upgrade = WebSocketUpgrade(headers: [.setCookie: "a=b", .secWebSocketProtocol: "chat"]) { socket in
                handler.note("\(socket.connection == number) \(socket.isTLS)")
                socket.send(text: Array("welcome".utf8))
                return EchoSocket(notes: handler)
            }
            exchange.deliver(.upgrade(upgrade))
        }
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            client.send(RawClient.handshake("/a?b"))
            let answer = try await client.answer()
            #expect(answer["Set-Cookie"] == "a=b" && answer["Sec-WebSocket-Protocol"] == "chat")
            #expect(try await client.frame() == .text("welcome"))
            #expect(handler.notes == ["true false"])
        }
    }

    @Test func `frames that came with the handshake are not lost`() async throws {
        try await withServer(.echoing()) { server in
            for size in [1, 1000, 100_000] {
                let client = try RawClient(port: server.port)
                let early = WireFrame(0x82, [UInt8](repeating: 9, count: size))
                client.send(Array(RawClient.handshake().utf8) + early.bytes + WireFrame.text("second").bytes)
                #expect(try await client.answer().status == 101)
                #expect(try await client.frames(2) == [early, .text("second")])
            }
        }
    }

    @Test func `what is no handshake is refused, and the upgrade learns of it`() async throws {
        let handler = ScriptedHandler.echoing()
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            let answer = try await client.answer()
            #expect(answer.status == 426 && answer["Upgrade"] == "websocket" && answer["Sec-WebSocket-Version"] == "13")
            client.send(RawClient.handshake().replacing("Version: 13", with: "Version: 8"))
            #expect(try await client.answer().status == 426)
            client.send(RawClient.handshake())
            #expect(try await client.answer().status == 101, "the same connection may try again")
            #expect(handler.notes.prefix(2) == Array(repeating: "failed: the request is no WebSocket handshake: 426", count: 2)[...])
        }
    }

    @Test func `an upgrade of a client that has left fails or ends at once`() async throws {
        let handler = ScriptedHandler { handler, exchange in
            handler.hold(exchange)
            exchange.onHangUp { handler.note("left") }
        }
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            client.send(RawClient.handshake())
            try #require(await handler.waits(forHandled: 1))
            client.reset()
            try #require(await handler.waits(forNote: "left"))
            handler.release(
                .upgrade(
                    WebSocketUpgrade(opened: { _ in EchoSocket(notes: handler) }, failed: { _ in handler.note("failed") })))
            #expect(await handler.waits(forNotes: 1) { $0 == "failed" || $0.hasPrefix("closed by") })
            #expect(await handler.waits(forCompleted: 1))
        }
    }

    enum End: CaseIterable, Sendable {
        case serverClose, serverCloseEmpty, serverCloseUnanswered, abort, reset, clientFIN, clientRST, violation
    }

    @Test(arguments: End.allCases)
    func `each end is reported once, as it was`(end: End) async throws {
        let handler = ScriptedHandler.echoing()
        try await withServer(handler) { server in
            let client = try await RawClient.socket(server.port)
            var expected: String
            switch end {
            case .serverClose:
                client.send(.text("!close 4001 so it is"))
                #expect(try await client.frame().closing == "4001 so it is")
                client.send(.text("dropped"), .close(4001))
                expected = "closed by server: 4001 so it is (clean)"
            case .serverCloseEmpty:
                client.send(.text("!close 1005"))
                #expect(try await client.frame() == WireFrame(0x88, []))
                client.send(WireFrame(0x88, []))
                expected = "closed by server: 1005  (clean)"
            case .serverCloseUnanswered:
                client.send(.text("!close 1011 oops"))
                #expect(try await client.frame().closing == "1011 oops")
                client.finishSending()
                expected = "closed by server: 1011 oops"
            case .abort:
                client.send(.text("!abort"))
                expected = "closed by server: - aborted"
            case .reset:
                client.send(.text("!reset"))
                expected = "closed by server: - reset"
            case .clientFIN:
                client.send(.text("hello"))
                #expect(try await client.frame() == .text("hello"))
                client.finishSending()
                expected = "closed by client: - the client closed TCP without a close frame"
            case .clientRST:
                client.send(.text("hello"))
                #expect(try await client.frame() == .text("hello"))
                client.reset()
                expected = "closed by failure: - TCP broke"
            case .violation:
                client.send(WireFrame(0xC1, []))
                #expect(try await client.frame().closing.hasPrefix("1002 a reserved bit is set"))
                expected = "closed by failure: 1002 a reserved bit is set"
            }
            if end != .clientRST {
                let (frames, tcp) = await client.rest()
                #expect(frames.isEmpty && tcp == (end == .reset ? .reset : .closed))
            }
            #expect(await handler.waits(forNotes: 1) { $0.hasPrefix("closed by") })
            let told = handler.notes.filter { $0.hasPrefix("closed by") }
            #expect(told.count == 1 && told[0].hasPrefix(expected), "\(told)")
        }
    }

    @Test func `what was sent before an abort arrives, what is sent after it does not`() async throws {
        let handler = ScriptedHandler.echoing { socket in
            for number in 0..<10 { socket.send(text: Array("\(number)".utf8)) }
            socket.abort()
            socket.send(text: Array("late".utf8))
            socket.close(1000, "late")
        }
        try await withServer(handler) { server in
            let client = try await RawClient.socket(server.port)
            let (frames, end) = await client.rest()
            #expect(frames == (0..<10).map { .text("\($0)") } && end == .closed)
        }
    }

    @Test func `a client that does not answer the close frame is not waited for longer than the limit`() async throws {
        var limits = WebSocketLimits()
        limits.closing = .milliseconds(200)
        let handler = ScriptedHandler.echoing(limits)
        try await withServer(handler) { server in
            let client = try await RawClient.socket(server.port)
            client.send(.text("!close 1008 policy"))
            let took = await ContinuousClock().measure {
                let (frames, end) = await client.rest()
                #expect(frames.map(\.closing) == ["1008 policy"] && end == .closed)
            }
            #expect(took >= .milliseconds(190))
            #expect(await handler.waits(forNote: "closed by server: 1008 policy"))
        }
    }

    @Test func `a frozen socket neither answers nor ends, until it is reset`() async throws {
        let held = Held()
        let handler = ScriptedHandler.echoing { held.socket = $0 }
        try await withServer(handler) { server in
            let client = try await RawClient.socket(server.port)
            client.send(.text("!freeze"))
            try #require(await handler.waits(forNote: "frozen"))
            client.send(.text("dropped"), WireFrame(0x89, "p".utf8), .close(1000))
            let socket = try #require(held.socket)
            socket.send(text: Array("dropped".utf8))
            socket.close(1000, "dropped")
            // Time enough: others come and go meanwhile.
            for _ in 0..<20 {
                let other = try await RawClient.socket(server.port)
                other.send(.text("hello"), .close(1000))
                #expect(await other.rest().end == .closed)
            }
            #expect(await client.read(within: .milliseconds(1)) == ([], .timedOut))
            #expect(socket.unsent == 0)
            socket.reset()
            #expect(await client.read() == ([], .reset))
            #expect(await handler.waits(forNote: "closed by server: - reset"))
        }
    }

    @Test func `a frozen socket ends with its client`() async throws {
        let handler = ScriptedHandler.echoing()
        try await withServer(handler) { server in
            let client = try await RawClient.socket(server.port)
            client.send(.text("!freeze"))
            try #require(await handler.waits(forNote: "frozen"))
            client.send(WireFrame(0x82, [UInt8](repeating: 1, count: 100_000)), .close(1000))
            client.close()
            #expect(await handler.waits(forNotes: 1) { $0.hasPrefix("closed by client: - ") })
        }
    }
}

private func == (left: (bytes: [UInt8], end: RawClient.End), right: ([UInt8], RawClient.End)) -> Bool {
    left.bytes == right.0 && left.end == right.1
}

/// A socket kept for later.
final class Held: Sendable {
    private let kept = Mutex<(any WebSocketWire)?>(nil)
    var socket: (any WebSocketWire)? {
        get { kept.withLock { $0 } }
        set { kept.withLock { $0 = newValue } }
    }
}

extension HTTPField.Name {
    static let secWebSocketProtocol = HTTPField.Name("Sec-WebSocket-Protocol")!
}

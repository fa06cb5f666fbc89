import SparringHTTP
import SparringLocks
import Support
import Testing

/// Sockets whose handler does not want to be handed any more for a while.
@Suite struct WebSocketPauseTests {
    /// Counts the messages that come, and has no more of them read after the first.
    private final class Counter: WebSocketHandler {
        private let first = Mutex<[UInt8]>([])
        private let notes: ScriptedHandler
        private let total: Int

        init(_ total: Int, notes: ScriptedHandler) { (self.total, self.notes) = (total, notes) }

        /// The first bytes of the messages, in their order.
        var firstBytes: [UInt8] { first.withLock { $0 } }

        func received(text: [UInt8], on socket: any WebSocketWire) {
            socket.setReading(false)
            notes.note("paused")
        }

        func received(binary: [UInt8], on socket: any WebSocketWire) {
            let count = first.withLock { first in
                first.append(binary[0])
                return first.count
            }
            if count == total { notes.note("all") }
        }

        func receivedControl(on socket: any WebSocketWire) {}
        func closed(_ end: WebSocketEnd, on socket: any WebSocketWire) {}
    }

    @Test func `a paused socket holds its client back, and goes on where it stopped`() async throws {
        let total = 200
        let held = Held()
        let counters = Mutex<[Counter]>([])
        let handler = ScriptedHandler { handler, exchange in
            exchange.deliver(
                .upgrade(
                    WebSocketUpgrade { socket in
                        if exchange.request.head.target == "/echo" { return EchoSocket(notes: handler) }
                        let counter = Counter(total, notes: handler)
                        held.socket = socket
                        counters.withLock { $0.append(counter) }
                        return counter
                    }))
        }
        try await withServer(handler) { server in
            let client = try await RawClient.socket(server.port)
            client.send(.text("pause"))
            try #require(await handler.waits(forNote: "paused"))
            let counter = try #require(counters.withLock { $0.first })
            // More than both kernels' buffers hold.
            async let sent: Void = aside {
                for number in 0..<total { client.send(WireFrame(0x82, [UInt8](repeating: UInt8(number), count: 200_000))) }
            }
            let other = try await RawClient.socket(server.port, "/echo")
            // Until nothing moves any more: meanwhile others are served.
            var before = -1
            while before != counter.firstBytes.count {
                before = counter.firstBytes.count
                for _ in 0..<50 {
                    other.send(.text("there"))
                    #expect(try await other.frame() == .text("there"))
                }
            }
            #expect(counter.firstBytes.count < total)
            held.socket?.setReading(true)
            #expect(await handler.waits(forNote: "all"))
            #expect(counter.firstBytes == (0..<total).map { UInt8($0) })
            await sent
        }
    }

    @Test func `a paused socket that is closed sees its client's close frame`() async throws {
        let held = Held()
        let handler = ScriptedHandler.echoing { held.socket = $0 }
        try await withServer(handler) { server in
            let client = try await RawClient.socket(server.port)
            client.send(.text("!pause"))
            try #require(await handler.waits(forNote: "paused"))
            held.socket?.close(4000, "enough")
            #expect(try await client.frame().closing == "4000 enough")
            client.send(.text("late"), .close(4000))
            #expect(await handler.waits(forNote: "closed by server: 4000 enough (clean)"))
            #expect(await client.rest().frames.isEmpty)
        }
    }

    enum End: CaseIterable, Sendable {
        case clientCloses, clientResets, abort, reset, stop

        var words: String {
            switch self {
            case .clientCloses: "closed by client: - the client closed TCP without a close frame"
            case .clientResets: "closed by "  // how, libmicrohttpd keeps to itself under TLS
            case .abort: "closed by server: - aborted"
            case .reset: "closed by server: - reset"
            case .stop: "closed by server: 1001 going away (clean)"
            }
        }
    }

    @Test(arguments: End.allCases, Wire.allCases) func `a paused socket ends as any other`(end: End, wire: Wire) async throws {
        let held = Held()
        let handler = ScriptedHandler.echoing { held.socket = $0 }
        let server = try Wire.start(handler)
        let client = try await wire.connect(server)
        await client.write(RawClient.handshake())
        try #require(try await client.answer().status == 101)
        await client.write(WireFrame.text("!pause").bytes)
        try #require(await handler.waits(forNote: "paused"))
        switch end {
        case .clientCloses: client.close()
        case .clientResets: client.reset()
        case .abort: held.socket?.abort()
        case .reset: held.socket?.reset()
        case .stop:
            async let stopped: Void = server.stop(grace: .seconds(300)) { handler.note("released") }
            #expect(await client.read(14).bytes == WireFrame.close(1001, "going away").unmasked)
            await client.write(WireFrame.close(1001).bytes)
            await stopped
        }
        #expect(await handler.waits(forNotes: 1) { $0.hasPrefix(end.words) }, "\(handler.notes)")
        #expect(!handler.notes.contains("released"))
        await server.stop(grace: .seconds(1)) {}
    }
}

import SparringHTTP
import Support
import Testing

/// Outcomes that a client meets instead of an answer, while its request is read and after.
@Suite(.serialized) struct RequestPhaseTests {
    enum Phase: CaseIterable, Sendable {
        case start, body, end

        static let head = "POST /one HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\n"

        /// The bytes that a client has sent when the phase is reached.
        var sent: String {
            switch self {
            case .start: Self.head
            case .body: Self.head + "abc"
            case .end: Self.head + "abcdef"
            }
        }

        /// The part of them that the handler sees.
        var body: String { String(sent.dropFirst(Self.head.count)) }

        var reception: Reception {
            switch self {
            case .start: .hold(.start, limit: 100)
            case .body: .hold(.body, limit: 100)
            case .end: .read(limit: 100)
            }
        }

        /// A handler that does this to `/one` in this phase, and echoes everything else.
        func handler(_ act: @escaping @Sendable (ScriptedHandler, Exchange) -> Void) -> ScriptedHandler {
            ScriptedHandler(
                handle: { handler, exchange in
                    if self == .end, exchange.request.head.target == "/one" { act(handler, exchange) } else { exchange.echo() }
                }, held: act, receive: { $0.target == "/one" ? self.reception : .read(limit: 100) })
        }
    }

    enum Effect: CaseIterable, Sendable {
        case reset, empty, raw, stall

        static let noise = (0...255).map { UInt8($0) }

        var delivery: Delivery {
            switch self {
            case .reset: .reset
            case .empty: .empty
            case .raw: .raw(Self.noise)
            case .stall: .stall
            }
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var effect: Effect
        var phase: Phase
        var wire: Wire
        var testDescription: String { "\(effect) in \(phase), \(wire)" }

        static let all = Effect.allCases.flatMap { effect in
            Phase.allCases.flatMap { phase in Wire.allCases.map { Case(effect: effect, phase: phase, wire: $0) } }
        }
    }

    @Test(arguments: Case.all) func `the client gets exactly this instead of an answer`(_ given: Case) async throws {
        let handler = given.phase.handler { handler, exchange in
            handler.note("body: " + String(decoding: exchange.request.body, as: UTF8.self))
            handler.deliver(given.effect.delivery, on: exchange)
        }
        try await Wire.withServer(handler) { server in
            let client = try await given.wire.connect(server)
            await client.write(given.phase.sent)
            switch given.effect {
            case .reset:
                let (bytes, end) = await client.read()
                #expect(bytes.isEmpty && end == .reset)
            case .empty:
                let (bytes, end) = await client.read()
                #expect(bytes.isEmpty && end == .closed)
            case .raw:
                let (bytes, end) = await client.read()
                #expect(bytes == Effect.noise && end == .closed)
            case .stall:
                #expect(await handler.waits(forNote: "body: " + given.phase.body))
                // Whatever the listener had to do for the first client, it has done before it answers the second.
                let other = try await given.wire.connect(server)
                await other.write("GET /two HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try await other.answer().text == "GET /two\n")
                #expect(client.isUp && handler.notes.count == 1)
                client.close()
            }
            let end =
                switch given.effect {
                case .reset: "reset"
                case .empty: "closed without an answer"
                case .raw: "closed after 256 bytes that are not an answer"
                case .stall: "stalled until the client left"
                }
            #expect(await handler.waits(forNote: end))
            #expect(handler.notes == ["body: " + given.phase.body, end])
            #expect(handler.handled.count { $0.head.target == "/one" } == (given.phase == .end ? 1 : 0))
        }
    }

    @Test(arguments: Wire.allCases) func `more noise than the kernel takes arrives whole`(wire: Wire) async throws {
        let noise = (0..<7_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        try await Wire.withServer(.delivering { _ in .raw(noise) }) { server in
            let client = try await wire.connect(server)
            await client.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            let (bytes, end) = await client.read()
            #expect(bytes == noise && end == .closed)
        }
    }

    @Test func `a client that leaves noise unread and goes is noticed`() async throws {
        let handler = ScriptedHandler.delivering { _ in .raw([UInt8](repeating: 1, count: 50_000_000)) }
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(await client.read(1000).end == .met)
            client.reset()
            #expect(await handler.waits(forNote: "the client left"))
        }
    }

    @Test(arguments: Wire.allCases) func `a client that sends on gets a FIN all the same, not an RST`(wire: Wire) async throws {
        for delivery in [Delivery.empty, .raw(Array("noise".utf8))] {
            let handler = ScriptedHandler(
                held: { handler, exchange in handler.deliver(delivery, on: exchange) }, receive: { _ in .hold(.start, limit: 100) })
            try await Wire.withServer(handler) { server in
                let client = try await wire.connect(server)
                await client.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 300000\r\n\r\n")
                await client.write([UInt8](repeating: 1, count: 150_000))
                #expect(await handler.waits(forCompleted: 1))
                await client.write([UInt8](repeating: 1, count: 150_000))
                let (bytes, end) = await client.read()
                #expect(end == .closed)
                #expect(String(decoding: bytes, as: UTF8.self) == (handler.notes == ["closed without an answer"] ? "" : "noise"))
            }
        }
    }

    @Test func `an answer that was sent before a reset arrives`() async throws {
        try await withServer(.delivering { $0.head.target == "/1" ? .answer(Response(status: 200)) : .reset }) { server in
            let client = try RawClient(port: server.port)
            client.send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await client.answer().status == 200)
            #expect(await client.read().end == .reset)
        }
    }
}

import Dispatch
import SparringHTTP
import SparringLocks
import Support
import Testing

/// A stop ends, whatever its handler does.
@Suite struct StopTests {
    private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    private static func start(_ handler: ScriptedHandler) throws -> HTTPServer {
        var options = HTTPServer.Options()
        options.addresses = ["127.0.0.1"]
        options.idleTimeout = .seconds(600)
        options.headTimeout = .seconds(600)
        return try HTTPServer(options, handler: handler)
    }

    /// Stops aside, and notes "stopped" when that has ended.
    private static func stop(_ server: HTTPServer, _ handler: ScriptedHandler, grace: Duration) {
        Task {
            await server.stop(grace: grace) { handler.note("released") }
            handler.note("stopped")
        }
    }

    enum Wait: CaseIterable, Sendable {
        case handler, handlerOfNobody, stream, held, stalled, paused

        var handler: ScriptedHandler {
            switch self {
            case .handler, .handlerOfNobody: ScriptedHandler { handler, exchange in handler.hold(exchange) }
            case .held:
                ScriptedHandler(
                    held: { handler, exchange in handler.hold(exchange) }, receive: { _ in .hold(.start, limit: 100) })
            case .stream:
                ScriptedHandler { handler, exchange in
                    let stream = ResponseStream()
                    stream.onCancel { handler.note("cancelled") }
                    stream.append("begun".utf8)
                    handler.hold(exchange)
                    exchange.deliver(.answer(Response(status: 200, body: .stream(stream))))
                }
            case .stalled:
                ScriptedHandler { handler, exchange in
                    handler.hold(exchange)
                    exchange.deliver(.stall)
                }
            case .paused:
                ScriptedHandler { handler, exchange in
                    let pause = Transmission.Pause(after: 2) { _ in handler.hold(exchange) }
                    exchange.deliver(
                        .disturbed(Response(status: 200, body: .bytes([1, 2, 3, 4])), Transmission(pauses: [pause])))
                }
            }
        }

        /// How the exchange ends; nil: its answer is sent after all.
        var completion: String? {
            switch self {
            case .handler, .handlerOfNobody, .stream, .held: "the server stopped"
            case .stalled: "stalled until the server stopped"
            case .paused: nil
            }
        }
    }

    @Test(arguments: Wait.allCases) func `an exchange that nobody ends does not hold the stop up`(wait: Wait) async throws {
        let handler = wait.handler
        let server = try Self.start(handler)
        let client = try RawClient(port: server.port)
        client.send(Self.get)
        try #require(await handler.waits(forKept: 1))
        if wait == .stream { #expect(await client.read { $0.firstRange(of: Array("begun".utf8)) != nil }.end == .met) }
        if wait == .handlerOfNobody { client.close() }
        Self.stop(server, handler, grace: .milliseconds(50))
        try #require(await handler.waits(forNote: "stopped"))
        #expect(handler.completions == [wait.completion])
        #expect(handler.notes == (wait == .stream ? ["released", "cancelled", "stopped"] : ["released", "stopped"]))
        if wait != .handlerOfNobody {
            let (bytes, end) = await client.read()
            #expect(end == .closed || end == .reset)
            #expect(bytes.isEmpty == (wait != .stream && wait != .paused))
        }
        // An answer that was waited for comes too late, and does no harm.
        for exchange in handler.takeHeld() {
            #expect(!exchange.deliver(.answer(Response(status: 200))) && !exchange.proceed())
            exchange.onHangUp { handler.note("left") }
        }
        #expect(handler.completions.count == 1)
    }

    @Test func `a handler that answers when its time is over learns that nobody waits`() async throws {
        let handler = ScriptedHandler { handler, exchange in handler.hold(exchange) }
        let server = try Self.start(handler)
        let clients = try (0..<50).map { _ in try RawClient(port: server.port) }
        for client in clients { client.send(Self.get) }
        try #require(await handler.waits(forKept: 50))
        let exchanges = handler.takeHeld()
        let taken = Mutex(0)
        // Half of them are delivered while the server ends them.
        DispatchQueue.global().async {
            for exchange in exchanges.prefix(25) {
                let isTaken = exchange.deliver(.answer(Response(status: 200)))
                taken.withLock { $0 += isTaken ? 1 : 0 }
            }
            handler.note("delivered")
        }
        Self.stop(server, handler, grace: .zero)
        try #require(await handler.waits(forNote: "stopped"))
        try #require(await handler.waits(forNote: "delivered"))
        #expect(handler.completions.count == 50)
        #expect(handler.completions.count { $0 == nil } <= taken.withLock { $0 })
        for exchange in exchanges { #expect(!exchange.deliver(.empty)) }
    }

    enum Hurry: CaseIterable, Sendable {
        case before, hurry, stop
    }

    @Test(arguments: Hurry.allCases) func `a stop under way can be hurried`(hurry: Hurry) async throws {
        let handler = ScriptedHandler { handler, exchange in handler.hold(exchange) }
        let server = try Self.start(handler)
        let client = try RawClient(port: server.port)
        client.send(Self.get)
        try #require(await handler.waits(forKept: 1))
        if hurry == .before { server.hurry() }
        Self.stop(server, handler, grace: .seconds(3600))
        switch hurry {
        case .before: break
        case .hurry: server.hurry()
        case .stop:
            // The first has begun where nobody can connect any more.
            try await until { (try? RawClient(port: server.port)) == nil }
            await server.stop(grace: .zero) { handler.note("never called") }
        }
        try #require(await handler.waits(forNote: "stopped"))
        #expect(handler.notes == ["released", "stopped"])
        #expect(await client.read().end == .closed)
    }

    @Test func `a stop that is called again waits for the same end`() async throws {
        let handler = ScriptedHandler { handler, exchange in handler.hold(exchange) }
        let server = try Self.start(handler)
        let client = try RawClient(port: server.port)
        client.send(Self.get)
        try #require(await handler.waits(forKept: 1))
        for _ in 0..<3 { Self.stop(server, handler, grace: .seconds(3600)) }
        handler.release()
        #expect(try await client.answer().status == 200)
        #expect(await handler.waits(forNotes: 3) { $0 == "stopped" })
        await server.stop(grace: .seconds(3600)) {}
        #expect(handler.notes == ["stopped", "stopped", "stopped"])
    }

    /// It does what its protocol forbids.
    @Test func `a handler that never returns does not hold the stop up for ever`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let handler = ScriptedHandler { handler, exchange in
            handler.hold(exchange)
            gate.wait()
        }
        let server = try Self.start(handler)
        let client = try RawClient(port: server.port)
        client.send(Self.get)
        try #require(await handler.waits(forKept: 1))
        Self.stop(server, handler, grace: .zero)
        let hasStopped = await handler.waits(forNote: "stopped")
        gate.signal()
        #expect(hasStopped)
        #expect(await client.read().end != .timedOut)
    }
}

import Dispatch
import Foundation
import SparringHTTP
import Support
import Testing

/// Exchanges that wait, and how they end on the wire.
@Suite struct WaitTests {
    private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    private static var threads: Int { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0 }

    @Test func `hundreds of exchanges wait without a thread each`() async throws {
        let handler = ScriptedHandler { handler, exchange in handler.hold(exchange) }
        try await withServer(handler) { server in
            let before = Self.threads
            let clients = try (0..<1200).map { _ in try RawClient(port: server.port) }
            for client in clients { client.send(Self.get) }
            try #require(await handler.waits(forHandled: 1200))
            #expect(Self.threads - before < 1100)  // other tests run beside this one, and start some hundreds
            handler.release()
            for client in clients { #expect(try await client.answer().status == 200) }
        }
    }

    @Test func `an exchange may be answered while it is handed over, or from another thread`() async throws {
        let handler = ScriptedHandler { _, exchange in
            if exchange.request.head.target == "/now" { exchange.echo() } else { DispatchQueue.global().async { exchange.echo() } }
        }
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            for _ in 0..<200 {
                client.send("GET /now HTTP/1.1\r\nHost: a\r\n\r\nGET /soon HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try await client.answer().text == "GET /now\n")
                #expect(try await client.answer().text == "GET /soon\n")
            }
        }
    }

    @Test func `only the first delivery counts`() async throws {
        let handler = ScriptedHandler { handler, exchange in
            handler.note("\(exchange.deliver(.answer(Response(status: 201))))")
            handler.note("\(exchange.deliver(.reset))")
        }
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            client.send(Self.get + Self.get)
            #expect(try await client.answer().status == 201)
            #expect(try await client.answer().status == 201)
            #expect(handler.notes == ["true", "false", "true", "false"])
        }
    }

    @Test func `a reset is ECONNRESET, with nothing before it`() async throws {
        let handler = ScriptedHandler { _, exchange in exchange.deliver(.reset) }
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc")
            let (bytes, end) = await client.read()
            #expect(bytes.isEmpty && end == .reset)
            #expect(await handler.waits(forCompleted: 1))
            #expect(handler.completions == ["reset"])
        }
    }

    @Test func `an empty answer is an end of file without a byte`() async throws {
        let handler = ScriptedHandler { _, exchange in exchange.deliver(.empty) }
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            client.send(Self.get)
            let (bytes, end) = await client.read()
            #expect(bytes.isEmpty && end == .closed)
            #expect(await handler.waits(forCompleted: 1))
            #expect(handler.completions == ["closed without an answer"])
        }
    }

    enum Leaving: CaseIterable, Sendable {
        case close, reset
    }

    @Test(arguments: Leaving.allCases)
    func `a client that leaves while it waits is noticed`(leaving: Leaving) async throws {
        let handler = ScriptedHandler { handler, exchange in
            handler.hold(exchange)
            exchange.onHangUp { handler.note("left") }
        }
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            client.send(Self.get)
            try #require(await handler.waits(forHandled: 1))
            #expect(handler.notes.isEmpty)
            switch leaving {
            case .close: client.close()
            case .reset: client.reset()
            }
            #expect(await handler.waits(forNote: "left"))
            handler.release()
            #expect(await handler.waits(forCompleted: 1))
            #expect(handler.notes == ["left"])
        }
    }

    @Test func `of several actions for a client that leaves each is called, even one that comes later`() async throws {
        let handler = ScriptedHandler { handler, exchange in
            handler.hold(exchange)
            for number in 1...3 { exchange.onHangUp { handler.note("left \(number)") } }
        }
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            client.send(Self.get)
            try #require(await handler.waits(forHandled: 1))
            client.close()
            for number in 1...3 { #expect(await handler.waits(forNote: "left \(number)")) }
            for exchange in handler.takeHeld() {
                exchange.onHangUp { handler.note("left 4") }
                #expect(await handler.waits(forNote: "left 4"))
                exchange.deliver(.empty)
                exchange.onHangUp { handler.note("left 5") }
            }
            #expect(await handler.waits(forCompleted: 1))
            #expect(handler.notes.sorted() == ["left 1", "left 2", "left 3", "left 4"])
        }
    }

    @Test func `a client that leaves after its answer is not a hang-up`() async throws {
        let handler = ScriptedHandler { handler, exchange in
            exchange.onHangUp { handler.note("left") }
            exchange.deliver(.answer(Response(status: 200)))
        }
        try await withServer(handler) { server in
            for _ in 0..<100 {
                let client = try RawClient(port: server.port)
                client.send(Self.get)
                #expect(try await client.answer().status == 200)
            }
        }
        #expect(handler.notes.isEmpty)
    }

    @Test func `a connection on which nothing moves is closed`() async throws {
        let handler = ScriptedHandler()
        try await withServer(
            handler,
            configure: {
                $0.addresses = ["127.0.0.1"]; $0.idleTimeout = .seconds(3)
            }
        ) { server in
            let silent = try RawClient(port: server.port)
            let half = try RawClient(port: server.port)
            half.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe")
            let kept = try RawClient(port: server.port)
            kept.send(Self.get)
            #expect(try await kept.answer().status == 200)
            for client in [silent, half, kept] {
                let (bytes, end) = await client.read()
                #expect(bytes.isEmpty && end == .closed)
            }
            #expect(await handler.waits(forCompleted: 2))
            #expect(handler.completions.last == "nothing moved on the connection until the idle timeout")
        }
    }

    @Test func `an exchange that waits is not idle`() async throws {
        let handler = ScriptedHandler { handler, exchange in handler.hold(exchange) }
        try await withServer(
            handler,
            configure: {
                $0.addresses = ["127.0.0.1"]; $0.idleTimeout = .seconds(3)
            }
        ) { server in
            let waiting = try RawClient(port: server.port)
            waiting.send(Self.get)
            try #require(await handler.waits(forHandled: 1))
            // Two idle connections, one after the other, are closed meanwhile: 6 s have passed.
            for _ in 0..<2 { #expect(try await RawClient(port: server.port).read().end == .closed) }
            handler.release()
            #expect(try await waiting.answer().status == 200)
        }
    }
}

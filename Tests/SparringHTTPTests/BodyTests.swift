import SparringHTTP
import Support
import Testing

/// Bodies of any length, and how many of the long ones there may be at once.
@Suite struct BodyTests {
    private static func body(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) } }

    private static func head(_ name: String, _ count: Int) -> String {
        "POST /\(name) HTTP/1.1\r\nHost: a\r\nContent-Length: \(count)\r\n\r\n"
    }

    private static func withServer(
        _ handler: ScriptedHandler, _ limit: WritableKeyPath<HTTPServer.Options, Int>, _ bytes: Int,
        _ body: (HTTPServer) async throws -> Void
    ) async throws {
        try await SparringHTTPTests.withServer(
            handler,
            configure: {
                $0.addresses = ["127.0.0.1"]
                $0[keyPath: limit] = bytes
            }, body)
    }

    @Test(arguments: [1, 65_535, 65_536, 65_537, 300_000, 3_000_000], Wire.allCases)
    func `a body comes whole, however long it is`(count: Int, wire: Wire) async throws {
        let body = Self.body(count)
        let handler = ScriptedHandler { _, exchange in
            let request = exchange.request
            // Asked once more it is the same, until it is not needed any more.
            #expect(exchange.request.body == request.body && exchange.bodyCount == count && exchange.head.target == request.head.target)
            exchange.finishBody()
            exchange.deliver(.answer(Response(status: 200, body: .bytes(request.body))))
        }
        try await Wire.withServer(handler) { server in
            let client = try await wire.connect(server)
            for _ in 1...2 {
                await client.write(Array(Self.head("one", count).utf8) + body)
                #expect(try await client.answer().body == body)
            }
            await client.write("POST /chunks HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            for start in stride(from: 0, to: count, by: 50_000) {
                let piece = body[start..<min(start + 50_000, count)]
                await client.write(Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Array("\r\n".utf8))
            }
            await client.write("0\r\n\r\n")
            #expect(try await client.answer().body == body)
        }
    }

    @Test func `the rest of a long body is not read until there is room for it`() async throws {
        let handler = ScriptedHandler { _, exchange in exchange.deliver(.answer(Response(status: 200))) }
        try await Self.withServer(handler, \.bodiesUnderWay, 500_000) { server in
            let (first, second, short) = (
                try RawClient(port: server.port), try RawClient(port: server.port), try RawClient(port: server.port)
            )
            first.send(Array(Self.head("first", 400_001).utf8) + Self.body(400_000))
            try #require(await handler.waits { $0.contains { if case .received = $0 { true } else { false } } })
            // A short one is not one of them, and says that what was sent before it has been read as far as it is going to be.
            func ask() async throws {
                short.send(Array(Self.head("short", 1000).utf8) + Self.body(1000))
                #expect(try await short.answer().status == 200)
            }
            for _ in 1...3 { try await ask() }
            second.send(Array(Self.head("second", 200_000).utf8) + Self.body(200_000))
            for _ in 1...3 { try await ask() }
            #expect(!handler.handled.contains { $0.head.target == "/second" })
            first.send([0])
            #expect(try await first.answer().status == 200)
            #expect(try await second.answer().status == 200)
            #expect(handler.handled.suffix(2).map(\.body.count) == [400_001, 200_000])
            // Who leaves while there is no room for it takes none.
            first.send(Array(Self.head("first", 400_001).utf8) + Self.body(400_000))
            for _ in 1...3 { try await ask() }
            let third = try RawClient(port: server.port)
            third.send(Array(Self.head("third", 200_000).utf8) + Self.body(150_000))
            for _ in 1...3 { try await ask() }
            third.close()
            #expect(await handler.waits { $0.contains { if case .completed("/third", _) = $0 { true } else { false } } })
            first.send([0])
            #expect(try await first.answer().status == 200)
        }
    }

    @Test func `long bodies are given out in turn, as far as they have room together`() async throws {
        let handler = ScriptedHandler { handler, exchange in
            if exchange.head.target == "/short" { exchange.echo() } else { handler.hold(exchange) }
        }
        try await Self.withServer(handler, \.bodiesInHand, 250_000) { server in
            var clients: [RawClient] = []
            for (number, count) in [300_000, 100_000, 100_000, 100_000].enumerated() {
                let client = try RawClient(port: server.port)
                client.send(Array(Self.head(String(number), count).utf8) + Self.body(count))
                try #require(await handler.waits { $0.count { if case .received = $0 { true } else { false } } == number + 1 })
                clients.append(client)
                // One alone may be longer than what they have together.
                if number == 0 { try #require(await handler.waits(forKept: 1)) }
            }
            let short = try RawClient(port: server.port)
            for _ in 1...3 {
                short.send(Array(Self.head("short", 10).utf8) + Self.body(10))
                #expect(try await short.answer().status == 200)
            }
            #expect(handler.handled.count { $0.body.count > 10 } == 1)
            handler.release()
            try #require(await handler.waits(forKept: 3))
            // Not needed any more, though not answered yet.
            let held = handler.takeHeld()
            held[0].finishBody()
            try #require(await handler.waits(forKept: 4))
            for exchange in held { exchange.deliver(.answer(Response(status: 200))) }
            handler.release()
            for client in clients { #expect(try await client.answer().status == 200) }
        }
    }
}

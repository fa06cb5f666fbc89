import SparringHTTP
import Support
import Testing

/// Requests that are held before they are whole, and go on.
@Suite(.serialized) struct HoldTests {
    typealias Phase = RequestPhaseTests.Phase

    static let chunked = "POST /one HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"

    @Test(arguments: [Phase.start, .body], Wire.allCases)
    func `a request that was held is read on`(phase: Phase, wire: Wire) async throws {
        let handler = phase.handler { handler, exchange in handler.hold(exchange) }
        try await Wire.withServer(handler) { server in
            let client = try await wire.connect(server)
            for round in 1...2 {
                await client.write(phase.sent)
                try #require(await handler.waits(forKept: round))
                #expect(handler.held.last?.body == Array(phase.body.utf8))
                for exchange in handler.takeHeld() {
                    #expect(exchange.proceed())
                    #expect(!exchange.proceed() && !exchange.deliver(.reset))
                }
                await client.write(String("abcdef".dropFirst(phase.body.count)))
                #expect(try await client.answer().text == "POST /one\nabcdef")
            }
            #expect(handler.completions == [nil, nil] || handler.completions == [nil])
        }
    }

    @Test(arguments: [HoldPoint.start, .body])
    func `a chunked body is neither lost nor doubled by a hold, however its chunks come`(point: HoldPoint) async throws {
        let handler = ScriptedHandler(held: { _, exchange in exchange.proceed() }, receive: { _ in .hold(point, limit: 100) })
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            for _ in 0..<3 {
                client.send(Self.chunked + "1\r\na\r\n2\r\nbc\r\n3\r\ndef\r\n0\r\n\r\n")
                #expect(try await client.answer().text == "POST /one\nabcdef")
                for byte in Array((Self.chunked + "1\r\na\r\n5\r\nbcdef\r\n0\r\n\r\n").utf8) { client.send([byte]) }
                #expect(try await client.answer().text == "POST /one\nabcdef")
            }
            #expect(handler.held.count == 6)
        }
    }

    @Test func `a limit counts the bytes that were held once`() async throws {
        let handler = ScriptedHandler(
            handle: { handler, exchange in
                handler.note("\(exchange.request.bodyExceededLimit)")
                exchange.echo()
            }, held: { _, exchange in exchange.proceed() }, receive: { _ in .hold(.body, limit: 6) })
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            client.send(Phase.end.sent)
            #expect(try await client.answer().text == "POST /one\nabcdef")
            client.send("POST /one HTTP/1.1\r\nHost: a\r\nContent-Length: 7\r\n\r\nabcdefg")
            #expect(try await client.answer().text == "POST /one\nabcdef")
            #expect(handler.notes == ["false", "true"])
        }
    }

    @Test func `100 Continue is sent only when a request held at its start proceeds`() async throws {
        let handler = ScriptedHandler(receive: { _ in .hold(.start, limit: 100) })
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            client.send("POST /one HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 6\r\n\r\n")
            try #require(await handler.waits(forKept: 1))
            let other = try RawClient(port: server.port)
            other.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            try #require(await handler.waits(forKept: 2))
            #expect(client.readBlocking(.milliseconds(1)).bytes.isEmpty)
            for exchange in handler.takeHeld() { exchange.proceed() }
            #expect(await client.read(25).bytes == Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
            client.take(25)
            client.send("abcdef")
            #expect(try await client.answer().text == "POST /one\nabcdef")
            #expect(try await other.answer().text == "GET /\n")
        }
    }

    @Test func `a request without a body is not held at it`() async throws {
        let handler = ScriptedHandler(receive: { _ in .hold(.body, limit: 100) })
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            client.send("GET /one HTTP/1.1\r\nHost: a\r\n\r\nPOST /two HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
            client.send(Self.chunked + "0\r\n\r\n")
            for text in ["GET /one\n", "POST /two\n", "POST /one\n"] { #expect(try await client.answer().text == text) }
            #expect(handler.held.isEmpty)
        }
    }

    @Test func `a request that is held takes no answer`() async throws {
        let response = Response(status: 200)
        let handler = ScriptedHandler(
            held: { handler, exchange in
                handler.note("\(exchange.deliver(.answer(response)))")
                handler.note("\(exchange.deliver(.disturbed(response, Transmission())))")
                handler.note("\(exchange.deliver(.empty))")
                handler.note("\(exchange.proceed())")
            }, receive: { _ in .hold(.start, limit: 100) })
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            client.send(Phase.start.sent)
            #expect(await client.read().end == .closed)
            #expect(handler.notes == ["false", "false", "true", "false"])
        }
    }

    @Test(arguments: [Phase.start, .body], WaitTests.Leaving.allCases)
    func `a client that leaves while it is held is noticed`(phase: Phase, leaving: WaitTests.Leaving) async throws {
        let handler = phase.handler { handler, exchange in
            handler.hold(exchange)
            exchange.onHangUp { handler.note("left") }
        }
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            client.send(phase.sent)
            try #require(await handler.waits(forKept: 1))
            #expect(handler.notes.isEmpty)
            switch leaving {
            case .close: client.close()
            case .reset: client.reset()
            }
            #expect(await handler.waits(forNote: "left"))
            for exchange in handler.takeHeld() { exchange.proceed() }
            #expect(await handler.waits(forCompleted: 1))
            #expect(handler.handled.isEmpty && handler.notes == ["left"])
        }
    }
}

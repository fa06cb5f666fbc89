import Foundation
import SparringHTTP
import Support
import Testing

/// Many exchanges that wait at once, and the end of their waits when the server stops.
@Suite(.serialized) struct StallTests {
    private static let response = Response(status: 200, body: .bytes(Array("0123456789".utf8)))

    /// A handler that lets an exchange wait, in the way that its target names.
    private static func handler() -> ScriptedHandler {
        ScriptedHandler(
            handle: { handler, exchange in
                switch exchange.request.head.target {
                case "/stall": handler.deliver(.stall, on: exchange)
                case "/cut": handler.deliver(.disturbed(response, Transmission(cut: (.stall, .body(after: 4)))), on: exchange)
                case "/pause":
                    handler.deliver(.disturbed(response, Transmission(pauses: [.init(after: 4) { _ in }])), on: exchange)
                case "/slices":
                    let pace = Transmission.Pace.slices(size: 4, gap: .seconds(3600))
                    handler.deliver(.disturbed(response, Transmission(pace: pace)), on: exchange)
                default: exchange.echo()
                }
            }, held: { handler, _ in handler.note("held") },
            receive: { $0.target == "/hold" ? .hold(.start, limit: 100) : .read(limit: 100) })
    }

    /// Sends a request and waits until the server has come as far with it as it will.
    private static func wait(_ client: any WireClient, at target: String) async throws {
        await client.write("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
        if ["/cut", "/pause", "/slices"].contains(target) {
            #expect(await client.read(within: patience, until: HalfAnswer.has("0123")).end == .met)
        }
    }

    private static var threads: Int { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task"))?.count ?? 0 }

    @Test func `hundreds wait without a thread each while others are served`() async throws {
        let targets = ["/stall", "/cut", "/pause", "/slices", "/hold"]
        let handler = Self.handler()
        try await Wire.withServer(handler) { server in
            let before = Self.threads
            var clients: [RawClient] = []
            for number in 0..<500 {
                // Each asks as soon as it is connected: who says nothing for long is thrown out.
                clients.append(try RawClient(port: server.port))
                try await Self.wait(clients[number], at: targets[number / 100])
            }
            #expect(Self.threads - before < 300)  // other tests run beside this one
            let other = try RawClient(port: server.port)
            for _ in 0..<100 {
                other.send("GET /other HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try await other.answer().text == "GET /other\n")
            }
            #expect(clients.allSatisfy(\.isUp) && handler.completions.count <= 100)
        }
    }

    @Test(arguments: Wire.allCases) func `a server that stops ends every wait itself, at its deadline`(wire: Wire) async throws {
        let handler = Self.handler()
        let server = try Wire.start(handler)
        var clients: [String: any WireClient] = [:]
        for target in ["/stall", "/cut", "/pause", "/slices", "/hold"] {
            let client = try await wire.connect(server)
            try await Self.wait(client, at: target)
            clients[target] = client
        }
        try #require(await handler.waits(forNote: "held"))
        #expect(await handler.waits { $0.count { if case .handled = $0 { true } else { false } } == 4 })
        let took = await ContinuousClock().measure { await server.stop(grace: .milliseconds(300)) {} }
        #expect(took >= .milliseconds(300) && took < .seconds(300))
        for (target, client) in clients {
            let (bytes, end) = await client.read()
            #expect(end == .closed, "\(target)")
            let rest = ["/cut": "0123", "/pause": "0123456789", "/slices": "0123456789"][target] ?? ""
            #expect(HalfAnswer(bytes).rest == rest && bytes.isEmpty == ["/stall", "/hold"].contains(target), "\(target)")
        }
        let ends = Set(handler.completions)
        #expect(
            ends == [
                "stalled until the server stopped", "stalled after 4 of 10 bytes of the body until the server stopped", nil,
                "the server stopped",
            ])
    }

    @Test func `waits may begin and end at any moment of the stop`() async throws {
        for round in 0..<20 {
            let handler = Self.handler()
            let server = try Wire.start(handler)
            let clients = try (0..<20).map { _ in try RawClient(port: server.port) }
            for (place, client) in clients.enumerated() {
                let target = ["/stall", "/cut", "/pause", "/slices", "/hold", "/other"][(place + round) % 6]
                client.send(String(repeating: "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n", count: 3))
            }
            await server.stop(grace: .zero) {}
            for client in clients {
                let end = await client.read().end
                #expect(end == .closed || end == .reset)
            }
        }
    }
}

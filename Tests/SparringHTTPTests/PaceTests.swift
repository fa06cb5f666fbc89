import SparringHTTP
import SparringLocks
import Support
import Testing

@testable import struct SparringHTTP.Pacer

/// Answers that arrive whole, but late: their connections are kept.
@Suite(.serialized) struct PaceTests {
    typealias Resume = @Sendable () -> Void

    static let get = "GET /one HTTP/1.1\r\nHost: a\r\n\r\n"
    static let body = "0123456789"

    private static func response(_ body: String = body) -> Response { Response(status: 200, body: .bytes(Array(body.utf8))) }

    /// Pauses that a test ends.
    final class Pauses: Sendable {
        private let begun: (stream: AsyncStream<Resume>, continuation: AsyncStream<Resume>.Continuation) = AsyncStream.makeStream()

        func pause(after: Int? = nil) -> Transmission.Pause {
            Transmission.Pause(after: after) { [begun] resume in begun.continuation.yield(resume) }
        }

        /// Waits for the next one to begin.
        func next() async throws -> Resume {
            var all = begun.stream.makeAsyncIterator()
            return try #require(await all.next())
        }
    }

    @Test(arguments: Wire.allCases) func `what comes before a pause is with the client while it lasts, the rest after it`(wire: Wire)
        async throws
    {
        let pauses = Pauses()
        let handler = ScriptedHandler.delivering { request in
            let transmission = Transmission(pauses: [
                pauses.pause(after: 99), pauses.pause(), pauses.pause(after: 0), pauses.pause(after: 5),
            ])
            return request.head.target == "/one" ? .disturbed(Self.response(), transmission) : .answer(Response(status: 204))
        }
        try await Wire.withServer(handler) { server in
            let client = try await wire.connect(server)
            for _ in 0..<2 {
                await client.write(Self.get)
                for count in [0, 5, 5, 9] {
                    let resume = try await pauses.next()
                    let part = String(Self.body.prefix(count))
                    #expect(await client.read(within: patience, until: HalfAnswer.has(part)).end == .met)
                    let other = try await wire.connect(server)
                    await other.write("GET /two HTTP/1.1\r\nHost: a\r\n\r\n")
                    #expect(try await other.answer().status == 204)
                    #expect(HalfAnswer(await client.read(within: .milliseconds(1)).bytes).rest == part && client.isUp)
                    resume()
                    resume()
                }
                #expect(try await client.answer().text == Self.body)
            }
            #expect(await handler.waits(forCompleted: 10))
            #expect(handler.notes.allSatisfy { $0 == "sent" } && handler.notes.count == 10)
        }
    }

    @Test func `a pause may end as it begins`() async throws {
        let transmission = Transmission(pauses: (0..<10).map { .init(after: $0) { resume in resume() } })
        try await withServer(.delivering { _ in .disturbed(Self.response(), transmission) }) { server in
            let client = try RawClient(port: server.port)
            for _ in 0..<20 {
                client.send(Self.get)
                #expect(try await client.answer().text == Self.body)
            }
        }
    }

    @Test func `an answer without a body is paused before its head`() async throws {
        let pauses = Pauses()
        let handler = ScriptedHandler.delivering { _ in
            .disturbed(Response(status: 204), Transmission(pauses: [pauses.pause(), pauses.pause(after: 3)]))
        }
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            for _ in 0..<2 {
                client.send(Self.get)
                for _ in 0..<2 {
                    let resume = try await pauses.next()
                    #expect(await client.read(within: .milliseconds(1)).bytes.isEmpty)
                    resume()
                }
                #expect(try await client.answer().status == 204)
            }
            client.send(Self.get)
            _ = try await pauses.next()
            client.close()
            #expect(await handler.waits(forNote: "the client left before the answer"))
        }
    }

    @Test(arguments: Wire.allCases, [Transmission.Cut.reset, .close]) func `a pause and slices may come before a cut`(
        wire: Wire, how: Transmission.Cut
    ) async throws {
        let pauses = Pauses()
        let transmission = Transmission(
            cut: (how, .body(after: 8)), pace: .slices(size: 3, gap: .milliseconds(1)), pauses: [pauses.pause(after: 4)])
        try await Wire.withServer(.delivering { _ in .disturbed(Self.response(), transmission) }) { server in
            let client = try await wire.connect(server)
            await client.write(Self.get)
            let resume = try await pauses.next()
            #expect(await client.read(within: patience, until: HalfAnswer.has("0123")).end == .met)
            resume()
            let (bytes, end) = await client.read()
            #expect(HalfAnswer(bytes).rest == "01234567" && end == (how == .reset ? .reset : .closed))
        }
    }

    struct Paced: Sendable, CustomTestStringConvertible {
        var pace: Transmission.Pace
        var count: Int
        var least: Duration
        var wire: Wire
        var testDescription: String { "\(pace), \(wire)" }

        static let all = Wire.allCases.flatMap { wire in
            [
                Paced(pace: .slices(size: 1, gap: .milliseconds(20)), count: 10, least: .milliseconds(180), wire: wire),
                Paced(pace: .slices(size: 4, gap: .milliseconds(50)), count: 10, least: .milliseconds(100), wire: wire),
                Paced(pace: .slices(size: 100_000, gap: .milliseconds(20)), count: 1_000_000, least: .milliseconds(180), wire: wire),
                Paced(pace: .bandwidth(bytesPerSecond: 100), count: 30, least: .milliseconds(300), wire: wire),
                Paced(pace: .bandwidth(bytesPerSecond: 10_000_000), count: 2_000_000, least: .milliseconds(200), wire: wire),
            ]
        }
    }

    @Test(arguments: Paced.all) func `a paced answer arrives whole, not sooner than it may, and its connection is kept`(_ given: Paced)
        async throws
    {
        let body = String(repeating: "x", count: given.count)
        let handler = ScriptedHandler.delivering { _ in .disturbed(Self.response(body), Transmission(pace: given.pace)) }
        try await Wire.withServer(handler) { server in
            let client = try await given.wire.connect(server)
            for _ in 0..<2 {
                let start = ContinuousClock.now
                await client.write(Self.get)
                #expect(try await client.answer().text == body)
                #expect(ContinuousClock.now - start >= given.least)
            }
        }
    }

    @Test func `a pacer deals out slices with gaps between, and bandwidth piece by piece`() {
        let start = ContinuousClock.now
        var slices = Pacer(.slices(size: 4, gap: .seconds(3)))
        #expect(slices.step(at: 0, wanted: 10) == .send(4) && slices.step(at: 1, wanted: 9) == .send(3))
        #expect(slices.step(at: 4, wanted: 6) == .wait(.seconds(3)) && slices.step(at: 4, wanted: 6) == .send(4))
        #expect(slices.step(at: 8, wanted: 2) == .wait(.seconds(3)) && slices.step(at: 8, wanted: 2) == .send(2))
        var bandwidth = Pacer(.bandwidth(bytesPerSecond: 40))
        #expect(bandwidth.step(at: 0, wanted: 10, now: start) == .wait(.milliseconds(50)))
        #expect(bandwidth.step(at: 0, wanted: 10, now: start + .milliseconds(50)) == .send(2))
        #expect(bandwidth.step(at: 2, wanted: 8, now: start + .milliseconds(60)) == .wait(.milliseconds(40)))
        #expect(bandwidth.step(at: 9, wanted: 1, now: start + .milliseconds(250)) == .send(1), "the last piece is shorter")
        bandwidth.restart()
        #expect(bandwidth.step(at: 9, wanted: 1, now: start + .seconds(9)) == .wait(.milliseconds(25)))
        var nothing = Pacer(.bandwidth(bytesPerSecond: 0))
        #expect(nothing.step(at: 0, wanted: 5, now: start) == .wait(.seconds(1)))
    }

    enum Wait: CaseIterable, Sendable {
        case pause, gap, bandwidth, stall

        var transmission: Transmission {
            switch self {
            case .pause: Transmission(pauses: [.init(after: 5) { _ in }])
            case .gap: Transmission(pace: .slices(size: 5, gap: .seconds(3600)))
            case .bandwidth: Transmission(pace: .bandwidth(bytesPerSecond: 1))
            case .stall: Transmission(cut: (.stall, .body(after: 5)))
            }
        }
    }

    @Test(arguments: Wait.allCases, WaitTests.Leaving.allCases)
    func `a client that leaves during a wait is noticed`(wait: Wait, leaving: WaitTests.Leaving) async throws {
        let body = wait == .bandwidth ? String(repeating: "x", count: 3600) : Self.body
        let handler = ScriptedHandler.delivering { _ in .disturbed(Self.response(body), wait.transmission) }
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            client.send(Self.get)
            let part = wait == .bandwidth ? "" : "01234"
            #expect(
                await client.read(within: patience) { HalfAnswer($0).rest.hasPrefix(part) && HalfAnswer($0).head.hasSuffix("\r\n\r\n") }.end
                    == .met)
            switch leaving {
            case .close: client.close()
            case .reset: client.reset()
            }
            #expect(await handler.waits(forCompleted: 1))
            let end = try #require(handler.notes.first)
            let words = wait == .stall ? "stalled after 5 of 10 bytes of the body until the client left" : "the client left after"
            // A reset may come before the wait begins: libmicrohttpd itself sees it then.
            #expect(end.contains(words) || leaving == .reset && end == "the connection failed")
            #expect(handler.notes.count == 1 && handler.completions == [end])
        }
    }
}

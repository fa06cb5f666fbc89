import BirdSupport
import HTTPTypes
import SparringEngine
import SparringJSON
import SparringSandbox
import Support
import Testing

/// Sleeping on a sandbox's clock, as a client with injectable timers does.
@Suite struct ClockWaitTests {
    private static let wait = "/__admin/sandboxes/default/clock/wait"

    private func waiting(_ server: TestServer) async throws -> [String] {
        try await server.admin(.get, "clock")["pending"]?.array?.map { "\($0["due"]?.string ?? "") \($0["what"]?.string ?? "")" } ?? []
    }

    @Test(arguments: TestServer.Speed.allCases)
    func `an advance wakes each client that waits at its time, in order, and each gets that time`(_ speed: TestServer.Speed) async throws {
        try await Aviary.run(speed) { server in
            async let later = server.admin(.get, "clock/wait?for=3s&timeout=300s")
            try await server.untilPending()
            async let sooner = server.admin(.get, "clock/wait?until=2026-01-01T00:00:01Z&timeout=300s")
            try await server.untilPending(2)
            #expect(try await waiting(server) == ["2026-01-01T00:00:01.000Z a client waits", "2026-01-01T00:00:03.000Z a client waits"])
            let advanced = try await server.admin(.post, "clock/advance", ["by": "1h"])
            #expect(advanced == ["now": "2026-01-01T01:00:00.000Z", "ran": 2, "settled": true])
            #expect(try await sooner["now"] == "2026-01-01T00:00:01.000Z")
            #expect(try await later["now"] == "2026-01-01T00:00:03.000Z")
            #expect(try await waiting(server).isEmpty)
        }
    }

    @Test(arguments: TestServer.Speed.allCases)
    func `a back-off of 31 s is slept through on a frozen clock, step by step`(_ speed: TestServer.Speed) async throws {
        try await Aviary.run(speed) { server in
            try await server.arm("\(findBird) status code=503 times=5")
            async let statuses = backOff(server)
            for step in [1, 2, 4, 8, 16] {
                try await server.untilPending()
                try await server.admin(.post, "clock/advance", ["by": .string("\(step)s")])
            }
            #expect(try await statuses == [503, 503, 503, 503, 503, 200])
            let times = try await server.journal("?operation=\(findBird)").compactMap { $0["sandboxTime"]?.string?.suffix(7) }
            #expect(times == ["00.000Z", "01.000Z", "03.000Z", "07.000Z", "15.000Z", "31.000Z"])
        }
    }

    private func backOff(_ server: TestServer) async throws -> [Int] {
        var statuses = [try await server.find().status]
        for step in [1, 2, 4, 8, 16] where statuses.last != 200 {
            try await server.admin(.get, "clock/wait?for=\(step)s&timeout=300s")
            statuses.append(try await server.find().status)
        }
        return statuses
    }

    @Test func `a clock that is there already answers at once, and one that runs or is set comes there by itself`() async throws {
        try await Aviary.run(.pipeline) { server in
            for query in ["for=0s", "until=2026-01-01T00:00:00Z", "until=2000-01-01T00:00:00Z"] {
                #expect(try await server.admin(.get, "clock/wait?\(query)&timeout=0s")["now"] == "2026-01-01T00:00:00.000Z")
            }
            async let set = server.admin(.get, "clock/wait?for=1h&timeout=300s")
            try await server.untilPending()
            try await server.admin(.put, "clock", ["mode": "frozen", "now": "2026-01-01T02:00:00Z"])
            #expect(try await set["now"] == "2026-01-01T02:00:00.000Z")
            try await server.admin(.put, "clock", ["mode": "rate", "rate": 1_000_000])
            #expect(try await server.admin(.get, "clock/wait?for=1h&timeout=300s")["now"]?.string ?? "" >= "2026-01-01T03:00:00.000Z")
        }
    }

    @Test func `a wait that times out says how far the clock came, and is pending no longer`() async throws {
        try await Aviary.run(.pipeline) { server in
            let answer = try await server.send(.get, Self.wait + "?for=31s&timeout=20ms", headers: [.init("X-Sparring-Lane")!: "ada"])
            let problem = Problem(answer)
            #expect(problem.words == "408 wait-timed-out")
            #expect(
                problem.detail == "the sandbox's clock did not reach 2026-01-01T00:00:31.000Z within 20 ms: "
                    + "it shows 2026-01-01T00:00:00.000Z, 31 s too early")
            #expect(answer.json?["clock"] == ["mode": "frozen", "now": "2026-01-01T00:00:00.000Z", "rate": 0, "pending": []])
            #expect(try await server.admin(.post, "clock/advance", ["by": "1h"])["ran"] == 0)
        }
    }

    @Test func `who waits is named by its lane, and is pending no longer when it hangs up`() async throws {
        try await TestServer.run { server in
            let client = try RawClient(port: server.addresses.port)
            client.send("GET \(Self.wait)?for=1h&timeout=300s HTTP/1.1\r\nHost: localhost\r\nX-Sparring-Lane: ada\r\n\r\n")
            try await server.untilPending()
            #expect(try await waiting(server) == ["2026-01-01T01:00:00.000Z a client waits (ada)"])
            client.close()
            try await server.untilPending(0)
            #expect(try await server.admin(.post, "clock/advance", ["by": "2h"])["ran"] == 0)
        }
    }

    @Test(arguments: [("reset", "the sandbox was reset"), ("delete", "the sandbox was deleted")], TestServer.Speed.allCases)
    func `a reset or deletion of the sandbox lets go who waits`(_ row: (how: String, why: String), _ speed: TestServer.Speed) async throws {
        try await Aviary.run(speed) { server in
            async let answer = server.send(.get, Self.wait + "?for=1h&timeout=300s")
            try await server.untilPending()
            if row.how == "reset" { try await server.admin(.post, "reset") } else { try await server.admin(.delete, "") }
            let problem = Problem(try await answer)
            #expect(problem.words == "410 wait-released")
            #expect(problem.detail == "\(row.why): the clock does not continue")
            if row.how == "reset" { #expect(try await waiting(server).isEmpty) }
        }
    }

    @Test(arguments: [
        ("", "400 request-malformed until"), ("?for=1s&until=2026-01-01T00:00:00Z", "400 request-malformed for"),
        ("?until=noon", "400 request-malformed until"), ("?for=soon", "400 request-malformed for"),
        ("?for=4000d", "400 request-malformed for"), ("?for=1s&timeout=x", "400 request-malformed timeout"),
        ("?until=2026-02-30T00:00:00Z", "400 request-malformed until"),
    ])
    func `what cannot be waited for is refused with its place`(_ query: String, _ words: String) async throws {
        try await Aviary.run(.pipeline) { server in
            let problem = try await server.problem(.get, Self.wait + query)
            #expect(problem.words == words)
            #expect(
                try await server.problem(.get, "/__admin/sandboxes/defautl/clock/wait?for=0s").nearest == ["default"])
            #expect(try await waiting(server).isEmpty)
        }
    }
}

import BirdSupport
import HTTPTypes
import SparringEngine
import SparringJSON
import SparringSandbox
import Support
import Testing

/// The effect of a fault on the call that it strikes, on the wire and in the journal.
@Suite struct FaultEffectTests {
    // MARK: Delay

    @Test(arguments: TestServer.Speed.allCases)
    func `a delay on a frozen clock holds the call until the clock is advanced`(_ speed: TestServer.Speed) async throws {
        try await Aviary.run(speed) { server in
            try await server.arm("\(findBird) delay by=2s times=1")
            async let answer = server.find("ada")
            try await server.untilPending()
            let pending = try await server.admin(.get, "clock")["pending"]
            #expect(
                pending == [["due": "2026-01-01T00:00:02.000Z", "what": "parrot.findBird of ada, delayed by fault 1"]])
            #expect(try await server.journal("?kind=exchange").isEmpty)
            // Others are not held up by it.
            #expect(try await server.find("bob").status == 200)
            #expect(
                try await server.admin(.post, "clock/advance", ["by": "1999ms"]) == [
                    "now": "2026-01-01T00:00:01.999Z", "ran": 0, "settled": true,
                ])
            #expect(try await server.journal("?lane=ada").isEmpty)
            #expect(
                try await server.admin(.post, "clock/advance", ["by": "1ms"]) == [
                    "now": "2026-01-01T00:00:02.000Z", "ran": 1, "settled": true,
                ])
            // When advance returns, the exchange has been decided, committed and answered.
            let entry = try #require(try await server.journal("?lane=ada").last)
            #expect(entry["answer"]?["status"] == 200 && entry["faults"] == [1])
            #expect(entry["answer"]?["delivery"] == "delayed by 2 s before the decision")
            #expect(entry["sandboxTime"] == "2026-01-01T00:00:02.000Z", "it was decided at the time it was held up to")
            #expect(try await answer.status == 200)
        }
    }

    @Test(arguments: TestServer.Speed.allCases)
    func `a delay after the decision: what was decided is committed before the client hears of it`(_ speed: TestServer.Speed) async throws {
        try await Aviary.run(speed) { server in
            try await server.arm("\(findBird) delay by=10m phase=onResponseStart times=1")
            async let answer = server.find("ada")
            try await server.untilPending()
            let entry = try await server.entry()
            #expect(entry["answer"]?["status"] == 200 && entry["answer"]?["delivery"] == "delayed by 10 min after the decision")
            #expect(entry["sandboxTime"] == "2026-01-01T00:00:00.000Z")
            #expect(try await server.admin(.post, "clock/advance", ["by": "10m"])["ran"] == 1)
            #expect(try await answer.status == 200)
            #expect(try await server.journal("?operation=\(findBird)").count == 1)
        }
    }

    @Test func `on a running clock a delay takes its time, on a fast one a part of it`() async throws {
        try await Aviary.run(.pipeline, clock: ["mode": "real"]) { server in
            try await server.arm("* delay by=30ms")
            let start = ContinuousClock.now
            #expect(try await server.find().status == 200)
            #expect(ContinuousClock.now - start >= .milliseconds(30))
            try await server.admin(.put, "clock", ["mode": "rate", "rate": 100_000])
            try await server.admin(.delete, "faults")
            try await server.arm("* delay by=30m")
            let later = ContinuousClock.now
            #expect(try await server.find().status == 200)
            #expect((.milliseconds(18)...(.seconds(300))).contains(ContinuousClock.now - later))
        }
    }

    @Test func `removing the fault leaves what it already delays to its course`() async throws {
        try await Aviary.run(.pipeline) { server in
            try await server.arm("* delay by=2s")
            async let answer = server.find()
            try await server.untilPending()
            try await server.admin(.delete, "faults")
            #expect(try await server.admin(.post, "clock/advance", ["by": "2s"])["ran"] == 1)
            #expect(try await answer.status == 200)
        }
    }

    // MARK: Connection

    struct Cut: Sendable, CustomTestStringConvertible {
        var effect: String
        var phase: String
        var ending: Disturbed
        var delivery: String
        var isDecided: Bool { phase == "onResponseStart" }
        var testDescription: String { "\(effect) \(phase)" }
    }

    static let cuts = [
        Cut(effect: "CONNECTION_RESET_BY_PEER", phase: "onRequestEnd", ending: .reset, delivery: "reset: nothing was decided"),
        Cut(
            effect: "CONNECTION_RESET_BY_PEER", phase: "onResponseStart", ending: .reset,
            delivery: "reset: decided and committed, the answer was lost"),
        Cut(effect: "EMPTY_RESPONSE", phase: "onRequestEnd", ending: .closed, delivery: "closed without an answer: nothing was decided"),
        Cut(
            effect: "EMPTY_RESPONSE", phase: "onResponseStart", ending: .closed,
            delivery: "closed without an answer: decided and committed, the answer was lost"),
    ]

    @Test(arguments: cuts, TestServer.Speed.allCases)
    func `a cut connection ends as its name says, and the journal says whether anything was decided`(_ cut: Cut, _ speed: TestServer.Speed)
        async throws
    {
        try await Aviary.run(speed) { server in
            try await server.arm("\(findBird) \(cut.effect) phase=\(cut.phase) times=1")
            await #expect(throws: cut.ending) { try await server.find() }
            let entry = try await server.entry()
            #expect(entry["answer"]?["delivery"] == .string(cut.delivery))
            #expect(entry["answer"]?["name"] == (cut.isDecided ? "bird-found" : nil))
            #expect(entry["answer"]?["status"] == (cut.isDecided ? 200 : nil))
            #expect(entry["faults"] == [1])
            if !cut.isDecided { #expect(entry["cause"] == "fault 1") }
            #expect(try await server.find().status == 200)
        }
    }

    @Test(arguments: cuts) func `on the wire it is a true RST, or a FIN without a byte`(_ cut: Cut) async throws {
        try await Aviary.run { server in
            try await server.arm("\(findBird) \(cut.effect) phase=\(cut.phase)")
            for _ in 0..<3 {
                let client = try RawClient(port: server.addresses.port)
                client.send("GET \(birdTarget()) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                let (bytes, end) = await client.read()
                #expect(bytes.isEmpty && end == (cut.ending == .reset ? .reset : .closed))
            }
        }
    }

    // MARK: Status and refusal

    @Test(arguments: TestServer.Speed.allCases)
    func `a status takes the contract's body for a service that is unavailable, and says when to come again`(_ speed: TestServer.Speed)
        async throws
    {
        try await Aviary.run(speed) { server in
            try await server.arm("\(findBird) status code=503 retry-after=1500ms times=1")
            try await server.arm("\(findBird) status code=429 times=1 skip=1")
            try await server.arm("\(findBird) status code=429 retry-after=2m times=1 skip=2")
            try await server.arm("\(findBird) status code=418 times=1 skip=3")
            let unavailable = try await server.find()
            #expect(unavailable.status == 503 && unavailable.json == ["error": "not-now"])
            #expect(unavailable.headers[.retryAfter] == "2", "rounded up: nobody who obeys may come too early")
            let limited = try await server.find()
            #expect(limited.status == 429 && limited.headers[.retryAfter] == "2", "the contract's example")
            #expect(try await server.find().headers[.retryAfter] == "120")
            let teapot = try await server.find()
            #expect(teapot.status == 418 && teapot.body.isEmpty)
            let entries = try await server.journal("?operation=\(findBird)")
            #expect(entries.map { $0["answer"]?["status"] } == [503, 429, 429, 418])
            #expect(entries.map { $0["answer"]?["name"] } == ["unavailable", "rate-limited", "rate-limited", nil])
            #expect(entries.map { $0["cause"] } == (1...4).map { .string("fault \($0) forced it") })
            #expect(try await server.journal("?kind=finding").isEmpty)
        }
    }

    @Test(arguments: TestServer.Speed.allCases)
    func `a status that a refusal has too is no refusal, and has the headers that the fault names`(_ speed: TestServer.Speed) async throws {
        try await Aviary.run(speed) { server in
            try await server.arm("\(findBird) status code=404 times=1")
            try await server.arm(#"\#(findBird) status code=302 location=/login set-header:Set-Cookie="a=b; Path=/" times=1 skip=1"#)
            let gone = try await server.find()
            #expect(gone.status == 404 && gone.body.isEmpty, "not the contract's bird-unknown: \(gone.text)")
            let moved = try await server.find()
            #expect(moved.status == 302 && moved.headers[.location] == "/login" && moved.headers[.setCookie] == "a=b; Path=/")
            #expect(try await server.journal("?operation=\(findBird)").map { $0["answer"]?["name"] } == [nil, nil])
        }
    }

    @Test(arguments: TestServer.Speed.allCases)
    func `a refusal by name is the contract's own answer`(_ speed: TestServer.Speed) async throws {
        try await Aviary.run(speed) { server in
            try await server.arm("parrot.* bird-unknown times=1")
            let answer = try await server.find()
            #expect(answer.status == 404 && answer.json == ["error": "no-such-bird"])
            let entry = try await server.entry()
            #expect(entry["answer"]?["name"] == "bird-unknown" && entry["cause"] == "fault 1 forced it" && entry["faults"] == [1])
            #expect(try await server.find().status == 200)
        }
    }

    @Test func `nothing on the wire tells a forced refusal from a true one, and the journal names the fault that forced it`() async throws {
        try await Aviary.run(.pipeline) { server in
            try await server.arm("* delay by=0s")
            try await server.arm("magpie.swap swapped-before")
            let answer = try await server.send("/magpie/shinies/swaps", form: ["thing": "ring"])
            #expect(answer.json == ["error": "swapped-before", "thing": "ring"])
            #expect(try await server.entry("magpie.swap")["cause"] == "fault 2 forced it")
        }
    }

    // MARK: Several

    @Test func `two faults on one call compose: delays add up, then the first replacement counts`() async throws {
        try await Aviary.run(.pipeline) { server in
            try await server.arm("* delay by=1s times=1")
            try await server.arm("* status code=503 times=1")
            try await server.arm("* delay by=2s times=1")
            try await server.arm("* rate-limited times=1")
            try await server.arm("* delay by=4s phase=onResponseStart times=1")
            async let answer = server.find("ada")
            try await server.untilPending()
            #expect(try await server.admin(.post, "clock/advance", ["by": "2999ms"])["ran"] == 0)
            #expect(try await server.admin(.post, "clock/advance", ["by": "1ms"])["ran"] == 1)
            let entry = try await server.entry()
            #expect(entry["answer"]?["status"] == 503 && entry["faults"] == [1, 2, 3, 4, 5])
            #expect(entry["answer"]?["delivery"] == "delayed by 3 s before the decision; delayed by 4 s after the decision")
            #expect(try await server.admin(.post, "clock/advance", ["by": "1h"])["ran"] == 1)
            #expect(try await answer.status == 503)
            #expect(try await server.find().status == 200)
        }
    }

    @Test func `one advance runs both delays of a call, before and after its decision`() async throws {
        try await Aviary.run(.pipeline) { server in
            try await server.arm("* delay by=2s")
            try await server.arm("* delay by=3s phase=onResponseStart")
            async let answer = server.find()
            try await server.untilPending()
            #expect(
                try await server.admin(.post, "clock/advance", ["by": "5s"]) == [
                    "now": "2026-01-01T00:00:05.000Z", "ran": 2, "settled": true,
                ])
            #expect(try await server.entry()["sandboxTime"] == "2026-01-01T00:00:02.000Z")
            #expect(try await answer.status == 200)
        }
    }

    @Test(arguments: TestServer.Speed.allCases)
    func `a delayed cut waits first, and a refusal whose answer is lost is recorded as both`(_ speed: TestServer.Speed) async throws {
        try await Aviary.run(speed) { server in
            try await server.arm("* delay by=2s times=1")
            try await server.arm("* EMPTY_RESPONSE times=1")
            async let first = server.attempt("ada")
            try await server.untilPending()
            #expect(try await server.admin(.post, "clock/advance", ["by": "2s"])["ran"] == 1)
            #expect(try await first == .failure(.closed))
            #expect(
                try await server.entry()["answer"]?["delivery"]
                    == "delayed by 2 s before the decision; closed without an answer: nothing was decided")

            try await server.arm("* rate-limited times=1")
            try await server.arm("* CONNECTION_RESET_BY_PEER phase=onResponseStart times=1")
            #expect(try await server.attempt() == .failure(.reset))
            let lost = try await server.entry()
            #expect(lost["answer"]?["name"] == "rate-limited" && lost["faults"] == [3, 4])
            #expect(lost["answer"]?["delivery"] == "reset: decided and committed, the answer was lost")
        }
    }

    @Test func `a hundred delayed calls hold no thread, and one advance answers them all`() async throws {
        try await Aviary.run { server in
            try await server.arm("* delay by=5s times=100")
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<100 { group.addTask { try await server.find("lane-\(number)").status } }
                try await server.untilPending(100)
                #expect(try await server.find("other").status == 200)
                #expect(try await server.admin(.post, "clock/advance", ["by": "5s"])["ran"] == 100)
                #expect(try await server.journal("?operation=\(findBird)").count == 101)
                for try await status in group { #expect(status == 200) }
            }
        }
    }
}

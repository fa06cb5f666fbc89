import BirdSupport
import HTTPTypes
import SparringJSON
import SparringSandbox
import Support
import Testing

/// When a fault is in force, and for whom.
@Suite struct FaultConditionTests {
    // MARK: Time

    @Test(arguments: [
        // A call every 10 s from the arming on, at 0 s, 10 s, …
        ("ttl=31s", "xxxx...."), ("ttl=30s", "xxx....."), ("between=10s..40s", ".xxx...."), ("between=0s..1s", "x......."),
        ("between=2026-01-01T00:00:20Z..2026-01-01T00:00:40Z", "..xx...."), ("between=30s..2026-01-01T00:01:00Z", "...xxx.."),
        ("ttl=31s skip=1 times=2", ".xx....."), ("between=20s..1h every=2", "..x.x.x."),
    ])
    func `a fault is in force for its time, and counts only what comes within it`(_ trigger: String, _ pattern: String) async throws {
        try await Aviary.run(.pipeline) { server in
            try await server.arm("\(findBird) status code=503 \(trigger)")
            var seen = ""
            for _ in 0..<8 {
                seen += try await server.finds(1)
                try await server.admin(.post, "clock/advance", ["by": "10s"])
            }
            #expect(seen == pattern)
        }
    }

    @Test func `time counts from the arming, over a restart too, and a fault that is over says so`() async throws {
        try await TemporaryFolder.database { database in
            try await Aviary.run(.pipeline, database: database) { server in
                try await server.admin(.post, "clock/advance", ["by": "1h"])
                try await server.arm("\(findBird) status code=503 ttl=31s")
                #expect(try await server.admin(.get, "faults/1")["since"] == "2026-01-01T01:00:00.000Z")
                #expect(try await server.admin(.get, "faults/1")["left"] == nil)
                try await server.admin(.post, "clock/advance", ["by": "20s"])
            }
            try await Aviary.run(.pipeline, database: database) { server in
                #expect(try await server.finds(1) == "x")
                try await server.admin(.post, "clock/advance", ["by": "11s"])
                #expect(try await server.finds(1) == ".")
                let fault = try await server.admin(.get, "faults/1")
                #expect(fault["since"] == "2026-01-01T01:00:00.000Z" && fault["left"] == 0 && fault["hits"] == 1 && fault["matched"] == 1)
            }
        }
    }

    // MARK: Whom

    @Test(arguments: [
        ("subject=ada", "x."), ("subject=bob", ".x"), ("subject=a*", "x."), ("subject=*", "xx"), ("subject=*a*a", "x."),
        ("subject=ad", ".."),
        ("account=macaws", "xx"), ("account=mac*", "xx"), ("account=gulls", ".."), ("account=macaws subject=bob", ".x"),
        ("header:User-Agent=\"An App/1\"", "xx"), ("header:user-agent=*/1", "xx"), ("header:User-Agent=App", ".."),
        ("header:X-Missing=*", ".."), ("header:X-Sparring-Lane=ada", "x."),
    ])
    func `a fault is for those whom all its conditions name`(_ match: String, _ pattern: String) async throws {
        try await Aviary.run(.pipeline) { server in
            try await server.arm("\(findBird) status code=503 \(match)")
            var seen = ""
            for lane in ["ada", "bob"] {
                let headers: HTTPFields = [.init("X-Sparring-Lane")!: lane, .userAgent: "An App/1"]
                seen += mark(try await server.send(.get, birdTarget(), headers: headers).status)
            }
            #expect(seen == pattern)
            let matched = pattern.filter { $0 == "x" }.count
            #expect(try await server.admin(.get, "faults/1")["matched"]?.integer == Int64(matched), "others are not counted")
        }
    }

    @Test(arguments: [
        ("body:/thing=ring", true), ("body:/for=c*", true), ("body:/for=*1", false), ("body:/none=*", false),
        ("body:/thing=ring body:/for=c", true), ("body:/thing=ring body:/for=d", false),
    ])
    func `a form's fields are found by JSON Pointer`(_ match: String, _ strikes: Bool) async throws {
        try await Aviary.run(.pipeline) { server in
            try await server.arm("magpie.swap rate-limited \(match)")
            let answer = try await server.send("/magpie/shinies/swaps", form: ["thing": "ring", "for": "c"])
            #expect((answer.status == 429) == strikes, "\(answer.status)")
        }
    }

    @Test func `numbers, booleans and nested members of JSON are compared as they are written`() async throws {
        try await Aviary.run(.pipeline) { server in
            for (match, strikes) in [("/a/b/0=1", true), ("/a/b/1=true", true), ("/a/b/0=2", false), ("/a/c=x y", true), ("/a=*", true)] {
                try await server.admin(
                    .post, "faults",
                    [
                        "where": "parrot.admitBird", "effect": "rate-limited",
                        "body:\(match.prefix { $0 != "=" })": .string(String(match.split(separator: "=")[1])),
                    ])
                let answer = try await server.send(
                    .post, birdsTarget(), json: ["a": ["b": [1, true], "c": "x y"]])
                #expect((answer.status == 429) == strikes, "\(match): \(answer.status)")
                try await server.admin(.delete, "faults")
            }
        }
    }

    // MARK: Counting by lane

    @Test func `a fault that counts by lane shows what each lane has met`() async throws {
        try await Aviary.run(.pipeline) { server in
            try await server.arm("\(findBird) status code=503 times=2 per=lane")
            _ = try await server.finds(3, lane: "ada")
            _ = try await server.finds(1, lane: "bob")
            let fault = try await server.admin(.get, "faults/1")
            #expect(fault["left"] == nil)
            #expect(fault["lanes"] == ["ada": ["hits": 2, "left": 0, "matched": 3], "bob": ["hits": 1, "left": 1, "matched": 1]])
        }
    }
}

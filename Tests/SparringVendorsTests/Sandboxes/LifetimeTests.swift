import HTTPTypes
import SparringAdmin
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox
import Support
import Testing

/// Sandboxes end by themselves, and a server takes as many as it may.
@Suite struct LifetimeTests {
    private static let sandboxes = "/__admin/sandboxes"

    private static func make(_ server: TestServer, _ form: JSON) async throws -> TestAnswer {
        try await server.send(.post, sandboxes, json: form)
    }

    @Test func `a sandbox that nobody uses ends, and all that is left is a sentence`() async throws {
        try await TemporaryFolder.database { database in
            try await TestServer.run(database: database) { server in
                let made = try await Self.make(server, ["name": "short", "ttl": "1s", "tenants": ["liveperson": ["accountId": "brief"]]])
                #expect(made.status == 201 && made.json?["ends"]?.string != nil, "\(made.text)")
                #expect(try await Self.make(server, ["name": "long", "ttl": "1h"]).status == 201)
                #expect(try await server.lookUp(account: "brief").status == 200)
                try await until { try await server.send(.get, Self.sandboxes).json?["sandboxes"]?.array?.count == 2 }
                let gone = try await server.problem(.get, Self.sandboxes + "/short/journal")
                #expect(gone.words == "410 sandbox-ended" && gone.detail.contains("it was not used for 1 s"), "\(gone.detail)")
                #expect(try await server.lookUp(account: "brief").status == 404)
                let unplaced = try await server.send(.get, "/__admin/unplaced").json?["entries"]?.array?.last?["reason"]?.string
                #expect(unplaced?.contains("sandbox 'short' ended at") == true, "\(unplaced ?? "")")
            }
            let rows = try Dump.rows(of: "short", in: database).filter { $0.value > 0 }
            #expect(rows == ["ended_sandbox": 1])
            try await TestServer.run(database: database) { server in
                let ended = try await server.problem(.get, Self.sandboxes + "/short")
                #expect(ended.words == "410 sandbox-ended")
                // Another of its name takes the sentence's place.
                #expect(try await Self.make(server, ["name": "short"]).status == 201)
                #expect(try await server.send(.delete, Self.sandboxes + "/short").status == 204)
                #expect(try await server.problem(.get, Self.sandboxes + "/short").words == "404 sandbox-unknown")
            }
            #expect(try Dump.rows(of: "short", in: database).filter { $0.value > 0 }.isEmpty)
        }
    }

    @Test func `use puts the end off, unless the time counts from the making`() async throws {
        try await TestServer.run { server in
            _ = try await Self.make(server, ["name": "used", "ttl": "1h"])
            _ = try await Self.make(server, ["name": "fixed", "ttl": "1h", "ttlRenews": false])
            func ends(_ sandbox: String) -> Timestamp? { server.engine.world.sandbox(sandbox)?.ends }
            let (used, fixed) = (try #require(ends("used")), try #require(ends("fixed")))
            try await until {
                for sandbox in ["used", "fixed"] { _ = try await server.admin(.get, "clock", sandbox: sandbox) }
                return ends("used") != used
            }
            let renewed = try #require(ends("used"))
            #expect(renewed > used && ends("fixed") == fixed)
            let before = try #require(ends("used"))
            let account = try await server.admin(.get, "tenants/liveperson", sandbox: "used")["accountId"]?.string ?? ""
            try await until {
                _ = try await server.lookUp(account: account)
                return try #require(ends("used")) > before
            }
            // Listing all of them uses none.
            let idle = ends("used")
            _ = try await server.send(.get, Self.sandboxes)
            #expect(ends("used") == idle)
        }
    }

    @Test(
        arguments: [
            ("2h", nil, "2h"), ("none", "", "this server lets no sandbox live longer than 2 h (--max-ttl 2h)"), (nil, nil, "30m"),
            ("3h", "", "this server lets no sandbox live longer than 2 h (--max-ttl 2h)"), ("1ms", "", "1ms is shorter than 1 s"),
            ("10", "", "'10' has no unit; try 10s, 10m or 10ms"),
        ] as [(String?, String?, String)])
    func `what a sandbox asks for is held to what the server lets it have`(ttl: String?, problem: String?, expected: String) async throws {
        let limits = LifetimeLimits(standard: .seconds(1800), longest: .seconds(7200))
        try await TestServer.run(.pipeline, configure: { $0.lifetimes = limits }) { server in
            let answer = try await Self.make(server, .members(["name": "x", "ttl": ttl.map { .string($0) }]))
            if problem != nil {
                #expect(answer.status == 422 && answer.text.contains(expected), "\(answer.text)")
                #expect(answer.json?["violations"]?.array?.first?["pointer"] == "/ttl")
            } else {
                #expect(answer.status == 201, "\(answer.text)")
                #expect(server.engine.world.sandbox("x")?.lifetime?.length.shortText == expected)
            }
            #expect(server.engine.world.sandbox("default")?.ends == nil)
        }
    }

    // MARK: Room

    @Test func `a full server says who fills it`() async throws {
        try await TestServer.run(configure: { $0.engine.limits.sandboxes = 2 }) { server in
            #expect(try await Self.make(server, ["name": "one", "ttl": "2h"]).status == 201)
            let refused = try await Self.make(server, ["name": "two"])
            #expect(refused.status == 503 && refused.headers[.retryAfter] == "5", "\(refused.text)")
            #expect(refused.json?["detail"]?.string?.hasPrefix("there are 2 sandboxes, and this server takes 2 (--max-sandboxes)") == true)
            let holders = refused.json?["holders"]?.array?.compactMap(\.string) ?? []
            #expect(
                holders.count == 2 && holders[0].hasSuffix("does not end by itself") && holders[1].hasPrefix("one: made at"), "\(holders)")
            #expect(try await server.send(.delete, Self.sandboxes + "/one").status == 204)
            #expect(try await Self.make(server, ["name": "two"]).status == 201)
        }
        try await TestServer.run(configure: { $0.engine.limits.bytes = 1 }) { server in
            let refused = try await Self.make(server, ["name": "two"])
            #expect(refused.status == 503 && refused.text.contains("--max-size"), "\(refused.text)")
        }
    }

    @Test func `no more sockets are opened than the server takes`() async throws {
        try await TestServer.run(tenants: acme, configure: { $0.engine.limits.sockets = 1 }) { server in
            let scene = MessagingScene(server: server)
            let socket = try await scene.socket("ada")
            await #expect(throws: (any Error).self) { _ = try await scene.socket("ada") }
            let reason = try await server.send(.get, "/__admin/unplaced").json?["entries"]?.array?.last?["reason"]?.string
            #expect(
                reason?.contains("this server opens 1 sockets at once (--max-sockets): sandbox default has 1") == true, "\(reason ?? "")")
            socket.close(1000)
        }
    }

    // MARK: Draining

    @Test func `a server that drains takes nothing new, lets the rest end, and says when it is done`() async throws {
        try await TestServer.run { server in
            #expect(try await Self.make(server, ["name": "last"]).status == 201)
            let (ends, end) = AsyncStream.makeStream(of: Void.self)
            server.onDrained { end.yield() }
            let begun = try await server.send(.post, "/__admin/drain", json: ["deadline": "30m"])
            #expect(begun.status == 200 && begun.json?["sandboxes"] == 1, "\(begun.text)")
            let health = try await server.send(.get, "/__admin/health").json
            #expect(health?["accepting"] == false && health?["draining"]?["since"] == begun.json?["since"])
            #expect(try await server.problem(.get, "/__admin/health?accepting=true").words == "503 not-accepting")
            let refused = try await Self.make(server, ["name": "late"])
            #expect(
                refused.status == 503 && refused.json?["type"] == "urn:sparring:problem:draining" && refused.headers[.retryAfter] == "5")
            #expect(try await server.admin(.get, "clock", sandbox: "last")["mode"] == "real")
            #expect(try await server.send(.delete, "/__admin/drain").status == 204)
            #expect(try await server.send(.get, "/__admin/health?accepting=true").status == 200)
            #expect(try await Self.make(server, ["name": "late"]).status == 201)
            _ = try await server.send(.post, "/__admin/drain", json: [:])
            for name in ["last", "late"] { #expect(try await server.send(.delete, Self.sandboxes + "/\(name)").status == 204) }
            var done = ends.makeAsyncIterator()
            #expect(await done.next() != nil)
        }
    }

    @Test func `a drain ends at its deadline, and at once where there is nothing to wait for`() async throws {
        for hasSandbox in [false, true] {
            try await TestServer.run { server in
                if hasSandbox { _ = try await Self.make(server, [:]) }
                let (ends, end) = AsyncStream.makeStream(of: Void.self)
                server.onDrained { end.yield() }
                _ = try await server.send(.post, "/__admin/drain", json: hasSandbox ? ["deadline": "10ms"] : ["deadline": "1h"])
                var done = ends.makeAsyncIterator()
                #expect(await done.next() != nil)
            }
        }
    }
}

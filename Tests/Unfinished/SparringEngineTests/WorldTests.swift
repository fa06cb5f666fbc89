import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// Time, journal, sandboxes and the guard before them.
@Suite struct WorldTests {
    private static let lookup = "/api/account/acme/service/idp/baseURI.json"
    private static let tenants: JSON.Object = ["liveperson": ["accountId": "acme"]]

    @Test(arguments: TestServer.Speed.allCases)
    func `a delay on a frozen clock lasts until the clock is advanced, which returns when the call is over`(_ speed: TestServer.Speed)
        async throws
    {
        try await TestServer.run(speed, tenants: Self.tenants) { server in
            try await server.admin(.post, "faults", ["fault": "liveperson.lookUpService delay by=10m times=1"])
            async let delayed = server.send(.get, Self.lookup)
            var pending: [JSON] = []
            while pending.isEmpty { pending = try await server.admin(.get, "clock")["pending"]?.array ?? [] }
            #expect(pending.first?["due"] == "2026-01-01T00:10:00.000Z")
            #expect(try await server.admin(.post, "clock/advance", ["by": "9m"])["ran"] == 0)
            let advanced = try await server.admin(.post, "clock/advance", ["by": "PT2M"])
            #expect(advanced == ["now": "2026-01-01T00:11:00.000Z", "ran": 1, "settled": true])
            // Settled means decided and journalled, at the moment when it fell due.
            let entry = try #require(try await server.journal("?operation=liveperson.lookUpService").first)
            #expect(entry["sandboxTime"] == "2026-01-01T00:10:00.000Z")
            #expect(try await delayed.status == 200)
        }
    }

    @Test(
        arguments: [
            (["mode": "fast"], nil), (["mode": "rate"], "/rate"), (["mode": "rate", "rate": 0], nil),
            (["mode": "real", "rate": 2], "/rate"),
            (["mode": "frozen", "now": "yesterday"], nil),
        ] as [(JSON, String?)])
    func `a bad clock setting is refused and changes nothing`(setting: JSON, pointer: String?) async throws {
        try await TestServer.run(.pipeline) { server in
            let before = try await server.admin(.get, "clock")
            let answer = try await server.send(.put, "/__admin/sandboxes/default/clock", json: setting)
            #expect(answer.status == 400 || answer.status == 422)
            #expect(answer.headers[.contentType] == "application/problem+json")
            if let pointer { #expect(answer.json?["violations"]?.array?.first?["pointer"]?.string == pointer, "\(answer.text)") }
            #expect(try await server.admin(.get, "clock") == before)
        }
    }

    @Test func `the journal is bounded, and says what it lost`() async throws {
        let database = FileBox()
        try await TestServer.run(.pipeline, database: database.path, tenants: Self.tenants, configure: { $0.journalLimit = 20 }) { server in
            for _ in 0..<50 { _ = try await server.send(.get, Self.lookup, headers: [.init("X-Sparring-Lane")!: "ada"]) }
            let page = try await server.admin(.get, "journal")
            let numbers = page["entries"]?.array?.compactMap { $0["number"]?.integer } ?? []
            #expect(numbers.last == 50 && numbers.count <= 22 && numbers.count >= 20)
            #expect(page["pruned"]?.integer == 50 - Int64(numbers.count))
            #expect(try await server.send(.get, "/__admin/sandboxes/default/journal/1").status == 410)
            #expect(try await server.send(.get, "/__admin/sandboxes/default/journal/51").status == 404)
            try await server.admin(.delete, "journal")
        }
        try await TestServer.run(.pipeline, database: database.path) { server in
            _ = try await server.send(.get, Self.lookup, headers: [.init("X-Sparring-Lane")!: "ada"])
            let entry = try #require(try await server.journal().first)
            #expect(entry["number"] == 51 && entry["ordinal"] == 51)
            #expect(entry["arrival"]?["process"] == 2)
        }
    }

    @Test func `waiting for the journal ends with the entry, or with what was seen`() async throws {
        try await TestServer.run(.socket, tenants: Self.tenants) { server in
            async let waited = server.send(
                .get, "/__admin/sandboxes/default/journal/wait?operation=liveperson.lookUpService&count=2&timeout=20s")
            for _ in 0..<2 { _ = try await server.send(.get, Self.lookup) }
            #expect(try await waited.json?["entries"]?.array?.count == 2)
            let late = try await server.send(.get, "/__admin/sandboxes/default/journal/wait?operation=liveperson.signUp&timeout=10ms")
            #expect(late.status == 408)
            #expect(late.json?["seen"] == 0 && late.json?["nearest"]?.array?.count == 2, "\(late.text)")
        }
    }

    @Test func `deleting a sandbox leaves nothing, resetting it takes it back to its creation`() async throws {
        try await TestServer.run(.pipeline) { server in
            let created = try await server.send(
                .post, "/__admin/sandboxes",
                json: [
                    "name": "one", "seed": 5, "tenants": Self.tenants.isEmpty ? [:] : ["liveperson": ["accountId": "acme"]],
                    "faults": ["* delay by=0s times=1"],
                ])
            #expect(created.status == 201)
            let code = try await server.admin(.post, "credentials", ["form": "code", "subject": "ada"], sandbox: "one")["credential"]
            _ = try await server.send(.post, "/api/account/acme/app/default/authenticate?v=2.0", json: ["code": code ?? .null])
            try await server.admin(.patch, "tenants/liveperson", ["audience": "acme-web"], sandbox: "one")
            let reset = try await server.admin(.post, "reset", [:], sandbox: "one")
            #expect(reset["tenants"]?["liveperson"]?["accountId"] == "acme" && reset["seed"] == 5)
            #expect(try await server.journal(sandbox: "one") == [])
            #expect(try await server.admin(.get, "faults", sandbox: "one")["faults"]?.array?.first?["matched"] == 0)
            #expect(try await server.admin(.get, "tenants/liveperson", sandbox: "one")["audience"] == "acme-web")
            try await server.admin(.delete, "", sandbox: "one")
            #expect(try await server.send(.get, "/__admin/sandboxes/one").status == 404)
            #expect(try await server.send(.get, Self.lookup).status == 404)
            #expect(
                try await server.send(.post, "/__admin/sandboxes", json: ["name": "two", "tenants": ["liveperson": ["accountId": "acme"]]])
                    .status == 201)
            #expect(
                try await server.send(.post, "/__admin/sandboxes", json: ["tenants": ["liveperson": ["accountId": "acme"]]]).status == 409)
        }
    }

    @Test(
        arguments: [
            (["Host": "evil.example"], 403), (["Origin": "https://evil.example"], 403), (["Host": "127.0.0.1.evil.example:80"], 403),
            ([:], 200),
            (["Host": "default.localhost"], 200),
        ] as [([String: String], Int)])
    func `the admin API is not for pages of others, nor for names that merely lead here`(headers: [String: String], status: Int)
        async throws
    {
        try await TestServer.run(.pipeline) { server in
            var fields = HTTPFields()
            for (name, value) in headers { fields[HTTPField.Name(name)!] = value }
            let answer = try await server.send(.get, "/__admin/version", headers: fields)
            #expect(answer.status == status)
            #expect(answer.headers[.accessControlAllowOrigin] == nil)
        }
    }

    @Test func `with a token, the admin API wants it`() async throws {
        try await TestServer.run(.pipeline, configure: { $0.adminToken = "secret" }) { server in
            let refused = try await server.send(.get, "/__admin/version")
            #expect(refused.status == 401 && refused.headers[.wwwAuthenticate] == "Bearer")
            #expect(try await server.send(.get, "/__admin/version", headers: [.authorization: "Bearer secret"]).status == 200)
        }
    }

    @Test(arguments: TestServer.Speed.allCases)
    func `what fits nowhere is answered, kept, and told what was near`(_ speed: TestServer.Speed) async throws {
        try await TestServer.run(speed, tenants: Self.tenants) { server in
            #expect(try await server.send(.get, "/api/account/acne/service/idp/baseURI.json").json == ["error": "mock-account-unknown"])
            let wrong = try await server.send(.delete, Self.lookup)
            #expect(wrong.status == 405 && wrong.headers[.allow] == "OPTIONS, GET, HEAD")
            #expect(try await server.send(.get, "/api/account/acme/servic/idp/baseURI.json").json?["nearest"]?.array?.isEmpty == false)
            let kept = try await server.send(.get, "/__admin/unplaced").json?["entries"]?.array ?? []
            #expect(kept.count == 3)
            #expect(kept.first?["nearest"] == ["acme"])
        }
    }

    @Test func `web clients may call from pages of any origin`() async throws {
        try await TestServer.run(.socket, tenants: Self.tenants) { server in
            let preflight = try await server.send(
                .options, "/api/account/acme/authenticate",
                headers: [
                    .origin: "https://shop.example", .accessControlRequestMethod: "POST", .accessControlRequestHeaders: "content-type",
                ])
            #expect(preflight.status == 204)
            #expect(preflight.headers[.accessControlAllowOrigin] == "https://shop.example")
            #expect(preflight.headers[.accessControlAllowMethods] == "OPTIONS, POST")
            #expect(preflight.headers[.accessControlAllowHeaders] == "content-type")
            #expect(
                try await server.send(.get, Self.lookup, headers: [.origin: "https://shop.example"]).headers[.accessControlAllowOrigin]
                    == "https://shop.example")
        }
    }
}

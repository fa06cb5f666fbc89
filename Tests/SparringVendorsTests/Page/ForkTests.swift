import GRDB
import HTTPTypes
import SparringAdmin
import SparringEngine
import SparringJSON
@testable import SparringSandbox
import Support
import Testing

/// A new sandbox made of a past one: `POST …/journal/{number}/fork`.
@Suite struct ForkTests {
    @Test func `a fork is as the sandbox was, under other ids, and each goes its own way`() async throws {
        try await TestServer.run(tenants: MessagingScene.tenants) { server in
            let scene = MessagingScene(server: server)
            let socket = try await scene.socket("ada")
            let conversation = try await scene.conversation(socket)
            try await server.admin(.post, "faults", ["fault": "identity.token code-reused times=2"])
            let said: JSON = ["operation": "say", "vendor": "liveperson", "with": ["consumer": "ada", "text": "before"]]
            try await server.admin(.post, "acts", said)
            let entry = try #require(try await server.admin(.get, "journal?tail=1")["entries"]?.array?.last?["number"]?.integer)
            let past = try await server.admin(.get, "journal/\(entry)/world")
            try await server.admin(.post, "acts", ["operation": "close", "vendor": "liveperson", "with": ["consumer": "ada"]])
            try await server.admin(.delete, "faults")

            let fork = try await server.admin(.post, "journal/\(entry)/fork", ["name": "again"])
            #expect(fork["id"] == "again" && fork["seed"] == 1)
            let here = try await server.admin(.get, "")
            for (vendor, tenant) in fork["tenants"]?.object ?? [:] { #expect(tenant != here["tenants"]?[vendor], "\(vendor)") }
            #expect(try await server.admin(.get, "sockets", sandbox: "again") == ["sockets": []])

            let account = try #require(fork["tenants"]?["liveperson"]?["accountId"]?.string)
            let there = try await server.admin(.get, "liveperson/conversations/\(conversation)", sandbox: "again")
            var expected = try #require(past["conversations"]?.array?.first)
            #expect(there["account"]?.string == account && account != "acme")
            expected["account"] = .string(account)
            #expect(there == expected)
            #expect(
                try await server.admin(.get, "faults", sandbox: "again")["faults"]?.array?.first?["text"]
                    == "identity.token code-reused times=2")
            #expect(try await server.admin(.get, "clock", sandbox: "again")["now"] == past["clock"]?["now"])

            // The journal up to there, and a word about where it comes from.
            let journal = try await server.journal(sandbox: "again")
            #expect(Array(journal.dropLast()) == (try await server.journal()).filter { ($0["number"]?.integer ?? 0) <= entry })
            #expect(journal.last?["cause"]?.string?.contains("entry \(entry)") == true)

            // Each goes on alone.
            try await server.admin(
                .post, "acts", ["operation": "say", "vendor": "liveperson", "with": ["consumer": "ada", "text": "there"]], sandbox: "again")
            #expect(try await server.admin(.get, "liveperson/conversations/\(conversation)")["state"] == "CLOSE")
            #expect(try await server.admin(.get, "liveperson/conversations/\(conversation)", sandbox: "again")["state"] == "OPEN")
            try await server.admin(.delete, "", sandbox: "again")
            #expect(try await server.admin(.get, "liveperson/conversations/\(conversation)")["state"] == "CLOSE")
        }
    }

    @Test func `a client that is configured with its ids can sign in to a fork and talk`() async throws {
        try await TestServer.run { server in
            try await server.admin(.post, "clock/advance", ["by": "1s"])
            let fork = try await server.admin(.post, "journal/1/fork")
            #expect(fork["id"] == "default-1")
            let scene = try await Scene(server, sandbox: "default-1")
            let minted = try await server.admin(.post, "credentials", ["form": "jwt", "subject": "ada"], sandbox: "default-1")
            let answer = try await scene.signIn(.v2, token: try #require(minted["credential"]?.string))
            #expect(answer.status == 200, "\(answer.text)")
            let original = try await Scene(server)
            #expect(try await original.signIn(.v2, token: try #require(minted["credential"]?.string)).status != 200, "it is the fork's")
            #expect(try await server.admin(.post, "journal/1/fork")["id"] == "default-1-2")
        }
    }

    /// The same seed, lanes and ordinals: what was left to chance goes on as it would have gone.
    @Test func `chaos goes on in a fork as it does in the sandbox`() async throws {
        try await TestServer.run(.pipeline) { server in
            try await server.admin(.post, "faults", ["fault": "identity.readKeys status code=503 probability=0.4"])
            func calls(_ sandbox: String, _ count: Int) async throws -> [Int] {
                let scene = try await Scene(server, sandbox: sandbox)
                var statuses: [Int] = []
                for _ in 0..<count {
                    statuses.append(
                        try await server.send(.get, "\(scene.provider)/jwks.json", headers: [.init("X-Sparring-Lane")!: "ada"]).status)
                }
                return statuses
            }
            _ = try await calls("default", 5)
            let entry = try #require(try await server.admin(.get, "journal?tail=1")["entries"]?.array?.last?["number"]?.integer)
            let here = try await calls("default", 20)
            try await server.admin(.post, "journal/\(entry)/fork", ["name": "again"])
            #expect(try await calls("again", 20) == here)
            #expect(Set(here) == [200, 503])
        }
    }

    @Test func `a fork survives a restart`() async throws {
        try await TemporaryFolder.database { file in
            let tenants = try await TestServer.run(.pipeline, database: file) { server in
                try await server.admin(.post, "clock/advance", ["by": "1s"])
                return try await server.admin(.post, "journal/1/fork", ["name": "again"])["tenants"]
            }
            try await TestServer.run(.pipeline, database: file) { server in
                let again = try await server.admin(.get, "", sandbox: "again")
                #expect(again["tenants"]?["liveperson"]?["accountId"] == tenants?["liveperson"]?["accountId"])
                #expect(try await server.journal(sandbox: "again").count == 2)
                try await server.admin(.post, "reset", sandbox: "again")
            }
        }
    }

    @Test func `what an earlier version stored, with fewer members, is completed after a restart and in a fork`() async throws {
        try await TemporaryFolder.database { file in
            let before = try await TestServer.run(.pipeline, database: file) { server in
                try await server.admin(.post, "clock/advance", ["by": "1s"])
                return try await server.admin(.get, "tenants/talkdesk")
            }
            try await DatabaseQueue(path: file).write { db in
                try db.execute(
                    sql:
                        "UPDATE tenant SET configuration = json_remove(configuration, '$.tokenLifetime', '$.backend') WHERE vendor = 'talkdesk'"
                )
            }
            try await TestServer.run(.pipeline, database: file) { server in
                let after = try await server.admin(.get, "tenants/talkdesk")
                #expect(after["tokenLifetime"] == before["tokenLifetime"] && after["backend"] == before["backend"])
                try await server.admin(.post, "clock/advance", ["by": "1s"])
                try await server.admin(.post, "journal/1/fork", ["name": "again"])
                let fork = try await server.admin(.get, "tenants/talkdesk", sandbox: "again")
                #expect(fork["tokenLifetime"] == "10m" && fork["backend"] == before["backend"])
            }
        }
    }

    @Test(
        arguments: [
            ("1", ["name": "default"], "409 sandbox-exists"), ("99", [:], "404 entry-unknown"),
            ("1", ["name": "A b"], "400 request-malformed /name"),
            ("1", ["seed": 1], "400 request-malformed /seed"),
        ] as [(String, JSON, String)])
    func `what cannot be made is refused, and nothing is made`(_ entry: String, _ form: JSON, _ words: String) async throws {
        try await TestServer.run(.pipeline) { server in
            try await server.admin(.post, "clock/advance", ["by": "1s"])
            #expect(Problem(try await server.send(.post, "/__admin/sandboxes/default/journal/\(entry)/fork", json: form)).words == words)
            #expect(server.engine.world.sandboxes.map(\.id) == ["default"])
        }
    }
}

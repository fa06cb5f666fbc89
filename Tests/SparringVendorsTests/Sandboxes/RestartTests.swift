import Foundation
import GRDB
import HTTPTypes
import SparringEngine
import SparringJSON
@testable import SparringSandbox
import Support
import Testing

/// A new process on the same database goes on where the last one ended.
@Suite struct RestartTests {
    @Test func `everything is there again: sandboxes, tenants, faults, journal, clock, ordinals, state`() async throws {
        try await TemporaryFolder.database { database in
            let target = "/api/account/acme/app/default/authenticate?v=2.0"
            let (before, code) = try await TestServer.run(seed: 8, database: database, tenants: acme) { server in
                for name in ["zz", "aa"] { _ = try await server.send(.post, "/__admin/sandboxes", json: ["name": .string(name)]) }
                try await server.admin(.patch, "tenants/liveperson", ["tokenLifetime": "7m"])
                try await server.arm("\(lookUpService) status code=503 every=2")
                #expect(try await server.lookUps(3, lane: "ada") == "x.x")
                let code = try await server.admin(.post, "credentials", ["form": "code", "subject": "ada"])["credential"] ?? .null
                let signedIn = try await server.send(.post, target, json: ["code": code])
                #expect(signedIn.status == 200, "\(signedIn)")
                _ = try await server.send(.post, "/__admin/sandboxes/default/tenants/identity/keys/rotate")
                try await server.admin(.post, "clock/advance", ["by": "30s"])
                return (try await Self.everything(server), code)
            }
            try await TestServer.run(database: database) { server in
                let after = try await Self.everything(server)
                for (after, before) in zip(after, before) { #expect(after == before) }
                #expect(after.count == before.count)
                #expect(try await server.lookUps(2, lane: "ada") == ".x")
                let reused = try await server.send(.post, target, json: ["code": code])
                #expect(reused.text == #"{"internalErrorCode":"mock-code-reused"}"#)
                let entry = try await server.newest("liveperson.authenticateV2")
                #expect(entry["cause"]?.string?.hasSuffix(", 30 s ago") == true)
                #expect(entry["lane"] == "ada", "whose the code is is known still")
                #expect(entry["arrival"]?["process"] == 2)
                let numbers = try await server.journal().compactMap { $0["number"]?.integer }
                #expect(numbers == Array(1...Int64(numbers.count)))
                // What was reset to at creation is known still.
                try await server.admin(.post, "reset")
                #expect(try await server.admin(.get, "clock")["now"] == "2026-01-01T00:00:00.000Z")
            }
            try await TestServer.run(database: database) { server in
                try await server.lookUp()
                #expect(try await server.journal().map { $0["arrival"]?["process"] } == [3])
                #expect(server.engine.world.sandboxes.map(\.id) == ["default", "zz", "aa"])
                // A deleted sandbox does not come back.
                _ = try await server.send(.delete, "/__admin/sandboxes/zz")
            }
            try await TestServer.run(database: database) { server in
                #expect(server.engine.world.sandboxes.map(\.id) == ["default", "aa"])
            }
        }
    }

    @Test func `hundreds of sandboxes are there again, each with its own tenants, though one is refused`() async throws {
        try await TemporaryFolder.database { database in
            func accounts(_ server: TestServer) -> [String: String] {
                let sandboxes = server.engine.world.sandboxes
                return Dictionary(uniqueKeysWithValues: sandboxes.map { ($0.id, $0.tenant(of: "liveperson")?.id ?? "") })
            }
            let before = try await TestServer.run(.pipeline, database: database) { server in
                for number in 1...200 { _ = try await server.send(.post, "/__admin/sandboxes", json: ["name": .string("s\(number)")]) }
                return accounts(server)
            }
            #expect(Set(before.values).count == 201)
            try Dump.change(database) {
                try $0.execute(
                    sql: "UPDATE tenant SET configuration = '{\"accountId\":7}' WHERE vendor = 'liveperson' AND sandbox = 's150'")
            }
            try await TestServer.run(.pipeline, database: database) { server in
                #expect(accounts(server) == before)
                let findings = try await server.journal(sandbox: "s150").flatMap { $0["findings"]?.array ?? [] }
                #expect(findings.map { $0["code"] } == ["configuration-refused"], "\(findings)")
                #expect(try await server.journal(sandbox: "s151") == [])
            }
        }
    }

    @Test func `what a stop in order knew of a journal is believed while the journal is the same`() async throws {
        try await TemporaryFolder.database { database in
            func next() async throws -> Int64? {
                try await TestServer.run(.pipeline, database: database, tenants: acme) { server in
                    _ = try await server.lookUps(1, lane: "ada")
                    return try await server.journal().last?["ordinal"]?.integer
                }
            }
            #expect(try await [next(), next()] == [1, 2])
            let otherwise = "UPDATE sandbox SET journal_extent = json_set(journal_extent, '$.lanes.ada', 40)"
            try Dump.change(database) { try $0.execute(sql: otherwise) }
            #expect(try await next() == 41)
            try Dump.change(database) {
                try $0.execute(sql: otherwise)
                try $0.execute(sql: "DELETE FROM journal WHERE place = (SELECT max(place) FROM journal)")
            }
            #expect(try await next() == 3)
        }
    }

    @Test func `a server that was killed says so in the journals that it was writing, and one that stopped does not`() async throws {
        try await TemporaryFolder.database { database in
            func findings() async throws -> [JSON?] {
                try await TestServer.run(.pipeline, database: database, tenants: acme) { server in
                    let found = try await server.journal().filter { $0["kind"] == "finding" }.map { $0["details"]?["killed"] }
                    _ = try await server.lookUps(1, lane: "ada")
                    return found
                }
            }
            #expect(try await [findings(), findings()] == [[], []])
            try Dump.change(database) { try $0.execute(sql: "UPDATE process SET stopped = NULL WHERE number = 2") }
            #expect(try await findings() == [["process": 2, "doubtful": 1000]])
            #expect(try await findings() == [["process": 2, "doubtful": 1000]])
        }
    }

    /// The state in the admin API, ports masked.
    private static func everything(_ server: TestServer) async throws -> [String] {
        var all: [JSON] = [try await server.admin(.get, ""), try await server.admin(.get, "clock"), try await server.admin(.get, "faults")]
        for vendor in ["liveperson", "identity", "cxone", "khoros", "asapp", "talkdesk"] {
            all.append(try await server.admin(.get, "tenants/\(vendor)"))
        }
        for name in ["zz", "aa"] { all.append(try await server.admin(.get, "", sandbox: name)["tenants"] ?? .null) }
        all += try await server.journal()
        return all.map { $0.text.replacing(/127\.0\.0\.1:\d+/, with: "127.0.0.1:PORT") }
    }

    @Test func `a database of a vendor or fault that is not known any more is refused, not silently cut down`() async throws {
        try await TemporaryFolder.database { database in
            try await TestServer.run(.pipeline, database: database, tenants: acme) { server in
                _ = try await server.arm("* delay by=0s")
            }
            try Dump.change(database) { try $0.execute(sql: "UPDATE fault SET text = 'liveperson.gone status code=503'") }
            let refusal = await #expect(throws: ToolError.self) { try await TestServer.run(database: database) { _ in } }
            #expect(refusal?.description.hasPrefix("\(database): a fault of sandbox 'default': ") == true, "\(refusal?.description ?? "")")
            try Dump.change(database) {
                try $0.execute(sql: "DELETE FROM fault")
                try $0.execute(sql: "UPDATE tenant SET vendor = 'gone' WHERE vendor = 'liveperson'")
            }
            let error = await #expect(throws: ToolError.self) { try await TestServer.run(database: database) { _ in } }
            #expect(error?.description == "\(database): has a tenant of 'gone', which has no contract")
        }
    }

    @Test func `a private database is gone when its process has stopped`() async throws {
        let path = try await TestServer.run(.pipeline) { server in
            let path = server.engine.world.store.path
            #expect(FileManager.default.fileExists(atPath: path))
            return path
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}

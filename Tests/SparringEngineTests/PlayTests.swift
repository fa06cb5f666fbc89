import Foundation
import GRDB
import HTTPTypes
import SparringJSON
@testable import SparringSandbox
import SparringTestKit
import Support
import Testing

/// A vendor's mistake is journalled and rolled back by itself, and troubles nobody else.
@Suite struct PlayTests {
    private static let cast = Result {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        try FileManager.default.copyItem(
            atPath: Repository.folder("contracts/admin.openapi.yaml"), toPath: folder.file("admin.openapi.yaml"))
        _ = try folder.write(Play.contract, to: "play.openapi.yaml")
        return try Cast(folder: folder.path) { _ in [Play()] }
    }

    /// A server with two sandboxes, `default` and `other`, whose players are p1 and p2.
    private static func run(_ body: (TestServer, _ notes: () throws -> [String]) async throws -> Void) async throws {
        try await TemporaryFolder.database { database in
            try await TestServer.run(.pipeline, database: database, tenants: ["play": ["playerId": "p1"]], cast: cast.get()) { server in
                _ = try await server.send(
                    .post, "/__admin/sandboxes", json: ["name": "other", "tenants": ["play": ["playerId": "p2"]]])
                try await body(server) { try Dump.read(database) { try String.fetchAll($0, sql: "SELECT text FROM play_note") } }
            }
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var how: String
        var status: Int
        /// The beginning of the cause.
        var cause: String
        var findings: [String] = []
        /// Whether what it wrote stays.
        var isKept = false
        var testDescription: String { how }
    }

    @Test(arguments: [
        Row(how: "throw", status: 500, cause: "Sparring failed: expected"),
        Row(how: "throw-while-preparing", status: 500, cause: "Sparring failed: expected"),
        Row(how: "break-sql", status: 500, cause: "Sparring failed: SQLite error 1: no such table: nowhere"),
        Row(how: "break-a-key", status: 500, cause: "Sparring failed: SQLite error 19: UNIQUE constraint failed: play_note.text"),
        Row(how: "refuse", status: 403, cause: "because", isKept: true),
        Row(how: "throw-a-refusal", status: 403, cause: "because", isKept: true),
        Row(how: "refuse-while-preparing", status: 403, cause: "before anything was done"),
        Row(how: "well", status: 200, cause: "", isKept: true),
    ])
    func `what a failed call wrote is rolled back, and the next call works`(_ row: Row) async throws {
        try await Self.run { server, notes in
            let answer = try await server.send(.post, "/play/p1/misbehave", json: ["how": .string(row.how)])
            #expect(answer.status == row.status, "\(answer.text)")
            let entry = try await server.newest("play.misbehave")
            #expect(entry["cause"]?.string?.hasPrefix(row.cause) ?? row.cause.isEmpty, "\(entry.text)")
            #expect(entry["answer"]?["status"] == .integer(Int64(row.status)))
            if row.status == 500 {
                #expect(answer.json == ["error": "internal"] && entry["answer"]?["outcome"] == "unavailable")
            }
            #expect(try notes() == (row.isKept ? [row.how] : []))
            #expect(try await server.send(.post, "/play/p1/note", json: ["text": "next"]).json?["count"] == (row.isKept ? 2 : 1))
        }
    }

    @Test(arguments: [
        ("undeclared", 500, "Sparring gave the undeclared answer 'unheard-of'", nil),
        ("wrong-body", 200, "Sparring's own answer done breaks the contract", "body.how: expected string, found integer"),
        ("no-body", 200, "Sparring's own answer done breaks the contract", "body: required"),
    ])
    func `the journal says when an answer is not in the contract`(
        _ how: String, _ status: Int, _ cause: String, _ finding: String?
    ) async throws {
        try await Self.run { server, notes in
            #expect(try await server.send(.post, "/play/p1/misbehave", json: ["how": .string(how)]).status == status)
            // The finding has a transaction of its own, after the answer's.
            try await until { try await server.journal("?operation=play.misbehave").count == (finding == nil ? 1 : 2) }
            let entries = try await server.journal("?operation=play.misbehave")
            #expect(entries.map { $0["kind"] } == (finding == nil ? ["exchange"] : ["exchange", "finding"]))
            #expect(entries.last?["cause"]?.string == cause && entries.last?["causeCode"] == "failed")
            #expect(entries.last?["findings"]?.array?.first?["words"]?.string == finding)
            #expect(try notes() == [how], "the decision stands, whatever becomes of its answer")
        }
    }

    @Test func `a failure without an answer of its own is a problem document`() async throws {
        try await Self.run { server, _ in
            let answer = try await server.send(.post, "/play/p1/whisper")
            #expect(answer.status == 500 && answer.headers[.contentType] == "application/problem+json")
            #expect(answer.json?["detail"] == "Sparring failed: expected(\"whispered\")")
        }
    }

    @Test func `of many who spend one token at once, one gets it`() async throws {
        try await Self.run { server, notes in
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<32 {
                    group.addTask {
                        try await server.send(.post, "/play/p1/spend", headers: [.init("X-Sparring-Lane")!: "lane-\(number)"]).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.count { $0 == 204 } == 1 && statuses.count { $0 == 409 } == 31)
            #expect(try notes().count == 32, "what a refused call writes is kept")
            #expect(try await server.send(.post, "/play/p2/spend").status == 204, "another sandbox has its own")
        }
    }

    @Test func `when a vendor calls itself, each call is journalled with the call that caused it`() async throws {
        try await Self.run { server, notes in
            let headers: HTTPFields = [.init("X-Sparring-Lane")!: "ada"]
            let answer = try await server.send(.post, "/play/p1/ping", headers: headers, json: ["url": "/play/p1/ping"])
            #expect(answer.json == ["result": "200 pinged ?"])
            let entries = try await server.journal("?kind=exchange")
            #expect(entries.map { $0["operation"] } == ["play.note", "play.ping", "play.ping"])
            #expect(entries.map { $0["lane"] } == ["ada", "ada", "ada"])
            #expect(entries.map { $0["causedBy"]?["ordinal"] } == [2, 1, nil])
            #expect(try notes() == ["by ada"])
        }
    }

    @Test func `without x-tenant the host names the sandbox`() async throws {
        try await Self.run { server, _ in
            for (host, expected) in [("127.0.0.1", "default"), ("other.localhost", "other"), ("default.localhost:1", "default")] {
                let answer = try await server.send(.get, "/play/greet", headers: [.init("Host")!: host])
                #expect(answer.json?["sandbox"]?.string == expected, "\(host): \(answer.text)")
            }
            let nobody = Problem(try await server.send(.get, "/play/greet", headers: [.init("Host")!: "othr.localhost"]))
            #expect(nobody.status == 404 && nobody.nearest == ["other"], "\(nobody)")
        }
    }
}

import BirdSupport
import GRDB
import HTTPTypes
import SparringAdmin
import SparringEngine
import SparringJSON
@testable import SparringSandbox
import Support
import Testing

/// Entries that could not be written are in the journal as soon as anything can be.
@Suite struct UnrecordedEntryTests {
    private struct Refused: Error {}
    private static let full = DatabaseError(resultCode: .SQLITE_FULL, message: "database or disk is full")

    private static func count(_ entries: [JSON]) -> [Int64?] {
        entries.filter { $0["causeCode"] == "unrecorded" }.map { $0["details"]?["unrecorded"]?["count"]?.integer }
    }

    @Test func `the entry comes before the next one, which has the number after it`() async throws {
        try await Aviary.run(.pipeline) { server in
            let sandbox = try #require(server.engine.world.sandbox("default"))
            try await server.find("ada")
            for _ in 0..<3 { sandbox.missed(Self.full) }
            #expect(sandbox.store.unrecorded.of("default")?.count == 3)
            try await server.find("ada")
            let entries = try await server.journal()
            #expect(entries.map { $0["kind"]?.string } == ["exchange", "finding", "exchange"])
            #expect(entries.map { $0["number"]?.integer } == [1, 2, 3] && Self.count(entries) == [3])
            #expect(entries[2]["ordinal"] == 2)
            #expect(sandbox.store.unrecorded.of("default") == nil && sandbox.store.unrecorded.total == 3)
        }
    }

    @Test func `it is kept where the job that was to write it fails`() async throws {
        try await Aviary.run(.pipeline) { server in
            let sandbox = try #require(server.engine.world.sandbox("default"))
            sandbox.missed(Self.full)
            await #expect(throws: Refused.self) {
                try await sandbox.store.write { db in
                    #expect(try sandbox.journal.next(db) == 2)
                    throw Refused()
                }
            }
            #expect(try await server.journal().isEmpty)
            try await server.find("ada")
            #expect(Self.count(try await server.journal()) == [1])
        }
    }

    @Test func `calls missed after the entry get an entry of their own`() async throws {
        try await Aviary.run(.pipeline) { server in
            let sandbox = try #require(server.engine.world.sandbox("default"))
            for count in [2, 1] {
                for _ in 0..<count { sandbox.missed(Self.full) }
                sandbox.settleJournal()
                try await sandbox.store.write { _ in }
            }
            #expect(Self.count(try await server.journal()) == [2, 1])
        }
    }

    /// Neither an error from a transaction's body nor a sandbox that is gone counts as an unrecorded entry.
    @Test func `errors that are not the store's are not counted`() async throws {
        try await Aviary.run(.pipeline) { server in
            let sandbox = try #require(server.engine.world.sandbox("default"))
            for error in [Refused(), SandboxGone(sandbox: "default"), ToolError("x")] as [any Error] { sandbox.missed(error) }
            #expect(sandbox.store.unrecorded.of("default") == nil)
            try await server.find("ada")
            #expect(Self.count(try await server.journal()) == [])
        }
    }

    @Test func `an advance of which the last entry cannot be written has moved time, and is counted`() async throws {
        try await Aviary.run(.pipeline) { server in
            let sandbox = try #require(server.engine.world.sandbox("default"))
            let refusal = "BEFORE INSERT ON journal WHEN NEW.kind = 'clock' BEGIN SELECT RAISE(ABORT, 'no room'); END"
            try await sandbox.store.write { try $0.execute(sql: "CREATE TRIGGER full \(refusal)") }
            let answer = try await server.send(.post, "/__admin/sandboxes/default/clock/advance", json: ["by": "10s"])
            #expect(answer.status == 500)
            #expect(try await server.admin(.get, "clock")["now"] == "2026-01-01T00:00:10.000Z")
            #expect(sandbox.store.unrecorded.total == 1)
            try await sandbox.store.write { try $0.execute(sql: "DROP TRIGGER full") }
            try await server.find("ada")
            #expect(Self.count(try await server.journal()) == [1])
        }
    }

    @Test func `a sandbox that is reset or deleted takes it along`() async throws {
        try await Aviary.run(.pipeline) { server in
            let sandbox = try #require(server.engine.world.sandbox("default"))
            sandbox.missed(Self.full)
            _ = try await server.admin(.post, "reset")
            #expect(sandbox.store.unrecorded.of("default") == nil)
            // What the old one has still to say is not the new one's.
            sandbox.missed(Self.full)
            #expect(sandbox.store.unrecorded.of("default") == nil)
            try await server.find("ada")
            #expect(Self.count(try await server.journal()) == [])
        }
    }
}

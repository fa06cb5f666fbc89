import BirdSupport
import GRDB
import HTTPTypes
import SparringAdmin
import SparringEngine
import SparringJSON
import SparringJournal
@testable import SparringSandbox
import Support
import Testing

/// The journal is bounded in bytes, and its pages too; those who wait for it hear of its end.
@Suite struct JournalBoundTests {
    /// A call with a body of so many bytes; every one of them is a finding, and kept.
    private static func call(_ server: TestServer, bytes: Int) async throws {
        _ = try await server.send(
            .post, birdsTarget(), json: ["note": .string(String(repeating: "x", count: bytes))])
    }

    @Test func `the oldest entries go when the bytes are spent, and what is pruned is counted`() async throws {
        try await Aviary.run(.pipeline, configure: { $0.engine.journal.bytes = 200_000 }) { server in
            for _ in 0..<30 { try await Self.call(server, bytes: 20_000) }
            let page = try await server.admin(.get, "journal")
            let entries = page["entries"]?.array ?? []
            #expect(entries.reduce(0) { $0 + $1.bytes.count } <= 200_000)
            #expect(entries.count >= 8 && entries.last?["number"] == 30)
            #expect(page["pruned"]?.integer == 30 - Int64(entries.count))
        }
    }

    @Test func `the bytes are counted over a restart`() async throws {
        try await TemporaryFolder.database { path in
            for _ in 0..<3 {
                try await Aviary.run(.pipeline, database: path, configure: { $0.engine.journal.bytes = 200_000 }) { server in
                    for _ in 0..<6 { try await Self.call(server, bytes: 20_000) }
                    let entries = try await server.journal()
                    #expect(entries.reduce(0) { $0 + $1.bytes.count } <= 200_000)
                }
            }
        }
    }

    @Test func `entries that are rolled back, alone or with their transaction, leave no gap in the numbers and no bytes behind`()
        async throws
    {
        struct Refused: Error {}
        try await Aviary.run(.pipeline, configure: { $0.engine.journal.bytes = 200_000 }) { server in
            let sandbox = try #require(server.engine.world.sandbox("default"))
            let cause = Cause(String(repeating: "x", count: 15_000))
            for round in 1...8 {
                try await sandbox.store.write { try sandbox.journal.append(sandbox.entry(.mark, cause: cause), $0) }
                await #expect(throws: Refused.self) {
                    try await sandbox.store.write { db in
                        for _ in 0..<2 { try sandbox.journal.append(sandbox.entry(.mark, cause: cause), db) }
                        #expect(sandbox.journal.newestBeforeJob == round)
                        throw Refused()
                    }
                }
                #expect(sandbox.journal.newestBeforeJob == round)
            }
            let page = try await server.admin(.get, "journal")
            #expect(page["entries"]?.array?.compactMap { $0["number"]?.integer } == Array(1...8) && page["pruned"] == 0)
        }
    }

    /// The recorded past counts as part of the journal; it is dropped first.
    @Test func `the past is bounded with the journal, and what is too far back is said to be`() async throws {
        try await TemporaryFolder.database { path in
            for _ in 0..<2 {
                try await Aviary.run(.pipeline, database: path, configure: { $0.engine.journal.bytes = 60_000 }) { server in
                    for round in 0..<200 {
                        try await server.admin(.patch, "tenants/parrot", ["ticketLifetime": .string("\(round)m")])
                    }
                    let size = try Dump.read(path) { db in
                        try Int.fetchOne(db, sql: "SELECT (SELECT sum(size) FROM history) + (SELECT sum(length(record)) FROM journal)")
                    }
                    // What the newest job has changed comes on top.
                    #expect(size ?? 0 <= 63_000 && size ?? 0 > 45_000, "\(size ?? 0)")
                    let newest = try #require(try await server.journal().last?["number"]?.integer)
                    #expect(try await server.send(.get, "/__admin/sandboxes/default/journal/\(newest)/world").status == 200)
                    let oldest = try #require(try await server.journal().first?["number"]?.integer)
                    let lost = try await server.send(.get, "/__admin/sandboxes/default/journal/\(oldest)/world")
                    #expect(Problem(lost).words == "410 entry-pruned" && lost.text.contains("too far back"), "\(lost.text)")
                }
            }
        }
    }

    @Test func `a page has so many bytes and the next one goes on`() async throws {
        try await Aviary.run(.pipeline) { server in
            for _ in 0..<50 { try await Self.call(server, bytes: 250_000) }
            var numbers: [Int64] = []
            var pages = 0
            var next: Int64 = 0
            while true {
                let page = try await server.admin(.get, "journal?since=\(next)")
                let entries = page["entries"]?.array ?? []
                if entries.isEmpty { break }
                #expect(page.bytes.count < 9 << 20)
                numbers += entries.compactMap { $0["number"]?.integer }
                next = page["next"]?.integer ?? 0
                pages += 1
            }
            #expect(pages > 1 && numbers == Array(1...50))
        }
    }

    @Test(arguments: [("post", "reset", "sandbox-reset"), ("delete", "", "sandbox-deleted")])
    func `a wait learns that its sandbox is gone`(_ method: String, _ path: String, _ because: String) async throws {
        try await Aviary.run(.pipeline) { server in
            async let waiting = server.send(.get, "/__admin/sandboxes/default/journal/wait?count=5&timeout=300s")
            let sandbox = try #require(server.engine.world.sandbox("default"))
            while sandbox.journal.waits.count == 0 { await Task.yield() }
            try await server.admin(method == "post" ? .post : .delete, path)
            let answer = try await waiting
            #expect(answer.status == 410 && answer.json?["because"]?.string == because, "\(answer)")
        }
    }
}

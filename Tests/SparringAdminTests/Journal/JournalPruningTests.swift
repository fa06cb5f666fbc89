import BirdSupport
import HTTPTypes
import SparringAdmin
import SparringEngine
import SparringJSON
import SparringSandbox
import Support
import Testing

/// A journal is bounded, and says what it has cost.
@Suite struct JournalPruningTests {
    private static let journal = "/__admin/sandboxes/default/journal"

    @Test(arguments: [1, 5, 20, 100]) func `at most the limit and a chunk of it are kept, and pruned counts the rest`(_ limit: Int)
        async throws
    {
        try await Aviary.run(.pipeline, configure: { $0.engine.journal.entries = limit }) { server in
            let chunk = max(1, limit / 10)
            for call in 1...130 {
                try await server.find("ada")
                guard call % 10 == 0 else { continue }
                let page = try await server.admin(.get, "journal?limit=1000")
                let numbers = page["entries"]?.array?.compactMap { $0["number"]?.integer } ?? []
                #expect(numbers.count <= limit + chunk && numbers.count >= min(call, limit))
                #expect(numbers.last == Int64(call) && numbers == Array((numbers.first ?? 0)...Int64(call)))
                #expect(page["pruned"]?.integer == Int64(call - numbers.count))
                #expect(page["next"]?.integer == Int64(call + 1))
            }
        }
    }

    @Test func `a pruned entry is gone, in words that tell it from one that never was`() async throws {
        try await Aviary.run(.pipeline, configure: { $0.engine.journal.entries = 10 }) { server in
            for _ in 0..<25 { try await server.find() }
            let gone = try await server.problem(.get, Self.journal + "/15")
            #expect(gone.words == "410 entry-pruned")
            #expect(gone.detail.contains("16"), "it says where the journal begins: \(gone.detail)")
            #expect(try await server.admin(.get, "journal/16")["number"] == 16)
            #expect(try await server.problem(.get, Self.journal + "/26").words == "404 entry-unknown")
            #expect(try await server.journal("?since=3").first?["number"] == 16)
        }
    }

    /// Everybody waits for what one entry lets go of.
    @Test func `what a lower limit leaves over goes in pieces`() async throws {
        try await TemporaryFolder.database { database in
            try await Aviary.run(.pipeline, database: database) { server in
                for _ in 0..<620 { try await server.find() }
            }
            try await Aviary.run(.pipeline, database: database, configure: { $0.engine.journal.entries = 100 }) { server in
                for _ in 0..<10 { try await server.find() }
                #expect(try await server.journal("?limit=1000").map { $0["number"]?.integer } == Array(501...630))
                try await server.find()
                #expect(try await server.journal("?limit=1000").map { $0["number"]?.integer } == Array(532...631))
            }
        }
    }

    @Test func `lanes' ordinals and what is drawn by them go on after pruning and a restart`() async throws {
        try await TemporaryFolder.database { database in
            let limit: (inout Server.Options) -> Void = { $0.engine.journal.entries = 4 }
            try await Aviary.run(.pipeline, database: database, configure: limit) { server in
                for _ in 0..<9 { try await server.find("old") }
                for _ in 0..<30 { try await server.find("new") }
                #expect(try await server.journal("?lane=old").isEmpty)
                try await server.find("old")
                #expect(try await server.entry()["ordinal"] == 10)
                for _ in 0..<10 { try await server.find("new") }
            }
            try await Aviary.run(.pipeline, database: database, configure: limit) { server in
                #expect(try await server.journal("?lane=old").isEmpty)
                try await server.find("old")
                #expect(try await server.entry()["ordinal"] == 11)
                try await server.find("new")
                let entry = try await server.entry()
                #expect(entry["ordinal"] == 41 && entry["number"] == 52)
                #expect(try await server.admin(.get, "journal")["pruned"]?.integer == 48)
            }
        }
    }

    @Test func `one sandbox's pruning takes nothing of another`() async throws {
        try await Aviary.run(.pipeline, configure: { $0.engine.journal.entries = 5 }) { server in
            _ = try await server.send(
                .post, "/__admin/sandboxes", json: ["name": "other", "tenants": ["parrot": ["flock": "gulls"]]])
            for _ in 0..<5 { try await server.find(flock: "gulls") }
            for _ in 0..<50 { try await server.find() }
            #expect(try await server.journal(sandbox: "other").compactMap { $0["number"]?.integer } == [1, 2, 3, 4, 5])
            #expect(try await server.admin(.get, "journal", sandbox: "other")["pruned"] == 0)
        }
    }
}

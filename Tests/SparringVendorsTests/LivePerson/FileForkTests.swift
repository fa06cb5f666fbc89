import GRDB
import HTTPTypes
import SparringEngine
import SparringJSON
@testable import SparringSandbox
import Support
import Testing

/// Files in forks of a sandbox: they are not copied.
@Suite struct FileForkTests {
    /// The bytes of the only file that a sandbox tells of.
    private static func file(of sandbox: String, _ server: TestServer) async throws -> [UInt8] {
        try await server.engine.world.store.read { db in
            let content = try Int64.fetchOne(db, sql: "SELECT content FROM liveperson_file WHERE sandbox = ?", arguments: [sandbox])
            return try content.map { try StoredFiles.bytes(of: $0, db) } ?? []
        }
    }

    private static func files(_ server: TestServer) async throws -> Int {
        try await server.engine.world.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM file") ?? -1 }
    }

    @Test func `a fork has the file as it was, and what is replaced or deleted elsewhere is nothing to it`() async throws {
        try await FileScene.run { files in
            let place = try FileScene.Place(try await files.askUpload())
            #expect(try await files.put(FileScene.png(300), place.target).status == 201)
            let entry = try #require(try await files.server.journal("?operation=liveperson.uploadFile").last?["number"]?.integer)
            #expect(try await files.put(FileScene.png(400), place.target).status == 201)
            try await files.server.admin(.post, "journal/\(entry)/fork", ["name": "then"])
            try await files.server.admin(.post, "clock/advance", ["by": "1s"])
            let newest = try #require(try await files.server.admin(.get, "journal?tail=1")["entries"]?.array?.last?["number"]?.integer)
            try await files.server.admin(.post, "journal/\(newest)/fork", ["name": "now"])
            #expect(try await Self.files(files.server) == 2)
            for _ in 0..<2 {
                #expect(try await Self.file(of: "then", files.server) == FileScene.png(300))
                #expect(try await Self.file(of: "now", files.server) == FileScene.png(400))
                _ = try await files.server.engine.world.delete("default")
            }
            // Before what it was made of, a fork has no past: that is its sandbox's.
            let early = try await files.server.send(.get, "/__admin/sandboxes/then/journal/1/world")
            #expect(Problem(early).words == "410 entry-pruned")
            for name in ["then", "now"] { _ = try await files.server.engine.world.delete(name) }
        }
    }

    /// It was being made when the process ended: its journal is there, and it is not.
    @Test func `a fork that did not come about leaves nothing`() async throws {
        try await TemporaryFolder.database { file in
            try await TestServer.run(.pipeline, database: file) { server in
                try await server.admin(.post, "clock/advance", ["by": "1s"])
                let old = try #require(server.engine.world.sandbox("default"))
                let other = Journal(sandbox: "again", position: 7)
                let reached = try await server.engine.world.store.write { try old.journal.copy(to: other, after: 0, upTo: 1, $0) }
                #expect(reached == 1)
            }
            try await TestServer.run(.pipeline, database: file) { server in
                let sandboxes = try await server.engine.world.store.read {
                    try String.fetchAll($0, sql: "SELECT DISTINCT sandbox FROM journal")
                }
                #expect(sandboxes == ["default"])
            }
        }
    }
}

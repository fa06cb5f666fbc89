import BirdSupport
import Foundation
import SparringAdmin
import Support
import Testing

/// A database that is judged or opened again as a file.
@Suite struct SavedDatabaseTests {
    @Test func `judging a database that is being served neither moves its log nor changes it`() async throws {
        try await TemporaryFolder.database { path in
            try await Aviary.run(.pipeline, database: path) { server in
                for _ in 0..<20 { try await server.find() }
                let before = (FileManager.default.contents(atPath: path), FileManager.default.contents(atPath: path + "-wal"))
                #expect(before.1?.isEmpty == false)
                do {
                    let saved = try SavedDatabase(path: path)
                    #expect(try saved.sandboxes == ["default"])
                    _ = try saved.judge("default", VerdictRequest(), server.behaviours)
                }
                #expect(FileManager.default.contents(atPath: path) == before.0)
                #expect(FileManager.default.contents(atPath: path + "-wal") == before.1)
                for _ in 0..<3 { try await server.find() }
                #expect(try await server.journal().count == 23)
            }
        }
    }

    @Test func `an error about a damaged database names the file`() async throws {
        try await TemporaryFolder.database { path in
            try await Aviary.run(.pipeline, database: path) { server in
                for _ in 0..<50 { try await server.find() }
            }
            var bytes = try #require(FileManager.default.contents(atPath: path))
            for at in bytes.indices.dropFirst(4096) where at % 4096 < 8 { bytes[at] = 0xA5 }
            try bytes.write(to: URL(fileURLWithPath: path))
            let error = await #expect(throws: (any Error).self) { try await Aviary.run(.pipeline, database: path) { _ in } }
            #expect(error.map { "\($0)".hasPrefix(path) } == true, "\(error.map { "\($0)" } ?? "")")
        }
    }
}

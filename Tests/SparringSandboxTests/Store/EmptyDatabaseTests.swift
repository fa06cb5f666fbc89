import Foundation
import GRDB
@testable import SparringSandbox
import Support
import Testing

/// The empty database that a build leaves for its own starts.
@Suite struct EmptyDatabaseTests {
    private static func migrator(_ name: String) -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration(name) { try $0.execute(sql: "CREATE TABLE t (x)") }
        return migrator
    }

    private static func file(_ name: String, build: String = "b", size: Int = 3) -> Data {
        Data(#"{"build":"\#(build)","migrations":["\#(name)"],"size":\#(size)}"#.utf8) + Data("\nabc".utf8)
    }

    @Test func `what was kept is what a store begins with`() throws {
        let folder = try TemporaryFolder()
        _ = try EmptyDatabase.of(Self.migrator("kept"))
        try EmptyDatabase.keep(in: folder.path, build: "b")
        let kept = try #require(FileManager.default.contents(atPath: folder.file("empty.db")))
        let head = try #require(kept.split(separator: UInt8(ascii: "\n"), maxSplits: 1).first)
        #expect(String(decoding: head, as: UTF8.self).contains(#""build":"b""#) && kept.count > 4096)
        try Self.file("taken up").write(to: URL(fileURLWithPath: folder.file("empty.db")))
        EmptyDatabase.takeUp(from: folder.path, build: "b")
        #expect(try EmptyDatabase.of(Self.migrator("taken up")).bytes == Array("abc".utf8))
    }

    @Test(
        arguments: [
            ("another build's", file("another build's", build: "c"), "b"), ("without a build", file("without a build"), nil),
            ("cut off", file("cut off", size: 4), "b"), ("no head", Data("abc".utf8), "b"), ("no JSON", Data("abc\nabc".utf8), "b"),
        ] as [(String, Data, String?)])
    func `what another build has left, or is damaged, counts for nothing`(_ name: String, _ data: Data, _ build: String?) throws {
        let folder = try TemporaryFolder()
        try data.write(to: URL(fileURLWithPath: folder.file("empty.db")))
        EmptyDatabase.takeUp(from: folder.path, build: build)
        #expect(try EmptyDatabase.of(Self.migrator(name)).bytes.count > 3)
    }
}

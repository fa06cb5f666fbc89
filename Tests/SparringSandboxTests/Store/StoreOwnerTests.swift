import Foundation
import GRDB
@testable import SparringSandbox
import SparringLocks
import SparringLoop
import Support
import Testing

/// A database has one owner, is its owner's alone to read, and is looked at before it is written to.
@Suite struct StoreOwnerTests {
    private static func migrator(_ names: String...) -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for name in names {
            migrator.registerMigration(name) { try $0.execute(sql: "CREATE TABLE \(name) (n INTEGER PRIMARY KEY, b BLOB)") }
        }
        return migrator
    }

    private static func message(_ body: () throws -> Void) -> String? {
        do { try body() } catch { return "\(error)" }
        return nil
    }

    @Test func `a second server is refused by name, and the first goes on`() async throws {
        try await TemporaryFolder.database { path in
            let first = try Store(path: path, migrator: Self.migrator("t"))
            let refusal = Self.message { _ = try Store(path: path, migrator: Self.migrator("t")) }
            #expect(refusal == "\(path): is in use by another Sparring, process \(getpid())")
            try await first.write { try $0.execute(sql: "INSERT INTO t (n) VALUES (1)") }
            try first.close()
            let next = try Store(path: path, migrator: Self.migrator("t"))
            #expect(try await next.read { try Int.fetchAll($0, sql: "SELECT n FROM t") } == [1])
            try next.close()
        }
    }

    @Test(arguments: [true, false])
    func `a second server is refused by another name of the file too`(isHard: Bool) async throws {
        try await TemporaryFolder.database { path in
            let first = try Store(path: path, migrator: Self.migrator("t"))
            #expect((isHard ? link(path, path + "2") : symlink(path, path + "2")) == 0)
            let refusal = Self.message { _ = try Store(path: path + "2", migrator: Self.migrator("t")) }
            #expect(refusal == "\(path)2: is in use by another Sparring, process \(getpid())")
            try first.close()
            try Store(path: path + "2", migrator: Self.migrator("t")).close()
        }
    }

    @Test func `another process that has the file is named`() async throws {
        try await TemporaryFolder.database { path in
            try Store(path: path, migrator: Self.migrator("t")).close()
            let holding =
                "import fcntl, sys, time; f = open(sys.argv[1], 'r+'); fcntl.flock(f, fcntl.LOCK_EX); print('held', flush=True); time.sleep(600)"
            let other = try await RunningCommand(.python(["-c", holding, path]))
            #expect(await other.output.first { _ in true } == "held")
            let refusal = Self.message { _ = try Store(path: path, migrator: Self.migrator("t")) }
            #expect(refusal == "\(path): is in use by another Sparring, process \(other.pid)")
            #expect(StoreOwner.isAtWork(on: path))
            kill(other.pid, SIGKILL)
            _ = try await other.end()
            // The lock of a process that has ended is no lock.
            try Store(path: path, migrator: Self.migrator("t")).close()
        }
    }

    @Test(arguments: [(":memory:", "is not a file"), ("file:x?mode=memory", "is a URI"), ("", "has no name")])
    func `a name that SQLite reads as something else is refused, and makes no file`(_ name: String, _ words: String) {
        #expect(Self.message { _ = try Store(path: name, migrator: Self.migrator("t")) }?.contains(words) == true)
        #expect(!FileManager.default.fileExists(atPath: name))
    }

    @Test func `what another version, another program or nobody wrote is left alone`() async throws {
        try await TemporaryFolder.database { path in
            try Store(path: path, migrator: Self.migrator("t", "newer")).close()
            let written = FileManager.default.contents(atPath: path)
            let refusal = Self.message { _ = try Store(path: path, migrator: Self.migrator("t")) }
            #expect(
                refusal?.hasPrefix("\(path): was written by another version of Sparring, which knows 'newer'") == true, "\(refusal ?? "")")
            #expect(FileManager.default.contents(atPath: path) == written)
            try Store(path: path, migrator: Self.migrator("t", "newer")).close()  // a server that is refused holds nothing
        }
        try await TemporaryFolder.database { path in
            try DatabaseQueue(path: path).write { try $0.execute(sql: "CREATE TABLE theirs (n)") }
            #expect(
                Self.message { _ = try Store(path: path, migrator: Self.migrator("t")) }
                    == "\(path): is a database, but not one of Sparring's"
            )
        }
        try await TemporaryFolder.database { path in
            try Data("not a database at all, but long enough to be looked at".utf8).write(to: URL(fileURLWithPath: path))
            #expect(Self.message { _ = try Store(path: path, migrator: Self.migrator("t")) } == "\(path): file is not a database")
        }
        try await TemporaryFolder.database { path in
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            #expect(Self.message { _ = try Store(path: path, migrator: Self.migrator("t")) }?.hasPrefix(path) == true)
        }
    }

    @Test func `only its owner can read a database and what stands beside it, whatever the mask`() async throws {
        try await TemporaryFolder.database { path in
            _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o644])
            let store = try Store(path: path, migrator: Self.migrator("t"))
            try await store.write { try $0.execute(sql: "INSERT INTO t (n) VALUES (1)") }
            for suffix in ["", "-wal", "-shm"] {
                let mode = try FileManager.default.attributesOfItem(atPath: path + suffix)[.posixPermissions] as? Int
                #expect(mode == 0o600, "\(suffix)")
            }
            try store.close()
        }
    }

    @Test func `another program that has the lock for a moment is waited for`() async throws {
        try await TemporaryFolder.database { path in
            let store = try Store(path: path, migrator: Self.migrator("t"))
            let other = try DatabaseQueue(path: path)
            let hasBegun = DispatchSemaphore(value: 0)
            let mayEnd = DispatchSemaphore(value: 0)
            let thread = Thread {
                try? other.writeWithoutTransaction { db in
                    try db.execute(sql: "BEGIN IMMEDIATE")
                    hasBegun.signal()
                    mayEnd.wait()
                    try db.execute(sql: "COMMIT")
                }
            }
            thread.start()
            hasBegun.wait()
            // SQLite does not wait for the lock, as nothing may wait on the loop: the store tries again.
            let written = Mutex<Bool?>(nil)
            store.submit { db in
                try db.execute(sql: "INSERT INTO t (n) VALUES (1)")
            } finished: { result in
                written.withLock { $0 = (try? result.get()) != nil }
            }
            // After the first attempt, which ends the turn that this begins in at the latest.
            store.loop.submit { [loop = store.loop] in loop.after(.milliseconds(20)) { mayEnd.signal() } }
            try await until { written.withLock { $0 != nil } }
            #expect(written.withLock { $0 } == true)
            #expect(try await store.write { try Int.fetchOne($0, sql: "PRAGMA busy_timeout") } == 0)
            try store.close()
        }
    }

    // MARK: The log

    private static func size(_ path: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    }

    @Test func `a log that an earlier process left is moved into the file when it is opened`() async throws {
        try await TemporaryFolder.database { path in
            let store = try Store(path: path, migrator: Self.migrator("t"))
            try await store.write { try $0.execute(sql: "INSERT INTO t (b) VALUES (zeroblob(1000000))") }
            // As a process that is killed leaves it.
            for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + suffix, toPath: path + "2" + suffix) }
            #expect(Self.size(path + "2-wal") > 1_000_000)
            let next = try Store(path: path + "2", migrator: Self.migrator("t"))
            #expect(Self.size(path + "2-wal") == 0 && Self.size(path + "2") > 1_000_000)
            #expect(try await next.read { try Int.fetchOne($0, sql: "SELECT length(b) FROM t") } == 1_000_000)
            try next.close()
            try store.close()
        }
    }

    @Test func `the log is bounded by its bytes, however few the jobs`() async throws {
        try await TemporaryFolder.database { path in
            let store = try Store(path: path, migrator: Self.migrator("t"))
            let limit = Int(Checkpoints.interval) * 4096
            var largest = 0
            for _ in 0..<200 {
                try await store.write { try $0.execute(sql: "INSERT INTO t (b) VALUES (zeroblob(1000000))") }
                largest = max(largest, Self.size(path + "-wal"))
            }
            // What comes while the log is being moved comes on top.
            #expect(largest < 4 * limit, "\(largest)")
            try store.close()
        }
    }

    @Test(
        arguments: [
            (3_040_001, false), (3_044_005, false), (3_044_006, true), (3_045_000, false), (3_050_006, false), (3_050_007, true),
            (3_051_002, false), (3_051_003, true), (3_053_000, true),
        ])
    func `which SQLite has the fix of its log`(_ number: Int, _ has: Bool) { #expect(SQLiteVersion.hasWALResetFix(number) == has) }
}

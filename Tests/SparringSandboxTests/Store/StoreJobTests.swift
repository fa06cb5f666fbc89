import Dispatch
import GRDB
import SparringLocks
import Support
import Testing

@testable import SparringSandbox

/// Jobs that have no savepoint: they write with one statement, or nothing has been written before them.
@Suite struct StoreJobTests {
    private struct Mishap: Error {}

    private final class Job: StoreJob {
        let writesOnce: Bool
        private let body: @Sendable (Database) throws -> Void
        private let done: @Sendable ((any Error)?) -> Void

        init(
            _ body: @escaping @Sendable (Database) throws -> Void, writesOnce: Bool, _ done: @escaping @Sendable ((any Error)?) -> Void
        ) {
            (self.body, self.writesOnce, self.done) = (body, writesOnce, done)
        }

        func perform(_ db: Database) throws { try body(db) }
        func finished(_ failure: (any Error)?) { done(failure) }
    }

    private static func insert(_ number: Int) -> @Sendable (Database) throws -> Void {
        { try $0.execute(sql: "INSERT INTO t (n) VALUES (?)", arguments: [number]) }
    }

    /// Plays jobs in one transaction.
    ///
    /// - Returns: which of them failed, and the numbers that are there.
    private func play(
        _ bodies: [@Sendable (Database) throws -> Void], writesOnce: Bool = true
    ) async throws -> (failed: [Int], numbers: [Int]) {
        try await TemporaryFolder.database { path in
            var migrator = DatabaseMigrator()
            migrator.registerMigration("1") { try $0.execute(sql: "CREATE TABLE t (n INTEGER PRIMARY KEY)") }
            let store = try Store(path: path, migrator: migrator)
            let failed = Mutex<[Int]>([])
            let gate = DispatchSemaphore(value: 0)
            store.submit { _ in
                gate.wait()
            } finished: { _ in
            }
            for (place, body) in bodies.enumerated() {
                store.submit(Job(body, writesOnce: writesOnce) { failure in if failure != nil { failed.withLock { $0.append(place) } } })
            }
            gate.signal()
            try? await store.write { _ in }
            let numbers = try await store.read { try Int.fetchAll($0, sql: "SELECT n FROM t ORDER BY n") }
            try store.close()
            return (failed.withLock { $0 }, numbers)
        }
    }

    @Test func `a statement that fails takes nothing of the others along`() async throws {
        let played = try await play([Self.insert(1), Self.insert(1), Self.insert(2)])
        #expect(played.failed == [1] && played.numbers == [1, 2])
    }

    @Test func `what fails before it writes takes nothing along`() async throws {
        let played = try await play([Self.insert(1), { _ in throw Mishap() }, Self.insert(2)])
        #expect(played.failed == [1] && played.numbers == [1, 2])
    }

    /// It cannot be distinguished from what the others have written.
    @Test func `where a job has written all the same and then fails, nothing of the transaction stays`() async throws {
        let played = try await play([
            Self.insert(1),
            { db in
                try Self.insert(2)(db)
                throw Mishap()
            }, Self.insert(3),
        ])
        #expect(played.failed == [0, 1, 2] && played.numbers == [])
    }

    @Test(arguments: [true, false]) func `of the first that writes, nothing stays if it fails, and the others do not suffer`(
        _ writesOnce: Bool
    ) async throws {
        let failing: @Sendable (Database) throws -> Void = { db in
            for number in 10..<20 { try Self.insert(number)(db) }
            throw Mishap()
        }
        let reading: @Sendable (Database) throws -> Void = { db in
            let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM t")
            #expect(count == 0)
        }
        let played = try await play([failing, reading, failing, Self.insert(1), Self.insert(2)], writesOnce: writesOnce)
        #expect(played.failed == [0, 2] && played.numbers == [1, 2])
        // Those that come later have a savepoint, unless they write once.
        let later = try await play([Self.insert(1), failing, Self.insert(2)], writesOnce: writesOnce)
        #expect(writesOnce ? later.failed == [0, 1, 2] && later.numbers == [] : later.failed == [1] && later.numbers == [1, 2])
    }

    @Test func `a row is put in the place of the one with its key, and keeps what is not given`() throws {
        let row = Upsert("pond", key: ["sandbox", "name"], ["depth"])
        try DatabaseQueue().write { db in
            try db.execute(
                sql: """
                    CREATE TABLE pond (sandbox TEXT, name TEXT, depth INTEGER, note TEXT DEFAULT 'new', PRIMARY KEY (sandbox, name)) STRICT, WITHOUT ROWID;
                    """)
            try row.put(["a", "x", 1], db)
            try db.execute(sql: "UPDATE pond SET note = 'kept'")
            try row.put(["a", "x", 2], db)
            try row.put(["a", "y", 3], db)
            let rows = try Row.fetchAll(db, sql: "SELECT name, depth, note FROM pond ORDER BY name").map {
                "\($0[0] as String) \($0[1] as Int) \($0[2] as String)"
            }
            #expect(rows == ["x 2 kept", "y 3 new"])
        }
    }
}

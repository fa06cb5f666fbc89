import Foundation
import GRDB
@testable import SparringSandbox
import Support
import SparringLocks
import Testing

/// Group commit: many jobs, one transaction, each with a savepoint of its own.
@Suite struct StoreTests {
    private struct Mishap: Error, Equatable { var number = 0 }

    private static func migrator() -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { try $0.execute(sql: "CREATE TABLE t (n INTEGER PRIMARY KEY, blob BLOB)") }
        return migrator
    }

    private func with(_ body: (Store) async throws -> Void) async throws {
        try await TemporaryFolder.database { path in
            let store = try Store(path: path, migrator: Self.migrator())
            try await body(store)
            try? store.close()
        }
    }

    private func numbers(_ store: Store) async throws -> [Int] {
        try await store.read { try Int.fetchAll($0, sql: "SELECT n FROM t ORDER BY n") }
    }

    /// Holds the writer with a job of its own, so that what is submitted next comes together, until the gate is signalled.
    private func held(_ store: Store, _ first: @escaping @Sendable (Database) throws -> Void = { _ in }) async -> DispatchSemaphore {
        let gate = DispatchSemaphore(value: 0)
        await withCheckedContinuation { continuation in
            store.submit { db in
                try first(db)
                continuation.resume()
                gate.wait()
            } finished: { _ in
            }
        }
        return gate
    }

    @Test func `a job that throws is rolled back alone, the others are committed`() async throws {
        try await with { (store: Store) async throws -> Void in
            let outcomes = await withTaskGroup(of: (Int, Bool).self) { group in
                for number in 0..<600 {
                    group.addTask {
                        do {
                            try await store.write { db in
                                try db.execute(sql: "INSERT INTO t (n) VALUES (?)", arguments: [number])
                                if number % 7 == 0 { throw Mishap(number: number) }
                                if number % 11 == 0 { try db.execute(sql: "INSERT INTO t (n) VALUES (?)", arguments: [number]) }
                            }
                            return (number, true)
                        } catch { return (number, false) }
                    }
                }
                return await group.reduce(into: [Int: Bool]()) { $0[$1.0] = $1.1 }
            }
            let good = (0..<600).filter { $0 % 7 != 0 && $0 % 11 != 0 }
            #expect(outcomes.filter(\.value).keys.sorted() == good)
            #expect(try await numbers(store) == good)
        }
    }

    @Test func `what a job returns or throws reaches its own waiter`() async throws {
        try await with { (store: Store) async throws -> Void in
            #expect(try await store.write { _ in 5 } == 5)
            await #expect(throws: Mishap(number: 3)) { try await store.write { _ in throw Mishap(number: 3) } }
            await #expect(throws: DatabaseError.self) { try await store.write { try $0.execute(sql: "nonsense") } }
            #expect(try await store.write { db in db.isInsideTransaction })
        }
    }

    @Test func `jobs are written and finished in the order of submission`() async throws {
        try await with { (store: Store) async throws -> Void in
            let written = Mutex<[Int]>([])
            let finished = Mutex<[Int]>([])
            for number in 0..<2000 {
                store.submit { _ in
                    written.withLock { $0.append(number) }
                } finished: { _ in
                    finished.withLock { $0.append(number) }
                }
            }
            try await store.write { _ in }
            #expect(written.withLock { $0 } == Array(0..<2000))
            #expect(finished.withLock { $0 } == Array(0..<2000))
        }
    }

    @Test func `many jobs share a transaction`() async throws {
        try await with { (store: Store) async throws -> Void in
            let transactions = Mutex<Set<Int>>([])
            let gate = await held(store) { try $0.execute(sql: "INSERT INTO t (n) VALUES (-1)") }
            for number in 0..<500 {
                store.submit { db in
                    try db.execute(sql: "INSERT INTO t (n) VALUES (?)", arguments: [number])
                    let transaction = store.effects.moment?.transaction ?? -1
                    transactions.withLock { _ = $0.insert(transaction) }
                } finished: { _ in
                }
            }
            gate.signal()
            try await store.write { _ in }
            #expect(try await numbers(store).count == 501)
            #expect(transactions.withLock { $0.count } == 1 && !transactions.withLock { $0.contains(-1) })
        }
    }

    @Test func `a full database fails the whole batch: no job in it is reported as a success, and nothing of it is there`() async throws {
        try await with { (store: Store) async throws -> Void in
            try await store.write { try $0.execute(sql: "INSERT INTO t (n) VALUES (1)") }
            // Set beside the queue, as it cannot be in a transaction of several jobs.
            try await store.pool.writeWithoutTransaction { db in
                let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
                try db.execute(sql: "PRAGMA max_page_count = \(pages + 20)")
            }
            let results = Mutex<[Int: Bool]>([:])
            let gate = await held(store)
            for number in 2..<40 {
                store.submit { db in
                    let size = number == 20 ? 1 << 20 : 10
                    try db.execute(sql: "INSERT INTO t VALUES (?, zeroblob(?))", arguments: [number, size])
                } finished: { result in
                    results.withLock { results in
                        if case .success = result { results[number] = true } else { results[number] = false }
                    }
                }
            }
            gate.signal()
            try? await store.write { _ in }
            let told = results.withLock { $0 }
            let there = try await numbers(store)
            #expect(told.count == 38)
            // Whether SQLite ends the transaction or only the statement is its choice (lang_transaction.html §3.2): the results must hold.
            #expect(told.filter(\.value).keys.sorted() == there.filter { $0 > 1 })
            #expect(told[20] == false)
            try await store.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1000000") }
            try await store.write { try $0.execute(sql: "INSERT INTO t (n) VALUES (100)") }
            #expect(try await numbers(store).last == 100)
        }
    }

    @Test func `an error that ends the transaction reaches every waiter of the batch`() async throws {
        try await with { (store: Store) async throws -> Void in
            let results = Mutex<[Bool]>([])
            let gate = await held(store)
            for number in 0..<20 {
                store.submit { db in
                    try db.execute(sql: "INSERT INTO t (n) VALUES (?)", arguments: [number])
                    // As SQLite itself does with SQLITE_FULL or SQLITE_IOERR.
                    if number == 10 { try db.execute(sql: "INSERT OR ROLLBACK INTO t (n) VALUES (1)") }
                } finished: { result in
                    results.withLock { results in if case .success = result { results.append(true) } else { results.append(false) } }
                }
            }
            gate.signal()
            // This one may still be of the batch; the next one is not.
            try? await store.write { _ in }
            try await store.write { try $0.execute(sql: "INSERT INTO t (n) VALUES (1000)") }
            #expect(results.withLock { $0 } == Array(repeating: false, count: 20))
            #expect(try await numbers(store) == [1000])
        }
    }

    @Test func `closing waits for what is queued; what comes later learns that it is too late`() async throws {
        try await TemporaryFolder.database { path in
            let store = try Store(path: path, migrator: Self.migrator())
            let done = Mutex(0)
            for number in 0..<1500 {
                store.submit {
                    try $0.execute(sql: "INSERT INTO t (n) VALUES (?)", arguments: [number])
                } finished: { result in
                    if case .success = result { done.withLock { $0 += 1 } }
                }
            }
            try store.close()
            #expect(done.withLock { $0 } == 1500)
            await #expect(throws: (any Error).self) { try await store.write { _ in } }
            await #expect(throws: (any Error).self) { try await store.read { _ in } }
            let again = try Store(path: path, migrator: Self.migrator())
            #expect(try await numbers(again).count == 1500)
            try again.close()
        }
    }

    /// Without end: only closing ends it.
    @Test(.timeLimit(.minutes(1))) func `closing cuts short what is still being read`() async throws {
        try await with { (store: Store) async throws -> Void in
            let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
            let reading = Task {
                try await store.read { db in
                    let numbers = try Int.fetchCursor(
                        db, sql: "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n")
                    while try numbers.next() != nil { beginning.yield() }
                }
            }
            for await _ in begun { break }
            try store.close()
            let error = await #expect(throws: DatabaseError.self) { try await reading.value }
            #expect(error?.resultCode == .SQLITE_INTERRUPT)
        }
    }

    @Test func `without a path the file is private, and gone after closing`() async throws {
        let store = try Store(path: nil, migrator: Self.migrator())
        try await store.write { try $0.execute(sql: "INSERT INTO t (n) VALUES (1)") }
        let attributes = try FileManager.default.attributesOfItem(atPath: store.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        try store.close()
        for suffix in ["", "-wal", "-shm"] { #expect(!FileManager.default.fileExists(atPath: store.path + suffix)) }
    }

    @Test(arguments: Store.Durability.allCases) func `reading never waits for writing`(_ durability: Store.Durability) async throws {
        try await TemporaryFolder.database { path in
            let store = try Store(path: path, durability: durability, migrator: Self.migrator())
            try await store.write { try $0.execute(sql: "INSERT INTO t (n) VALUES (1)") }
            let gate = DispatchSemaphore(value: 0)
            store.submit { db in
                try db.execute(sql: "INSERT INTO t (n) VALUES (2)")
                gate.wait()
            } finished: { _ in
            }
            #expect(try await numbers(store) == [1], "only what is committed is seen")
            gate.signal()
            try await store.write { _ in }
            #expect(try await numbers(store) == [1, 2])
            #expect(try await store.write { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == (durability == .power ? 2 : 1))
            try store.close()
        }
    }

    @Test func `thousands of writes keep the log from growing without end`() async throws {
        try await TemporaryFolder.database { path in
            let store = try Store(path: path, migrator: Self.migrator())
            for _ in 0..<6 {
                for _ in 0..<5000 {
                    store.submit {
                        try $0.execute(sql: "INSERT INTO t (blob) VALUES (zeroblob(2000))")
                    } finished: { _ in
                    }
                }
                try await store.write { _ in }
            }
            let size = try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int ?? 0
            #expect(size < 60_000_000, "60 MB were written into the table; the log has \(size) bytes")
            try store.close()
        }
    }
}

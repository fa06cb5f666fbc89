import Foundation
import GRDB
import SparringLocks
@testable import SparringSandbox
import Support
import Testing

/// Changes that jobs make in memory share the fate of their savepoints and of their transaction.
@Suite struct CommitEffectsTests {
    private struct Mishap: Error {}

    private final class Log: Sendable {
        private let lines = Mutex<[String]>([])
        func add(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
    }

    private func with(_ body: (Store, Log) async throws -> Void) async throws {
        try await TemporaryFolder.database { path in
            var migrator = DatabaseMigrator()
            migrator.registerMigration("1") { try $0.execute(sql: "CREATE TABLE t (n INTEGER PRIMARY KEY)") }
            let store = try Store(path: path, migrator: migrator)
            try await body(store, Log())
            try? store.close()
        }
    }

    private static func job(_ name: String, _ store: Store, _ log: Log) {
        store.effects.afterCommit { log.add("\(name) committed") }
        store.effects.onRollback { log.add("\(name) undone") }
    }

    @Test func `changes come after the commit and before anybody hears of it, in order; of a job that throws, none`() async throws {
        try await with { store, log in
            try await store.write { db in
                Self.job("a", store, log)
                #expect(log.all.isEmpty)
            }
            log.add("told")
            await #expect(throws: Mishap.self) {
                try await store.write { _ in
                    Self.job("b", store, log)
                    Self.job("c", store, log)
                    throw Mishap()
                }
            }
            #expect(log.all == ["a committed", "told", "c undone", "b undone"])
        }
    }

    @Test func `where the transaction is lost, all its jobs are undone, the latest first`() async throws {
        try await with { store, log in
            let gate = DispatchSemaphore(value: 0)
            await withCheckedContinuation { continuation in
                store.submit { _ in
                    continuation.resume()
                    gate.wait()
                } finished: { _ in
                }
            }
            async let first = store.write { _ in
                Self.job("first", store, log)
                return 1
            }
            async let second = store.write { db -> Int in
                Self.job("second", store, log)
                try db.execute(sql: "ROLLBACK")
                throw DatabaseError(resultCode: .SQLITE_IOERR)
            }
            gate.signal()
            let (one, two) = (try? await first, try? await second)
            #expect(two == nil)
            // They are written in any order, and together or one after the other, as the gate lets them.
            #expect(log.all.contains("second undone") && !log.all.contains("second committed"))
            #expect(log.all.contains(one == nil ? "first undone" : "first committed") && log.all.count == 2)
        }
    }

    @Test func `outside of a job a change is made at once, in other threads while one is performed too`() async throws {
        try await with { store, log in
            store.effects.afterCommit { log.add("at once") }
            try await store.write { _ in
                let done = DispatchSemaphore(value: 0)
                let thread = Thread {
                    store.effects.afterCommit { log.add("elsewhere") }
                    store.effects.onRollback { log.add("never") }
                    done.signal()
                }
                thread.start()
                done.wait()
                #expect(log.all == ["at once", "elsewhere"])
            }
            #expect(log.all == ["at once", "elsewhere"])
        }
    }
}

import Foundation
import GRDB
import SparringJSON
import SparringJournal
import SparringLocks

/// A sandbox's timeline in the store: appended to inside the savepoint of what it tells of, bounded, and waited on.
final class Journal: Sendable {
    /// What a reader wants of the timeline.
    struct Query: Sendable {
        /// The first number wanted.
        var since = 0
        var operation: String?
        var kind: String?
        var lane: String?
        var limit = 1000
    }

    private struct State {
        /// Nil until it has been read from the database, and again after a transaction was lost.
        var next: Int?
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var waiterNumber = 0
        var sincePruning = 0
        var isClosed = false
    }

    private let sandbox: String
    /// The sandbox's range of the table.
    private let places: Range<Int64>
    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter position: the sandbox's, which no other has.
    init(sandbox: String, position: Int64, limit: Int) {
        self.sandbox = sandbox
        places = position << 40..<(position + 1) << 40
        self.limit = limit
    }

    /// The number of the next entry. Only on the writer, which appends one at a time.
    func next(_ db: Database) throws -> Int {
        if let next = state.withLock({ $0.next }) { return next }
        let last = try Int64.fetchOne(
            db, sql: "SELECT max(place) FROM journal WHERE place BETWEEN ? AND ?", arguments: [places.lowerBound, places.upperBound - 1])
        let floor = try losses(db).floor
        let next = max(last.map { Int($0 - places.lowerBound) } ?? 0, floor) + 1
        state.withLock { $0.next = next }
        return next
    }

    /// Writes an entry, giving it the next number.
    func append(_ entry: JournalEntry, _ db: Database) throws {
        guard !state.withLock({ $0.isClosed }) else { throw ToolError("sandbox '\(sandbox)' was deleted or reset in the meantime") }
        var entry = entry
        entry.number = try next(db)
        let statement = try db.cachedStatement(
            sql: "INSERT INTO journal (place, sandbox, kind, operation, lane, ordinal, record) VALUES (?, ?, ?, ?, ?, ?, ?)")
        try statement.execute(arguments: [
            place(entry.number), sandbox, entry.kind.rawValue, entry.operation, entry.lane, entry.ordinal, Data(entry.bytes),
        ])
        let mustPrune = state.withLock { state in
            state.next = entry.number + 1
            state.sincePruning += 1
            return state.sincePruning >= max(1, min(1000, limit / 10))
        }
        if mustPrune { try prune(db, below: entry.number - limit) }
    }

    /// A savepoint or transaction was rolled back: what was counted in memory may be wrong.
    func forgetNumbers() { state.withLock { $0.next = nil } }

    /// Tells those who wait that something was committed.
    func committed() {
        let waiters = state.withLock { state in
            defer { if !state.waiters.isEmpty { state.waiters = [:] } }
            return state.waiters.isEmpty ? [] : Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Calls `check` now and after each commit until it returns a value or the time is over.
    func wait<Value: Sendable>(for timeout: Duration, until check: () async throws -> Value?) async throws -> Value? {
        let deadline = ContinuousClock.now + timeout
        while true {
            let ticket = state.withLock { state in
                state.waiterNumber += 1
                return state.waiterNumber
            }
            let signal = Signal()
            let waiting = Task {
                await withCheckedContinuation { continuation in
                    state.withLock { $0.waiters[ticket] = continuation }
                    signal.fire()
                }
            }
            await signal.wait()  // registered before the check, so that no commit falls between
            if let value = try await check() {
                wake(ticket)
                return value
            }
            if ContinuousClock.now >= deadline {
                wake(ticket)
                return nil
            }
            let timer = Task {
                try await Task.sleep(until: deadline)
                wake(ticket)
            }
            await waiting.value
            timer.cancel()
        }
    }

    /// The stored texts of the entries that match, oldest first.
    func read(_ query: Query, _ db: Database) throws -> [[UInt8]] {
        let (condition, arguments) = condition(query)
        let rows = try Row.fetchAll(
            db, sql: "SELECT record FROM journal WHERE \(condition) ORDER BY place LIMIT ?", arguments: arguments + [query.limit])
        return rows.map { row in [UInt8](row[0] as DatabaseValue) }
    }

    /// All of it, oldest first, one at a time.
    func forEach(_ db: Database, _ body: ([UInt8]) throws -> Void) throws {
        let rows = try Row.fetchCursor(
            db, sql: "SELECT record FROM journal WHERE place BETWEEN ? AND ? ORDER BY place",
            arguments: [places.lowerBound, places.upperBound - 1])
        while let row = try rows.next() { try row.withUnsafeData(atIndex: 0) { try body($0?.withUnsafeBytes { Array($0) } ?? []) } }
    }

    /// The newest few entries of any kind, oldest first.
    func latest(_ count: Int, since: Int, _ db: Database) throws -> [[UInt8]] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT record FROM journal WHERE place BETWEEN ? AND ? ORDER BY place DESC LIMIT ?",
            arguments: [place(since), places.upperBound - 1, count])
        return rows.reversed().map { row in [UInt8](row[0] as DatabaseValue) }
    }

    /// How many entries match, whatever the query's limit.
    func count(_ query: Query, _ db: Database) throws -> Int {
        let (condition, arguments) = condition(query)
        return try Int.fetchOne(db, sql: "SELECT count(*) FROM journal WHERE \(condition)", arguments: arguments) ?? 0
    }

    private func condition(_ query: Query) -> (sql: String, arguments: StatementArguments) {
        var sql = "place BETWEEN ? AND ?"
        var arguments: StatementArguments = [place(query.since), places.upperBound - 1]
        for (column, value) in [("operation", query.operation), ("kind", query.kind), ("lane", query.lane)] {
            guard let value else { continue }
            sql += " AND \(column) = ?"
            arguments += [value]
        }
        return (sql, arguments)
    }

    /// What has left the journal: the highest number, and how many entries the limit has cost.
    func losses(_ db: Database) throws -> (floor: Int, pruned: Int) {
        let row = try Row.fetchOne(db, sql: "SELECT journal_floor, pruned FROM sandbox WHERE id = ?", arguments: [sandbox])
        return (row?[0] ?? 0, row?[1] ?? 0)
    }

    /// Empties the journal; numbering goes on.
    func clear(_ db: Database) throws { try remove(db, upTo: try next(db) - 1) }

    private func prune(_ db: Database, below number: Int) throws {
        state.withLock { $0.sincePruning = 0 }
        guard number > 0 else { return }
        let removed = try remove(db, upTo: number)
        try db.execute(sql: "UPDATE sandbox SET pruned = pruned + ? WHERE id = ?", arguments: [removed, sandbox])
    }

    @discardableResult
    private func remove(_ db: Database, upTo number: Int) throws -> Int {
        try db.execute(
            sql: """
                INSERT INTO lane (sandbox, name, ordinal)
                SELECT sandbox, lane, max(ordinal) FROM journal WHERE place BETWEEN :first AND :last AND ordinal IS NOT NULL GROUP BY lane
                ON CONFLICT DO UPDATE SET ordinal = max(ordinal, excluded.ordinal)
                """, arguments: ["first": places.lowerBound, "last": place(number)])
        try db.execute(sql: "DELETE FROM journal WHERE place BETWEEN ? AND ?", arguments: [places.lowerBound, place(number)])
        let removed = db.changesCount
        try db.execute(sql: "UPDATE sandbox SET journal_floor = max(journal_floor, ?) WHERE id = ?", arguments: [number, sandbox])
        return removed
    }

    private func place(_ number: Int) -> Int64 { places.lowerBound + Int64(min(max(number, 0), places.count - 1)) }

    /// Removes everything and takes nothing more: the sandbox is being deleted, or replaced by its reset self.
    func close(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM journal WHERE place BETWEEN ? AND ?", arguments: [places.lowerBound, places.upperBound - 1])
        state.withLock { $0.isClosed = true }
    }

    /// The latest ordinal of each lane that is still in the journal.
    func ordinals(_ db: Database) throws -> [Row] {
        try Row.fetchAll(
            db, sql: "SELECT lane, max(ordinal) FROM journal WHERE place BETWEEN ? AND ? AND ordinal IS NOT NULL GROUP BY lane",
            arguments: [places.lowerBound, places.upperBound - 1])
    }

    private func wake(_ ticket: Int) {
        state.withLock { $0.waiters.removeValue(forKey: ticket) }?.resume()
    }
}

/// Fires once.
private final class Signal: Sendable {
    private let state = Mutex((fired: false, waiter: CheckedContinuation<Void, Never>?.none))

    func fire() {
        let waiter = state.withLock { state in
            state.fired = true
            return state.waiter.take()
        }
        waiter?.resume()
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let fired = state.withLock { state in
                if !state.fired { state.waiter = continuation }
                return state.fired
            }
            if fired { continuation.resume() }
        }
    }
}

extension Array where Element == UInt8 {
    fileprivate init(_ value: DatabaseValue) {
        self = Data.fromDatabaseValue(value).map { Array($0) } ?? []
    }
}

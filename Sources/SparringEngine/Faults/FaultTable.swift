import GRDB
import SparringContract
import SparringJSON
import SparringJournal
import SparringLocks

/// The faults of one sandbox, with what they have done.
final class FaultTable: Sendable {
    struct Counts: Sendable {
        /// Calls that it could have struck.
        var matched = 0
        var hits = 0
    }

    struct Armed: Sendable {
        var number: Int
        var fault: Fault
        var counts = Counts()
        var lanes: [String: Counts] = [:]
    }

    /// A fault that strikes a call, and the counts to be stored with it.
    struct Strike: Sendable {
        var number: Int
        var fault: Fault
    }

    private struct State {
        var armed: [Armed] = []
        var last = 0
    }

    private let seed: Int64
    private let state = Mutex(State())
    /// Told apart from the lock so that calls without faults cost one atomic load.
    private let isEmpty = Atomic(true)

    init(seed: Int64) { self.seed = seed }

    var all: [Armed] { state.withLock { $0.armed } }

    func fault(_ number: Int) -> Armed? { state.withLock { $0.armed.first { $0.number == number } } }

    /// Chooses what strikes a call: in the order of the faults' numbers, each counting every call it matches.
    func choose(_ operation: ContractOperation, lane: String) -> (strikes: [Strike], touched: [Armed]) {
        if isEmpty.load(ordering: .acquiring) { return ([], []) }
        return state.withLock { state in
            var strikes: [Strike] = []
            var touched: [Armed] = []
            for index in state.armed.indices where state.armed[index].fault.place.covers(operation) {
                if case .refusal(let name) = state.armed[index].fault.effect, operation.answer(name) == nil { continue }
                if Self.strikes(&state.armed[index], lane, seed) {
                    strikes.append(Strike(number: state.armed[index].number, fault: state.armed[index].fault))
                }
                var snapshot = state.armed[index]
                snapshot.lanes = snapshot.lanes.filter { $0.key == lane }
                touched.append(snapshot)
            }
            return (strikes, touched)
        }
    }

    private static func strikes(_ armed: inout Armed, _ lane: String, _ seed: Int64) -> Bool {
        armed.counts.matched += 1
        armed.lanes[lane, default: Counts()].matched += 1
        let trigger = armed.fault.trigger
        let mine = armed.lanes[lane] ?? Counts()
        let counts = trigger.per == .lane ? mine : armed.counts
        let position = counts.matched - 1 - trigger.skip
        guard position >= 0, position % trigger.every == 0, trigger.times.map({ counts.hits < $0 }) ?? true else { return false }
        if let probability = trigger.probability {
            let draw = Draw(seed: seed, "fault", String(armed.number), lane, String(mine.matched))
            guard draw.fraction < probability else { return false }
        }
        armed.counts.hits += 1
        armed.lanes[lane, default: Counts()].hits += 1
        return true
    }

    /// Arms a fault under the next number.
    func arm(_ fault: Fault, sandbox: String, _ db: Database) throws -> Armed {
        let armed = state.withLock { state in
            state.last += 1
            return Armed(number: state.last, fault: fault)
        }
        try db.execute(sql: "INSERT INTO fault (sandbox, number, text) VALUES (?, ?, ?)", arguments: [sandbox, armed.number, fault.text])
        state.withLock { $0.armed.append(armed) }
        isEmpty.store(false, ordering: .releasing)
        return armed
    }

    /// - Returns: false where there is no such fault.
    func remove(_ number: Int, sandbox: String, _ db: Database) throws -> Bool {
        try db.execute(sql: "UPDATE fault SET removed = 1 WHERE sandbox = ? AND number = ? AND removed = 0", arguments: [sandbox, number])
        guard db.changesCount == 1 else { return false }
        let left = state.withLock { state in
            state.armed.removeAll { $0.number == number }
            return state.armed.count
        }
        isEmpty.store(left == 0, ordering: .releasing)
        return true
    }

    /// Writes the counts as far as a call moved them.
    static func store(_ touched: [Armed], sandbox: String, _ db: Database) throws {
        for armed in touched {
            // max: calls may be committed in another order than the one in which they were counted.
            try db.cachedStatement(sql: "UPDATE fault SET matched = max(matched, ?), hits = max(hits, ?) WHERE sandbox = ? AND number = ?")
                .execute(arguments: [armed.counts.matched, armed.counts.hits, sandbox, armed.number])
            for (lane, counts) in armed.lanes {
                try db.cachedStatement(
                    sql: """
                        INSERT INTO fault_lane (sandbox, fault, lane, matched, hits) VALUES (?, ?, ?, ?, ?)
                        ON CONFLICT DO UPDATE SET matched = max(matched, excluded.matched), hits = max(hits, excluded.hits)
                        """
                ).execute(arguments: [sandbox, armed.number, lane, counts.matched, counts.hits])
            }
        }
    }

    /// Takes up what an earlier process left. A fault that the contracts do not know any more is an error: nothing is silently disarmed.
    func restore(_ db: Database, sandbox: String, reader: FaultReader) throws {
        let rows = try Row.fetchAll(
            db, sql: "SELECT number, text, matched, hits, removed FROM fault WHERE sandbox = ? ORDER BY number", arguments: [sandbox])
        let lanes = try Row.fetchAll(db, sql: "SELECT fault, lane, matched, hits FROM fault_lane WHERE sandbox = ?", arguments: [sandbox])
        var armed: [Armed] = []
        for row in rows where !(row[4] as Bool) {
            let number: Int = row[0]
            var one = Armed(number: number, fault: try reader.read(text: row[1]), counts: Counts(matched: row[2], hits: row[3]))
            for lane in lanes where (lane[0] as Int) == number { one.lanes[lane[1]] = Counts(matched: lane[2], hits: lane[3]) }
            armed.append(one)
        }
        let found = armed
        state.withLock { state in
            state.armed = found
            state.last = rows.last?[0] ?? 0
        }
        isEmpty.store(found.isEmpty, ordering: .releasing)
    }
}

extension FaultTable.Armed {
    /// As the admin API shows it.
    var json: JSON {
        var parameters = JSON.Object()
        for (name, value) in fault.parameters { parameters[name] = .string(value) }
        return .members([
            "number": .integer(Int64(number)), "text": .string(fault.text), "where": .string(fault.place.description),
            "effect": .string(fault.effect.word), "parameters": .object(parameters), "hits": .integer(Int64(counts.hits)),
            "left": fault.trigger.per == .sandbox ? fault.trigger.times.map { .integer(Int64(max(0, $0 - counts.hits))) } : nil,
            "matched": .integer(Int64(counts.matched)),
        ])
    }
}

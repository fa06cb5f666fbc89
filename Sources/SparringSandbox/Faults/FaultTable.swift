package import GRDB
import SparringJSON
import SparringJournal
import SparringLocks

/// The faults of one sandbox, with what they have done.
package final class FaultTable: Sendable {
    struct Counts: Sendable {
        /// Calls that it could have struck.
        var matched = 0
        var hits = 0

        /// Clamped: an edited database may have any numbers.
        mutating func add(matched more: Int, hits moreHits: Int) {
            matched = matched.addingClamped(more)
            hits = hits.addingClamped(moreHits)
        }

        /// Counts a call, or with -1 takes it back.
        mutating func add(_ touched: Touched, _ sign: Int) { add(matched: sign, hits: touched.doesStrike ? sign : 0) }
    }

    package struct Armed: Sendable {
        package var number: Int
        package var fault: Fault
        /// Sandbox time.
        var since: Timestamp
        var counts = Counts()
        var lanes: [String: Counts] = [:]
    }

    /// A fault that strikes a call.
    package struct Strike: Sendable {
        package var number: Int
        package var fault: Fault
        /// The basis of its draws: the seed, and the position of the call among those of its lane that the fault matches.
        var seed: Int64
        var lane: String
        var ordinal: Int

        package var phase: Fault.Phase { fault.phase }

        package func draw(_ purpose: String) -> Draw { Draw(seed: seed, "fault", String(number), lane, String(ordinal), purpose) }
    }

    /// A fault that has counted a call, whether or not it strikes it.
    package struct Touched: Sendable {
        var number: Int
        var lane: String
        var doesStrike: Bool
    }

    private struct State {
        var armed: [Armed] = []
        /// The indexes by ``FaultOccasion/key``, each made when it is first needed.
        var index: [String: FaultIndex] = [:]
    }

    private struct LaneKey: Hashable {
        var fault: Int
        var lane: String
    }

    /// The counts that the calls of a transaction have added.
    private struct Unwritten {
        var all: [Int: Counts] = [:]
        var lanes: [LaneKey: Counts] = [:]
        var isClosed = false

        mutating func add(_ touched: [Touched], _ sign: Int) {
            for one in touched {
                let key = LaneKey(fault: one.number, lane: one.lane)
                all[one.number, default: Counts()].add(one, sign)
                lanes[key, default: Counts()].add(one, sign)
                if all[one.number]?.matched == 0 { all[one.number] = nil }
                if lanes[key]?.matched == 0 { lanes[key] = nil }
            }
        }
    }

    private let unwritten = Mutex(Unwritten())
    private let seed: Int64
    private let early: EarlyFaults
    private let effects: CommitEffects
    private let state = Mutex(State())
    /// Outside the lock, so that calls without faults cost one atomic load.
    private let isEmpty = Atomic(true)

    init(seed: Int64, early: EarlyFaults, effects: CommitEffects) {
        self.seed = seed
        self.early = early
        self.effects = effects
    }

    package var all: [Armed] { state.withLock { $0.armed } }

    package func fault(_ number: Int) -> Armed? { state.withLock { $0.armed.first { $0.number == number } } }

    /// Chooses what strikes a call or message: in the order of the faults' numbers, each counting every one it matches.
    ///
    /// - Parameter isEarly: only the head is known; those are chosen that strike then, else all the others.
    package func choose(
        _ occasion: @autoclosure () -> FaultOccasion, isEarly: Bool = false, at points: @autoclosure () -> [FaultPoint]
    ) -> (strikes: [Strike], touched: [Touched]) {
        if isEmpty.load(ordering: .acquiring) { return ([], []) }
        let occasion = occasion()
        return state.withLock { state in
            let key = occasion.key
            if state.index[key] == nil { state.index[key] = FaultIndex(state.armed.map(\.fault), at: points()) }
            var strikes: [Strike] = []
            var touched: [Touched] = []
            for position in state.index[key]?.positions(isEarly: isEarly, subject: occasion.lane) ?? [] {
                guard state.armed[position].isFor(occasion) else { continue }
                let (ordinal, doesStrike) = state.armed[position].count(occasion.lane, seed)
                let armed = state.armed[position]
                touched.append(Touched(number: armed.number, lane: occasion.lane, doesStrike: doesStrike))
                if doesStrike {
                    strikes.append(
                        Strike(number: armed.number, fault: armed.fault, seed: seed, lane: occasion.lane, ordinal: ordinal))
                }
            }
            return (strikes, touched)
        }
    }

    /// Undoes the count of a call that could not be written.
    package func takeBack(_ touched: [Touched]) {
        if touched.isEmpty { return }
        state.withLock { state in
            for one in touched {
                guard let position = state.armed.firstIndex(where: { $0.number == one.number }) else { continue }
                state.armed[position].uncount(one)
            }
        }
    }

    /// The number that the next fault gets.
    package func next(in sandbox: String, _ db: Database) throws -> Int {
        let last = try Int.fetchOne(db, sql: "SELECT max(number) FROM fault WHERE sandbox = ?", arguments: [sandbox]) ?? 0
        return last + 1
    }

    /// Arms a fault under the next number, from the commit on.
    func arm(_ fault: Fault, at now: Timestamp, sandbox: String, _ db: Database) throws -> Armed {
        let armed = Armed(number: try next(in: sandbox, db), fault: fault, since: now)
        try db.execute(
            sql: "INSERT INTO fault (sandbox, number, text, since) VALUES (?, ?, ?, ?)",
            arguments: [sandbox, armed.number, fault.text, now.milliseconds])
        effects.afterCommit { [self] in
            if fault.phase.isEarly { early.exist() }
            change { $0.append(armed) }
        }
        return armed
    }

    /// - Returns: those of the faults that there were.
    package func remove(_ numbers: [Int], sandbox: String, _ db: Database) throws -> [Int] {
        var removed: [Int] = []
        for number in numbers {
            try db.cachedStatement(sql: "UPDATE fault SET removed = 1 WHERE sandbox = ? AND number = ? AND removed = 0")
                .execute(arguments: [sandbox, number])
            if db.changesCount == 1 { removed.append(number) }
        }
        let gone = Set(removed)
        // Once for all of them: there may be thousands.
        effects.afterCommit { [self] in change { $0.removeAll { gone.contains($0.number) } } }
        return removed
    }

    private func change(_ change: (inout [Armed]) -> Void) {
        let isNowEmpty = state.withLock { state in
            change(&state.armed)
            state.index = [:]
            return state.armed.isEmpty
        }
        isEmpty.store(isNowEmpty, ordering: .releasing)
    }

    /// Writes what a call counted: with all others of the same transaction, as a fault that many calls match would otherwise cost each of them
    /// two statements. Only within a job of the store.
    package func write(_ touched: [Touched], sandbox: String, _ store: Store, _ db: Database) throws {
        if touched.isEmpty { return }
        for one in touched {
            try store.history.note(fault: one.number, lane: one.lane, doesStrike: one.doesStrike, sandbox, store.statements, db)
        }
        let isClosed = unwritten.withLock { unwritten in
            if !unwritten.isClosed { unwritten.add(touched, 1) }
            return unwritten.isClosed
        }
        if isClosed { return }
        let forget: @Sendable () -> Void = { [self] in unwritten.withLock { if !$0.isClosed { $0.add(touched, -1) } } }
        effects.onRollback(forget)
        effects.afterCommit(forget)
        store.atEndOfBatch(self) { [self] db in try write(db, sandbox) }
    }

    private func write(_ db: Database, _ sandbox: String) throws {
        let unwritten = unwritten.withLock { $0 }
        for (number, counts) in unwritten.all where counts.matched != 0 {
            try db.cachedStatement(sql: "UPDATE fault SET matched = matched + ?, hits = hits + ? WHERE sandbox = ? AND number = ?")
                .execute(arguments: [counts.matched, counts.hits, sandbox, number])
        }
        for (key, counts) in unwritten.lanes where counts.matched != 0 {
            try db.cachedStatement(
                sql: """
                    INSERT INTO fault_lane (sandbox, fault, lane, matched, hits) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT DO UPDATE SET matched = matched + excluded.matched, hits = hits + excluded.hits
                    """
            ).execute(arguments: [sandbox, key.fault, key.lane, counts.matched, counts.hits])
        }
    }

    /// The sandbox is being deleted, or replaced by its reset self: nothing of this may be written any more.
    func close() {
        let before = unwritten.withLock { unwritten in
            defer { unwritten = Unwritten(isClosed: true) }
            return unwritten
        }
        effects.onRollback { [self] in unwritten.withLock { $0 = before } }
    }

    /// Takes up what an earlier process left. A fault that the contracts do not know any more is an error: nothing is silently disarmed.
    func restore(_ db: Database, sandbox: String, reader: FaultReader) throws {
        let found = try Self.armed(in: sandbox, reader: reader, db)
        if found.contains(where: { $0.fault.phase.isEarly }) { early.exist() }
        change { $0 = found }
    }

    /// Those that are armed, as a database has them.
    package static func armed(in sandbox: String, reader: FaultReader, _ db: Database) throws -> [Armed] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT number, text, since, matched, hits, removed FROM fault WHERE sandbox = ? ORDER BY number",
            arguments: [sandbox])
        let lanes = try Row.fetchAll(db, sql: "SELECT fault, lane, matched, hits FROM fault_lane WHERE sandbox = ?", arguments: [sandbox])
        let byFault = Dictionary(grouping: lanes) { $0[0] as Int }
        var found: [Armed] = []
        for row in rows where !(row[5] as Bool) {
            let number: Int = row[0]
            var armed = Armed(
                number: number, fault: try reader.read(text: row[1]), since: Timestamp(milliseconds: row[2]),
                counts: Counts(matched: row[3], hits: row[4]))
            for lane in byFault[number] ?? [] { armed.lanes[lane[1]] = Counts(matched: lane[2], hits: lane[3]) }
            found.append(armed)
        }
        return found
    }
}

extension FaultTable.Armed {
    /// In force, and every condition holds.
    fileprivate func isFor(_ occasion: FaultOccasion) -> Bool {
        fault.trigger.isInForce(at: occasion.now, armed: since) && fault.match.holds(for: occasion)
    }

    /// Counts a call.
    ///
    /// - Returns: its ordinal among those of its lane that the fault matches, and whether it is struck.
    mutating func count(_ lane: String, _ seed: Int64) -> (ordinal: Int, doesStrike: Bool) {
        counts.add(matched: 1, hits: 0)
        lanes[lane, default: FaultTable.Counts()].add(matched: 1, hits: 0)
        let trigger = fault.trigger
        let mine = lanes[lane] ?? FaultTable.Counts()
        let counting = trigger.per == .lane ? mine : counts
        let position = (counting.matched - 1).subtractingClamped(trigger.skip)
        guard position >= 0, position % trigger.every == 0, trigger.times.map({ counting.hits < $0 }) ?? true else {
            return (mine.matched, false)
        }
        if let probability = trigger.probability {
            let draw = Draw(seed: seed, "fault", String(number), lane, String(mine.matched))
            guard draw.fraction < probability else { return (mine.matched, false) }
        }
        counts.add(matched: 0, hits: 1)
        lanes[lane, default: FaultTable.Counts()].add(matched: 0, hits: 1)
        return (mine.matched, true)
    }

    mutating func uncount(_ touched: FaultTable.Touched) {
        counts.add(touched, -1)
        lanes[touched.lane]?.add(touched, -1)
        if lanes[touched.lane]?.matched == 0 { lanes[touched.lane] = nil }
    }
}

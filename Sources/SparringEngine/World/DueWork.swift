public import GRDB
import SparringJournal
import SparringLocks

/// A sandbox's due work: what the store keeps of it, and an alarm on the clock for each. The store decides: an alarm whose row has gone
/// rings for nothing.
final class DueWork: Sendable {
    private struct Alarm {
        /// On the clock; nil once the clock is released.
        var number: Int?
        var lane: String
    }

    private struct State {
        /// Nil until there is a pipeline to run it.
        var runner: DueRunner?
        /// Found in the database at start.
        var restored: [DueItem] = []
        var alarms: [Int64: Alarm] = [:]
        /// Scheduled or taken back in the transaction that is being written.
        var touched: Set<Int64> = []
        var isWatching = false
        /// Lanes in which one is under way, with those that wait behind it.
        var lanes: [String: [(number: Int64, work: SandboxClock.Work)]] = [:]
    }

    private let sandbox: String
    private let clock: SandboxClock
    private let state = Mutex(State())

    init(sandbox: String, clock: SandboxClock) {
        self.sandbox = sandbox
        self.clock = clock
    }

    // MARK: Inside a transaction

    func schedule(_ item: DueItem, _ db: Database) throws -> Int64 {
        let number = try item.insert(sandbox, db)
        touch(number, db)
        return number
    }

    /// - Returns: how much was taken back.
    func cancel(vendor: String, key: String, _ db: Database) throws -> Int {
        let numbers = try DueItem.numbers(vendor: vendor, key: key, sandbox, db)
        for number in numbers {
            _ = try DueItem.remove(number, db)
            touch(number, db)
        }
        return numbers.count
    }

    /// Alarms follow what is committed, before anybody is told of the commit. A savepoint may be rolled back alone, so the rows are looked
    /// at then, not what was meant.
    private func touch(_ number: Int64, _ db: Database) {
        let watches = state.withLock { state in
            state.touched.insert(number)
            defer { state.isWatching = true }
            return !state.isWatching
        }
        guard watches else { return }
        db.afterNextTransaction { db in
            for number in self.take() { self.adjust(number, (try? DueItem.find(number, db)) ?? nil) }
        } onRollback: { _ in
            _ = self.take()
        }
    }

    private func take() -> [Int64] {
        state.withLock { state in
            defer { (state.touched, state.isWatching) = ([], false) }
            return state.touched.sorted()
        }
    }

    private func adjust(_ number: Int64, _ item: DueItem?) {
        state.withLock { state in
            if let item {
                // Before the start, what is in the database is found there.
                if state.runner == nil { state.restored.append(item) } else { arm(item, &state) }
            } else {
                state.restored.removeAll { $0.number == number }
                if let alarm = state.alarms.removeValue(forKey: number)?.number { clock.cancel(alarm: alarm) }
            }
        }
    }

    // MARK: Running

    /// Takes up what an earlier process left; it waits for ``start(_:)``.
    func restore(_ db: Database) throws {
        let items = try DueItem.all(of: sandbox, db)
        state.withLock { $0.restored = items }
    }

    /// Begins to run what falls due; nil ends it.
    func start(_ runner: DueRunner?) {
        state.withLock { state in
            let isFirst = state.runner == nil
            state.runner = runner
            guard runner != nil, isFirst else { return }
            for item in state.restored.sorted(by: { ($0.due, $0.number) < ($1.due, $1.number) }) { arm(item, &state) }
            state.restored = []
        }
    }

    private func arm(_ item: DueItem, _ state: inout State) {
        guard state.alarms[item.number] == nil else { return }
        let work = SandboxClock.Work()
        let number = clock.alarm(at: item.due, what: item.what, work: work) { [weak self] in self?.run(item.number, work) }
        state.alarms[item.number] = Alarm(number: number, lane: item.lane)
    }

    /// Behind what is under way in its lane, where there is something.
    private func run(_ number: Int64, _ work: SandboxClock.Work) {
        let lane = state.withLock { state -> String? in
            guard let alarm = state.alarms.removeValue(forKey: number), state.runner != nil else {
                clock.ended(work)
                return nil
            }
            if state.lanes[alarm.lane] != nil {
                state.lanes[alarm.lane]?.append((number, work))
                clock.pause(work)  // the one before may be asleep on the clock
                return nil
            }
            state.lanes[alarm.lane] = []
            return alarm.lane
        }
        if let lane { begin(number, work, in: lane) }
    }

    private func begin(_ number: Int64, _ work: SandboxClock.Work, in lane: String) {
        Task { [self] in
            await state.withLock { $0.runner }?.run(number, work)
            let next = state.withLock { state in
                guard let next = state.lanes[lane]?.first else {
                    state.lanes[lane] = nil
                    return (number: Int64, work: SandboxClock.Work)?.none
                }
                state.lanes[lane]?.removeFirst()
                return next
            }
            if let next {
                clock.resume(next.work)  // before this one is over: an advance must not end in between
                begin(next.number, next.work, in: lane)
            }
            clock.ended(work)
        }
    }
}

extension Sandbox {
    /// Keeps work until its time has come, over restarts too; it is part of the transaction, and nothing of it is left where that is rolled
    /// back. When due it is done by the vendor's ``Vendor/dueBehaviour(of:)``: in order of time while the clock is advanced; while it runs,
    /// what is due at the same moment is begun in order, and only items of one lane wait for each other.
    ///
    /// - Returns: the item's number.
    @discardableResult
    public func schedule(_ item: DueItem, _ db: Database) throws -> Int64 { try dueWork.schedule(item, db) }

    /// Takes back what was scheduled under a key and is not under way.
    ///
    /// - Returns: how much that was.
    @discardableResult
    public func cancelDueWork(of vendor: String, key: String, _ db: Database) throws -> Int {
        try dueWork.cancel(vendor: vendor, key: key, db)
    }
}

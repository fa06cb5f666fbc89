import GRDB
import SparringLocks

/// A sandbox's due work: what the store keeps of it, and an alarm on the clock for each. The store decides: an alarm whose row has gone
/// rings for nothing.
package final class DueWork: Sendable {
    private struct State {
        /// Nil before the start and after the end.
        var runner: (any DueRunner)?
        /// Found in the database at start.
        var restored: [DueItem] = []
        /// The lane of each item that is armed and has not begun, by the item's number.
        var laneOf: [Int64: String] = [:]
        /// Those that have something to do or are at it.
        var lanes: [String: DueLane] = [:]
    }

    package let sandbox: String
    private let clock: SandboxClock
    private let effects: CommitEffects
    private let state = Mutex(State(), .second)

    init(sandbox: String, clock: SandboxClock, effects: CommitEffects) {
        self.sandbox = sandbox
        self.clock = clock
        self.effects = effects
    }

    // MARK: Inside a transaction

    func schedule(_ item: DueItem, _ db: Database) throws -> Int64 {
        var item = item
        item.number = try item.insert(sandbox, db)
        let scheduled = item
        effects.afterCommit { [self] in keep(scheduled) }
        return item.number
    }

    /// - Returns: how much was taken back.
    func cancel(vendor: String, key: String, _ db: Database) throws -> Int {
        let numbers = try DueItem.numbers(vendor: vendor, key: key, sandbox, db)
        for number in numbers {
            _ = try DueItem.remove(number, db)
            effects.afterCommit { [self] in drop(number) }
        }
        return numbers.count
    }

    private func keep(_ item: DueItem) {
        state.withLock { state in
            // Before the start, what is in the database is found there.
            if state.runner == nil { state.restored.append(item) } else { arm(item, &state) }
        }
    }

    private func drop(_ number: Int64) {
        let next = state.withLock { state -> DueLane.Entry? in
            state.restored.removeAll { $0.number == number }
            guard let lane = state.laneOf.removeValue(forKey: number), let dropped = state.lanes[lane]?.remove(number) else { return nil }
            if let alarm = dropped.alarm { clock.cancel(alarm: alarm) }
            if dropped.hasRung { clock.ended(dropped.work) }
            return takeNext(in: lane, &state)
        }
        if let next { goOn(next) }
    }

    // MARK: Running

    /// Takes up what an earlier process left; it waits for ``start(_:)``.
    func restore(_ db: Database) throws {
        let items = try DueItem.all(of: sandbox, db)
        state.withLock { $0.restored = items }
    }

    /// Begins to run what falls due; nil ends it.
    func start(_ runner: (any DueRunner)?) {
        state.withLock { state in
            let isFirst = state.runner == nil
            state.runner = runner
            guard runner != nil, isFirst else { return }
            for item in state.restored.sorted(by: { ($0.due, $0.number) < ($1.due, $1.number) }) { arm(item, &state) }
            state.restored = []
        }
    }

    private func arm(_ item: DueItem, _ state: inout State) {
        guard state.laneOf[item.number] == nil else { return }
        let work = SandboxClock.Work()
        let alarm = clock.alarm(at: item.due, what: item.what, work: work) { [weak self] in self?.ring(item.number, work) }
        state.laneOf[item.number] = item.lane
        state.lanes[item.lane, default: DueLane()].insert(DueLane.Entry(item: item, work: work, alarm: alarm))
    }

    private func ring(_ number: Int64, _ work: SandboxClock.Work) {
        let next = state.withLock { state -> DueLane.Entry? in
            guard let lane = state.laneOf[number], state.runner != nil else {
                clock.ended(work)
                return nil
            }
            state.lanes[lane]?.ring(number)
            let next = takeNext(in: lane, &state)
            if next == nil { clock.pause(work) }  // the one before may be asleep on the clock
            return next
        }
        if let next { begin(next) }
    }

    private func takeNext(in lane: String, _ state: inout State) -> DueLane.Entry? {
        let next = state.lanes[lane]?.begin()
        if let next { state.laneOf[next.item.number] = nil }
        if state.lanes[lane]?.isEmpty == true { state.lanes[lane] = nil }
        return next
    }

    /// With what has rung and had to wait.
    private func goOn(_ next: DueLane.Entry) {
        clock.resume(next.work)
        begin(next)
    }

    private func begin(_ entry: DueLane.Entry) {
        Task { [self] in
            await state.withLock { $0.runner }?.run(entry.item, of: self, entry.work)
            let next = state.withLock { state in
                state.lanes[entry.item.lane]?.end()
                return takeNext(in: entry.item.lane, &state)
            }
            if let next { goOn(next) }  // before this one is over: an advance must not end in between
            clock.ended(entry.work)
        }
    }
}

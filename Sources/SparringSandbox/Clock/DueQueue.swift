import HeapModule
import SparringJournal

/// The sleepers of a clock, the next first, and those that wait for the same time in the order of asking. Members that were taken
/// out are left lying in the heap until they come up.
struct DueQueue {
    struct Key: Comparable {
        var due: Timestamp
        var number: Int
        static func < (a: Key, b: Key) -> Bool { (a.due, a.number) < (b.due, b.number) }
    }

    private var heap = Heap<Key>()
    private var sleepers: [Int: SandboxClock.Sleeper] = [:]

    var isEmpty: Bool { sleepers.isEmpty }

    var inOrder: [SandboxClock.Sleeper] { sleepers.values.sorted { ($0.due, $0.number) < ($1.due, $1.number) } }

    var first: SandboxClock.Sleeper? {
        mutating get {
            while let place = heap.min {
                if let sleeper = sleepers[place.number] { return sleeper }
                heap.removeMin()
            }
            return nil
        }
    }

    mutating func insert(_ sleeper: SandboxClock.Sleeper) {
        sleepers[sleeper.number] = sleeper
        heap.insert(Key(due: sleeper.due, number: sleeper.number))
    }

    @discardableResult
    mutating func remove(_ number: Int) -> SandboxClock.Sleeper? {
        let removed = sleepers.removeValue(forKey: number)
        if heap.count > 64, heap.count > 2 * sleepers.count { heap = Heap(sleepers.values.map { Key(due: $0.due, number: $0.number) }) }
        return removed
    }
}

import SparringJournal

/// What waits on a clock, the next first, and what waits for the same time in the order of asking. A binary heap; members that were taken
/// out are left lying in it until they come up.
struct DueQueue {
    struct Key: Comparable {
        var due: Timestamp
        var number: Int
        static func < (a: Key, b: Key) -> Bool { (a.due, a.number) < (b.due, b.number) }
    }

    private var heap: [Key] = []
    private var sleepers: [Int: SandboxClock.Sleeper] = [:]

    var isEmpty: Bool { sleepers.isEmpty }

    var inOrder: [SandboxClock.Sleeper] { sleepers.values.sorted { ($0.due, $0.number) < ($1.due, $1.number) } }

    var first: SandboxClock.Sleeper? {
        mutating get {
            while let place = heap.first {
                if let sleeper = sleepers[place.number] { return sleeper }
                removeTop()
            }
            return nil
        }
    }

    mutating func insert(_ sleeper: SandboxClock.Sleeper) {
        sleepers[sleeper.number] = sleeper
        heap.append(Key(due: sleeper.due, number: sleeper.number))
        var index = heap.count - 1
        while index > 0, heap[index] < heap[(index - 1) / 2] {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    @discardableResult
    mutating func remove(_ number: Int) -> SandboxClock.Sleeper? {
        let removed = sleepers.removeValue(forKey: number)
        // What is in order is a heap too.
        if heap.count > 64, heap.count > 2 * sleepers.count { heap = inOrder.map { Key(due: $0.due, number: $0.number) } }
        return removed
    }

    private mutating func removeTop() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var index = 0
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < heap.count && heap[child] < heap[least] { least = child }
            if least == index { return }
            heap.swapAt(index, least)
            index = least
        }
    }
}

import HeapModule

/// Actions that are due at times of the monotonic clock.
struct LoopTimers {
    private struct Entry: Comparable {
        let due: ContinuousClock.Instant
        let number: UInt64

        static func < (a: Entry, b: Entry) -> Bool { (a.due, a.number) < (b.due, b.number) }
    }

    private var queue = Heap<Entry>()
    private var actions: [UInt64: () -> Void] = [:]
    private var last: UInt64 = 0

    mutating func add(at due: ContinuousClock.Instant, _ action: @escaping () -> Void) -> UInt64 {
        last += 1
        actions[last] = action
        queue.insert(Entry(due: due, number: last))
        return last
    }

    mutating func cancel(_ number: UInt64) {
        guard actions.removeValue(forKey: number) != nil else { return }
        // What was cancelled leaves the queue when its time has come; where that is most of it, at once.
        if queue.count > 64, queue.count > 4 * actions.count {
            queue = Heap(queue.unordered.filter { actions[$0.number] != nil })
        }
    }

    /// Takes one whose time has come.
    mutating func next(at now: ContinuousClock.Instant) -> (() -> Void)? {
        while let first = queue.min, first.due <= now {
            queue.removeMin()
            if let action = actions.removeValue(forKey: first.number) { return action }
        }
        return nil
    }

    /// When the next one is due.
    var due: ContinuousClock.Instant? { queue.min?.due }
}

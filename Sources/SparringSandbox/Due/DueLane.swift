/// The work of a lane, run in the order in which it falls due, one item at a time. Alarms of items that are already due may ring in any
/// order: an item whose alarm has rung waits until those before it have rung and are over.
struct DueLane {
    struct Entry {
        let item: DueItem
        let work: SandboxClock.Work
        /// On the clock; nil once the clock is released.
        let alarm: Int?
        var hasRung = false
    }

    private var places: [DueQueue.Key] = []
    private var entries: [Int64: Entry] = [:]
    private(set) var isBusy = false

    var isEmpty: Bool { places.isEmpty && !isBusy }

    mutating func insert(_ entry: Entry) {
        let place = DueQueue.Key(due: entry.item.due, number: Int(entry.item.number))
        places.insert(place, at: places.lastIndex { $0 < place }.map { $0 + 1 } ?? 0)
        entries[entry.item.number] = entry
    }

    @discardableResult
    mutating func remove(_ number: Int64) -> Entry? {
        guard let entry = entries.removeValue(forKey: number) else { return nil }
        if let index = places.firstIndex(where: { $0.number == number }) { places.remove(at: index) }
        return entry
    }

    mutating func ring(_ number: Int64) { entries[number]?.hasRung = true }

    /// Takes the entry that is to begin now, if any.
    mutating func begin() -> Entry? {
        guard !isBusy, let first = places.first.map({ Int64($0.number) }), entries[first]?.hasRung == true else { return nil }
        isBusy = true
        return remove(first)
    }

    mutating func end() { isBusy = false }
}

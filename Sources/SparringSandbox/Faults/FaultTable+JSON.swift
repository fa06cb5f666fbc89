package import SparringJSON
package import SparringJournal

extension FaultTable.Armed {
    /// The fault as the admin API shows it.
    package func json(at now: Timestamp) -> JSON {
        var parameters = JSON.Object()
        for (name, value) in fault.parameters { parameters[name] = .string(value) }
        let isOver = fault.trigger.isOver(at: now, armed: since)
        let left = fault.trigger.times.map { isOver ? 0 : max(0, $0 - counts.hits) }
        return .members([
            "number": .integer(Int64(number)), "text": .string(fault.text), "where": .string(fault.place.description),
            "effect": .string(fault.effect.word), "parameters": .object(parameters), "since": .string(since.description),
            "hits": .integer(Int64(counts.hits)),
            "left": fault.trigger.per == .sandbox ? (left ?? (isOver ? 0 : nil)).map { .integer(Int64($0)) } : nil,
            "matched": .integer(Int64(counts.matched)),
            "lanes": fault.trigger.per == .lane ? lanesJSON(isOver) : nil,
            "caveat": FaultCaveats.areDue(fault.trigger) ? .string("it " + FaultCaveats.words) : nil,
        ])
    }

    private func lanesJSON(_ isOver: Bool) -> JSON {
        var out = JSON.Object()
        for (lane, counts) in lanes.sorted(by: { $0.key < $1.key }) {
            out[lane] = .members([
                "hits": .integer(Int64(counts.hits)),
                "left": fault.trigger.times.map { .integer(Int64(isOver ? 0 : max(0, $0 - counts.hits))) },
                "matched": .integer(Int64(counts.matched)),
            ])
        }
        return .object(out)
    }
}

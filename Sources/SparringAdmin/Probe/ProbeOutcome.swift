import SparringJournal

/// The record of a script that was played at the vendor, once.
struct ProbeOutcome {
    var begun: Timestamp
    var calls: [Archive.Call] = []
    var acts: [RecordedSandbox.Act] = []
    /// Operations that could not be checked, with the reasons.
    var unchecked: [(operation: String, reason: String)] = []
    /// The number of the moment at which each step began.
    var beginnings: [Int] = []

    /// How many steps were begun.
    var reached: Int { beginnings.count }

    /// Without what came of a step and of those after it.
    func cut(before step: Int) -> ProbeOutcome {
        guard beginnings.indices.contains(step) else { return self }
        let limit = beginnings[step]
        var outcome = self
        outcome.beginnings.removeLast(beginnings.count - step)
        outcome.acts.removeAll { $0.entry >= limit }
        outcome.calls.removeAll { $0.own?.entry ?? 0 >= limit }
        for index in outcome.calls.indices {
            outcome.calls[index].messages?.removeAll { $0.own?.entry ?? 0 >= limit }
            if let end = outcome.calls[index].own?.end, end.entry >= limit { outcome.calls[index].own?.end = nil }
        }
        return outcome
    }
}

extension VerdictReport {
    /// Entries that a rule which was broken counts against the client.
    var accused: Set<Int> {
        var entries: Set<Int> = []
        for verdict in verdicts where verdict.result == .fail {
            entries.formUnion(verdict.evidence.filter(\.isAgainst).compactMap(\.entry))
            for attempt in verdict.chains.flatMap(\.attempts) where attempt.judged.isBad { entries.formUnion(attempt.entries) }
        }
        return entries
    }

    /// Entries that verdicts and broken contracts name, in the journal's order; at most ``exchangeLimit``, those of what went wrong first.
    package var named: [Int] {
        var numbers: Set<Int> = []
        let order = wanting + verdicts.filter { $0.result == .advice } + verdicts.filter { $0.result == .pass }
        let ofRules = order.flatMap { $0.evidence.compactMap(\.entry) + $0.chains.flatMap(\.attempts).flatMap(\.entries) }
        let ofContract = contract.rows.filter { $0.weight != .known }.compactMap(\.first)
        for number in ofContract + ofRules where numbers.count < Self.exchangeLimit {
            numbers.insert(number)
        }
        return numbers.sorted()
    }

    /// Entries that verdicts name and the drawing of the run shows.
    var linked: Set<Int> {
        let named = verdicts.flatMap { $0.evidence.compactMap(\.entry) + $0.chains.flatMap(\.attempts).flatMap(\.entries) }
        return Set(named).intersection(timeline.map(\.entry))
    }
}

extension TimelineItem {
    /// It concerns all lanes.
    var isUpright: Bool { kind == .fault || kind == .clock }
}

extension VerdictReport {
    /// The report as one page that needs nothing else: no script, no font, no picture from elsewhere. What is wrong comes first, opened and
    /// drawn; then the whole run over time, then all rules.
    public func html() -> String { ReportPage(self).markup.text + "\n" }

    /// Entries that a rule which was broken counts against the client.
    var accused: Set<Int> {
        var entries: Set<Int> = []
        for verdict in verdicts where verdict.result == .fail {
            entries.formUnion(verdict.evidence.filter(\.isAgainst).compactMap(\.entry))
            for attempt in verdict.chains.flatMap(\.attempts) where attempt.judged.isBad { entries.formUnion(attempt.entries) }
        }
        return entries
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

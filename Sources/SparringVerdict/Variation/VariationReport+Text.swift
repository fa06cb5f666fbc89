extension VariationReport {
    /// The report for a terminal.
    func lines(_ paint: Paint) -> [String] {
        var lines = [paint("Variation\(scenario.map { " in \($0)" } ?? ""), seed \(seed), \(runs) runs", .strong).printable]
        if let obstacle { return lines + [paint("cannot judge: \(obstacle)".printable, .doubt)] }
        let width = families.map(\.title.count).max() ?? 0
        for family in families {
            let places = family.changes == 1 ? "1 change" : "\(family.changes) changes"
            let extent = "\(places) of \(family.operations.count == 1 ? "1 operation" : "\(family.operations.count) operations")"
            let (word, style, rest): (String, Paint.Style, String) =
                switch family.outcome {
                case .pass: ("pass", .good, extent)
                case .fail: ("FAIL", .bad, extent)
                case .notMet: ("not met", .dim, "")
                case .notRun: ("not run", .doubt, "")
                }
            let title = rest.isEmpty ? family.title : "\(family.title.padded(to: width))  \(rest)"
            lines.append(paint(word.padded(to: 8), style) + "\(family.id.padded(to: 4)) \(title)")
        }
        for finding in findings {
            lines += ["", paint("\(finding.family) \(finding.title)", .bad)]
            lines.append("  " + finding.sentence.printable + (finding.isKnown ? " (found before)" : ""))
            if !finding.isShrunk { lines.append("  the runs were used up before it could be shrunk further") }
            lines += finding.signs.map { "  it shows: \($0)".printable }
            lines.append("  advice: \(finding.advice)".printable)
            if let again = finding.again { lines.append("  " + again.printable) }
        }
        if let shortfall { lines += ["", paint(shortfall.printable, .doubt)] }
        return lines + ["", paint(headline.printable, isGood ? .strong : .bad)]
    }
}

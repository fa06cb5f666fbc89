// The report for a terminal: problems first and in full, everything else in a line each.

extension VerdictReport {
    /// - Parameters:
    ///   - colour: by ANSI escapes.
    ///   - verbose: names the rules that were not exercised, which are only counted otherwise.
    package func text(colour: Bool, verbose: Bool = false) -> String {
        let paint = Paint(isOn: colour)
        var lines: [String] = []
        if !ownFailures.isEmpty {
            lines.append(paint(ownFailures.headline, .bad))
            lines += ownFailures.lines.map { "  " + $0.printable } + [""]
        }
        for verdict in wanting {
            lines.append(paint(verdict.label, verdict.style) + " " + verdict.headWords)
            lines += verdict.detailLines(paint).map { $0.isEmpty ? "" : "  " + $0 }
            lines.append("")
        }
        let idle = verdicts.filter { $0.result == .notExercised && !$0.isMissed }
        let open = verdicts.filter { $0.result.isUnsettled && !$0.isMissed }
        let brief = verdicts.filter { $0.result == .advice } + open + verdicts.filter { $0.result == .pass } + (verbose ? idle : [])
        let labels = brief.map(\.label.count).max() ?? 0
        let names = brief.map(\.name.count).max() ?? 0
        for verdict in brief {
            let name = verdict.name.printable.padded(to: names)
            lines.append("\(paint(verdict.label.padded(to: labels), verdict.style)) \(name)  \(verdict.summary.printable)")
        }
        if !idle.isEmpty, !verbose { lines.append("\(idle.count) \(idle.count == 1 ? "rule was" : "rules were") not exercised") }
        if !brief.isEmpty || !idle.isEmpty { lines.append("") }
        for part in contractParts {
            lines.append(
                paint(part.heading + (part.lines.isEmpty ? "" : ":"), contract.isBroken && part.weight == .fail ? .bad : .doubt))
            lines += part.textLines.map { "  " + $0.printable }
            lines.append("")
        }
        for (heading, sentences) in remarks {
            lines.append(paint(heading + ":", .doubt))
            lines += sentences.map { "  " + $0.printable }
            lines.append("")
        }
        if let openWords { lines += [paint(openWords, .doubt), ""] }
        lines.append(paint(headline, result == .fail || !ownFailures.isEmpty ? .bad : .strong) + "; " + runWords)
        return lines.joined(separator: "\n") + "\n"
    }

    /// Undecided rules that nobody asked for: they are easily taken for ones that passed.
    private var openWords: String? {
        let open = verdicts.count { $0.result == .undecided && !$0.isMissed }
        guard subject == .run, open > 0 else { return nil }
        let (rules, them) = open == 1 ? ("rule does", "it") : ("rules do", "them")
        return "\(open) undecided \(rules) not fail the run: to have \(them) judged, keep the client running longer, or use --settle"
    }

    private var runWords: String {
        // A recording was made with no seed, or with the one of the sandbox in it.
        var parts = subject == .run ? ["seed \(seed)"] : []
        if let label { parts.append(label.printable) }
        if let node { parts.append("node \(node.printable)") }
        if let scenario { parts.append("scenario \(scenario.printable)") }
        if !clientWords.isEmpty { parts.append(clientWords) }
        parts += [clockWords, "\(watched.span) watched"]
        if pruned > 0 { parts.append("\(pruned) entries lost") }
        return parts.joined(separator: ", ")
    }
}

extension Verdict {
    /// A line that says what happened.
    var headWords: String {
        let entry = firstIsSummary ? evidence.first?.entry : nil
        return (name + (entry.map { ", entry \($0)" } ?? "") + ": " + summary).printable
    }

    /// The details that developers need to see for themselves.
    func detailLines(_ paint: Paint) -> [String] {
        var lines = [paint("says", .dim) + "     " + rule.says.printable]
        if let because { lines.append(paint("because", .dim) + "  " + because.printable) }
        lines.append(paint("source", .dim) + "   " + rule.source.printable)
        for item in shownEvidence {
            lines.append((item.entry.map { "entry \($0): " } ?? "") + item.words.printable)
        }
        for chain in chains {
            lines.append("")
            lines.append(chain.words.printable)
            lines += chain.tableLines(paint)
        }
        return lines
    }

    fileprivate var style: Paint.Style {
        switch result {
        case .fail: .bad
        case .inconclusive: .doubt
        case .notExercised, .undecided, .excused: isMissed ? .doubt : .dim
        case .advice: .doubt
        case .pass: .good
        }
    }
}

extension RetryChain {
    fileprivate func tableLines(_ paint: Paint) -> [String] {
        let rows = rows.map { $0.map(\.printable) }
        let widths = Self.columns.indices.map { column in
            rows.map { $0[column].count }.reduce(Self.columns[column].count, max)
        }
        func line(_ cells: ArraySlice<String>) -> String {
            zip(cells, widths).map { $0.padded(to: $1) + "  " }.joined()
        }
        var lines = [paint(line(Self.columns.dropLast()) + (Self.columns.last ?? ""), .dim)]
        for (cells, attempt) in zip(rows, attempts) {
            let judged = paint(attempt.judged.rawValue, attempt.judged.isBad ? .bad : attempt.judged == .good ? .good : .dim)
            lines.append(line(cells.dropLast()) + judged)
        }
        return lines
    }
}

/// Colours, where they are wanted.
struct Paint {
    enum Style: String {
        case strong = "1"
        case dim = "2"
        case bad = "1;31"
        case good = "32"
        case doubt = "33"
    }

    let isOn: Bool

    func callAsFunction(_ text: String, _ style: Style) -> String {
        isOn && !text.isEmpty ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }
}

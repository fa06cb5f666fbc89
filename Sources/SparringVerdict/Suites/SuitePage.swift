import SparringJournal
import SparringJSON

extension SuiteReport {
    /// The report as one page that needs nothing else: no script, no font, no picture from elsewhere. What is wrong comes first, opened and
    /// drawn; then the whole run over time, then the rules.
    package func html() -> String { SuitePage(self).markup.text + "\n" }
}

/// The page of a suite. It doubles as well-formed XML, so that tests can read it.
struct SuitePage {
    let suite: SuiteReport
    private let sections: [SuiteReport.Section]
    /// There is one sandbox, which has the page for itself.
    private var only: SuiteReport.Section? { sections.count == 1 && suite.plays.count == 1 ? sections[0] : nil }

    init(_ suite: SuiteReport) {
        self.suite = suite
        // What is wrong comes first; sandboxes that were made side by side stand in the same order each time.
        func order(_ report: VerdictReport) -> Int {
            report.result == .fail ? 0 : report.isUnclear ? 1 : report.result == .pass ? 2 : 3
        }
        sections =
            suite.plays.count > 1
            ? suite.sections
            : suite.sections.sorted {
                (order($0.report), $0.name) < (order($1.report), $1.name)
            }
    }

    var markup: Markup {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8"/>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <meta name="color-scheme" content="light dark"/>
        <title>\("\(title.words) – Sparring")</title>
        <style>\(Self.style)</style>
        </head>
        <body>
        \(header)
        <main>
        \(suite.variations.map(\.markup))
        \(only.map(alone) ?? many)
        \(coverage)\(staleBaseline)
        </main>
        </body>
        </html>
        """
    }

    // MARK: Head

    private var isBad: Bool {
        suite.result == .fail || suite.reports.contains { !$0.ownFailures.isEmpty } || suite.failedCommand != nil
            || !suite.shortfalls.isEmpty || suite.isVariationBad || suite.strayWords != nil
    }

    /// The page's title: what is wrong, in words; the rule's name comes second.
    private var title: (sign: String, words: String) {
        let sign = isBad ? Verdict.Result.fail.sign : suite.result.sign(isMissed: suite.isUnclear)
        if suite.result != .fail, suite.failedCommand == nil, let bad = suite.variations.first(where: { !$0.isGood }) {
            return (sign, bad.headline.capitalizedFirst)
        }
        if suite.result != .fail, suite.failedCommand == nil, let strays = suite.strayWords { return (sign, strays) }
        guard let report = only?.report else {
            // A sandbox's name stays as it is.
            let isNamed = sections.contains { suite.headline.hasPrefix($0.name) }
            return (sign, isNamed ? suite.headline : suite.headline.capitalizedFirst)
        }
        if !report.ownFailures.isEmpty { return (sign, report.ownFailures.headline) }
        if report.isUnclear { return (sign, unclear(report)) }
        switch report.result {
        case .fail:
            guard let worst = report.wanting.first, worst.result == .fail else { return (sign, "The client broke the contract") }
            return (sign, (worst.firstIsSummary ? worst.evidence[0].words : worst.summary).clipped(to: 160).capitalizedFirst)
        case .pass, .advice, .undecided, .excused, .inconclusive:
            return suite.plays[0].failure.map { (sign, $0.capitalizedFirst) } ?? (sign, "All rules that were exercised passed")
        case .notExercised:
            if let failure = suite.plays[0].failure { return (sign, failure.capitalizedFirst) }
            return (sign, report.calls == 0 ? "No request reached the sandbox" : "No rule was exercised")
        }
    }

    private func unclear(_ report: VerdictReport) -> String {
        if report.calls == 0 { return "No request reached the sandbox" }
        let count = report.wanting.count
        guard report.wanting.allSatisfy({ $0.result == report.result }), report.result != .inconclusive else {
            return "\(count) of \(report.verdicts.count) rules \(count == 1 ? "is" : "are") open"
        }
        let word = report.result.label(isMissed: false)
        return "\(count) \(count == 1 ? "rule that was" : "rules that were") expected \(count == 1 ? "was" : "were") \(word)"
    }

    private var header: Markup {
        let (sign, words) = title
        let result = isBad ? Verdict.Result.fail : suite.result
        return """
            <header class="\(result.rawValue)">
            <h1>\(sign) \(words)</h1>
            <p>\(subtitle)</p>
            \(notes)\(proportions)
            <dl>\(Markup.terms(facts))</dl>
            \(again)
            </header>
            """
    }

    private var subtitle: Markup {
        guard let report = only?.report else {
            return "\(suite.plays.count) \(suite.plays.count == 1 ? "play" : "plays"), \(sections.count) sandboxes"
        }
        guard report.result == .fail, let worst = report.wanting.first(where: { $0.result == .fail }) else { return "\(report.headline)" }
        return "<b>\(worst.name)</b> failed. \(report.headline.capitalizedFirst)."
    }

    /// How many of each result, as a bar and in numbers.
    private var proportions: Markup {
        let results: [(Verdict.Result, String)] = [
            (.fail, "failed"), (.inconclusive, "inconclusive"), (.undecided, "undecided"), (.excused, "excused"), (.advice, "advice"),
            (.pass, "passed"), (.notExercised, "not exercised"),
        ]
        let counts = results.map { result, words in (result, words, suite.reports.map { $0.count(result) }.reduce(0, +)) }
        let pieces: [Markup] = counts.filter { $0.2 > 0 }.map { "<span class=\"\($0.0.rawValue)\" style=\"flex-grow:\($0.2)\"></span>" }
        let items: [Markup] = counts.filter { $0.2 > 0 }.map { "<li class=\"\($0.0.rawValue)\"><b>\($0.2)</b> \($0.1)</li>" }
        return "<div class=\"bar\" aria-hidden=\"true\">\(pieces)</div>\n<ul class=\"counts\"><li>Rules:</li>\(items)</ul>"
    }

    private var facts: [(String, String)] {
        var facts: [(String, String)] = []
        if let began = suite.began, let ended = suite.ended {
            facts.append(
                (
                    "When",
                    "\(began.description.prefix(19).replacing("T", with: " ")) UTC, \((Double((ended - began).milliseconds) / 1000).span)"
                ))
        }
        if !suite.command.isEmpty { facts.append(("Command", suite.command.joined(separator: " "))) }
        if suite.plays.count == 1, let status = suite.plays[0].status { facts.append(("Exit status of the command", "\(status)")) }
        facts.append(("Sparring", suite.version))
        return facts + (only.map { ReportSection.facts($0.report) } ?? [])
    }

    private var again: Markup {
        guard suite.plays.count == 1, let again = suite.plays[0].again else { return .none }
        return "<p class=\"again\"><span class=\"muted\">Run it again</span> <code>\(again)</code></p>\n"
    }

    private var notes: Markup {
        let notes = suite.plays.flatMap { play in
            play.notes.map { suite.plays.count > 1 ? "\(play.scenario ?? "no scenario"): \($0.words)" : $0.words }
        }
        return .list(suite.reports.flatMap(\.ownFailures.lines) + notes)
    }

    private func commandOutput(_ play: SuiteReport.Play) -> Markup {
        guard !play.output.isEmpty else { return .none }
        return "<details class=\"quiet\"><summary>Output of the command</summary>\n<pre>\(play.output)</pre></details>\n"
    }

    private func alone(_ section: SuiteReport.Section) -> Markup {
        "\(commandOutput(section.play))\(ReportSection(section.report, showsAllRules: suite.showsAllRules).markup)"
    }

    // MARK: Several sandboxes

    private var many: Markup {
        "\(suite.plays.count == 1 ? commandOutput(suite.plays[0]) : .none)\(matrix)\(sections.enumerated().map { sandbox($0, $1) })"
    }

    private func prefix(_ index: Int) -> String { "s\(index + 1)-" }

    /// Sandboxes by rules.
    private var matrix: Markup {
        var rules: [String] = []
        for verdict in sections.flatMap({ $0.report.shown(all: suite.showsAllRules) }) where !rules.contains(verdict.rule.qualifiedName) {
            rules.append(verdict.rule.qualifiedName)
        }
        var short: [String: String] = [:]
        for verdict in sections.flatMap(\.report.verdicts) { short[verdict.rule.qualifiedName] = verdict.name }
        let broken = Set(sections.flatMap(\.report.verdicts).filter { $0.result == .fail }.map(\.rule.qualifiedName))
        rules = rules.filter(broken.contains) + rules.filter { !broken.contains($0) }
        let showsStatus = suite.plays.count > 1
        let columns: [Markup] = rules.map { "<th scope=\"col\" class=\"tall\"><span>\(short[$0] ?? $0)</span></th>" }
        let rows: [Markup] = sections.enumerated().map { index, section in
            let page = ReportSection(section.report, prefix: prefix(index))
            let byRule = Dictionary(section.report.verdicts.map { ($0.rule.qualifiedName, $0) }) { first, _ in first }
            let cells: [Markup] = rules.map { rule in
                guard let verdict = byRule[rule], verdict.isMissed || verdict.result != .notExercised else { return "<td></td>" }
                let words = "\(section.name): \(verdict.name): \(verdict.label.lowercased())"
                guard verdict.isMissed || !verdict.result.isUnsettled else {
                    return "<td class=\"\(verdict.result.rawValue)\" title=\"\(words)\">\(verdict.result.sign)</td>"
                }
                return """
                    <td class="\(verdict.isMissed ? "inconclusive" : verdict.result.rawValue)"><a href="#\(page.anchor(verdict))" title="\(words)" aria-label="\(words)">\
                    \(verdict.result.sign(isMissed: verdict.isMissed))</a></td>
                    """
            }
            let command: Markup = showsStatus ? "<td>\(section.play.status.map { "\($0)" } ?? "")</td>" : .none
            return """
                <tr><th scope="row"><a href="\("#" + prefix(index) + "top")">\(section.name)</a></th>\
                <td class="\(section.report.result.rawValue)"><b>\(section.report.result.sign(isMissed: section.report.isUnclear))</b></td>\(command)\(cells)</tr>

                """
        }
        return """
            <section>
            <h2>Sandboxes and rules</h2>
            <div class="scroll" tabindex="0" role="region" aria-label="Sandboxes and rules"><table class="matrix">
            <thead><tr><th scope="col">sandbox</th><th scope="col">result</th>\(showsStatus ? "<th scope=\"col\">exit status</th>" as Markup : .none)\(columns)</tr></thead>
            <tbody>\(rows)</tbody>
            </table></div>
            <p class="muted">✓ passed, ✗ failed, ? inconclusive, ! advice, … undecided, ○ excused; an empty cell was not exercised.</p>
            </section>

            """
    }

    private func sandbox(_ index: Int, _ section: SuiteReport.Section) -> Markup {
        let report = section.report
        var facts = ReportSection.facts(report)
        if section.isUnreached { facts.insert(("Requests", SuiteReport.Section.unreachedWords), at: 0) }
        let isOfItsPlay = suite.plays.count > 1 && section.isFirst
        if isOfItsPlay, let status = section.play.status { facts.insert(("Exit status of the command", "\(status)"), at: 0) }
        let again: Markup =
            isOfItsPlay
            ? section.play.again.map { "<p class=\"again\"><span class=\"muted\">Run it again</span> <code>\($0)</code></p>\n" } ?? .none
            : .none
        let isOpen = report.result == .fail
        return """
            <details class="sandbox \(report.result.rawValue)"\(isOpen ? " open=\"\"" as Markup : .none)>
            <summary><h2><span class="result">\(report.result.sign(isMissed: report.isUnclear))</span> \(section.name)</h2> <span class="muted">\(report.headline)</span></summary>
            <div class="body" id="\(prefix(index) + "top")">
            <dl>\(Markup.terms(facts))</dl>
            \(again)\(isOfItsPlay ? commandOutput(section.play) : .none)
            \(ReportSection(report, prefix: prefix(index), level: 3, showsAllRules: suite.showsAllRules).markup)</div>
            </details>

            """
    }
}

/// The page of a report. It is well-formed XML as well, so that tests can read it.
struct ReportPage {
    let report: VerdictReport
    /// Entries that can be led to.
    private let linked: Set<Int>

    init(_ report: VerdictReport) {
        self.report = report
        linked = report.linked
    }

    var markup: Markup {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8"/>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <meta name="color-scheme" content="light dark"/>
        <title>\("\(report.headline) – Sparring")</title>
        <style>\(Self.style)</style>
        </head>
        <body>
        \(header)
        <main>
        \(section(report.count(.fail) > 0 ? "What is wrong" : "What could not be told", report.wanting, isOpen: true))
        \(findings)
        \(section("Advice", report.verdicts.filter { $0.result == .advice }, isOpen: false))
        \(caveats)
        \(run)
        \(section("What was done well", report.verdicts.filter { $0.result == .pass }, isOpen: false))
        \(rules)
        \(unobservable)
        </main>
        </body>
        </html>
        """
    }

    /// The counts stand below it.
    private var title: String {
        let all = report.verdicts.count
        return switch report.result {
        case .fail where report.count(.fail) == 0: "The client broke the contract"
        case .fail: "\(report.count(.fail)) of \(all) rules failed"
        case .cannotJudge: "\(report.wanting.count) of \(all) rules could not be told"
        case .pass, .advice, .undecided: "All rules that were exercised passed"
        case .notExercised: "No rule was exercised"
        }
    }

    private var header: Markup {
        var facts: [(String, String)] = [("Seed", String(report.seed))]
        if let scenario = report.scenario { facts.append(("Scenario", scenario)) }
        if !report.clientWords.isEmpty { facts.append(("Client", report.clientWords)) }
        facts += [
            ("Sandbox", report.sandbox), ("Judged by", "\(report.clockWords), jitter floor \(report.timing.floor.seconds)"),
            ("Watched", report.watched.span),
            ("Journal", "\(report.entries) entries" + (report.pruned > 0 ? ", \(report.pruned) lost" : "")),
        ]
        let counts: [(Verdict.Result, String)] = [
            (.fail, "failed"), (.cannotJudge, "could not be judged"), (.undecided, "undecided"), (.notExercised, "not exercised"),
            (.advice, "advice"), (.pass, "passed"),
        ]
        return """
            <header class="\(report.result.rawValue)">
            <h1>\(report.result.sign) \(title)</h1>
            <ul class="counts">\(counts.map { "<li class=\"\($0.rawValue)\"><b>\(report.count($0))</b> \($1)</li>" as Markup })</ul>
            <dl>\(facts.map { "<div><dt>\($0)</dt><dd>\($1)</dd></div>" as Markup })</dl>
            </header>
            """
    }

    private func section(_ title: String, _ verdicts: [Verdict], isOpen: Bool) -> Markup {
        guard !verdicts.isEmpty else { return .none }
        return """
            <section>
            <h2>\(title)</h2>
            \(verdicts.map { details($0, isOpen: isOpen) })</section>
            """
    }

    private func details(_ verdict: Verdict, isOpen: Bool) -> Markup {
        let rule = verdict.rule
        let first = verdict.firstIsSummary ? verdict.evidence.first?.entry : nil
        let because: Markup = verdict.because.map { "<div><dt>Why the scenario asks for it</dt><dd>\($0)</dd></div>" } ?? .none
        let platforms: Markup = rule.platforms.isEmpty ? .none : " · \(rule.platforms.joined(separator: ", "))"
        let evidence = verdict.evidence.dropFirst(verdict.firstIsSummary ? 1 : 0)
        let list: Markup = evidence.isEmpty ? .none : "<ul class=\"evidence\">\(evidence.map(item))</ul>"
        return """
            <details class="verdict \(verdict.result.rawValue)"\(isOpen ? " open=\"\"" as Markup : .none)>
            <summary><span class="result">\(verdict.result.sign) \(verdict.label)</span> <b>\(verdict.name)</b> \
            <span class="about">\(verdict.summary)\(first.map { " – \(entry($0))" as Markup } ?? .none)</span></summary>
            <div class="body" id="\("rule-" + rule.qualifiedName)">
            <dl class="rule"><div><dt>A good client</dt><dd>\(rule.says)</dd></div>\(because)\
            <div><dt>Source</dt><dd>\(rule.source) <span class="muted">\(rule.fidelity) · \(rule.vendor)\(platforms)</span></dd></div></dl>
            \(list)\(verdict.chains.map(figure))</div>
            </details>

            """
    }

    fileprivate func item(_ evidence: Verdict.Evidence) -> Markup {
        guard let number = evidence.entry else { return "<li>\(evidence.words)</li>" }
        return "<li>\(entry(number)): \(evidence.words)</li>"
    }

    private func entry(_ number: Int) -> Markup {
        linked.contains(number) ? "<a href=\"#e\(number)\">entry \(number)</a>" : "entry \(number)"
    }

    private func figure(_ chain: RetryChain) -> Markup {
        let rows = zip(chain.rows, chain.attempts).map { cells, attempt -> Markup in
            let judged: Markup = "<td class=\"\(attempt.judged.rawValue)\"><b>\(cells.last ?? "")</b></td>"
            return "<tr>\(cells.dropLast().map { "<td>\($0)</td>" as Markup })\(judged)</tr>\n"
        }
        return """
            <figure>
            <figcaption>\(chain.words)</figcaption>
            <div class="scroll" tabindex="0" role="region" aria-label="Attempts over time">\(ChainDrawing(chain).svg)</div>
            <div class="scroll" tabindex="0" role="region" aria-label="Attempts"><table>
            <thead><tr>\(RetryChain.columns.map { "<th scope=\"col\">\($0)</th>" as Markup })</tr></thead>
            <tbody>\(rows)</tbody>
            </table></div>
            </figure>

            """
    }

    private var run: Markup {
        guard !report.timeline.isEmpty else { return .none }
        let drawing = RunDrawing(report, linked: linked)
        let lanes: [Markup] = drawing.lanes.map { lane in
            "<div title=\"\(lane)\"><span>\(lane.isEmpty ? "no lane" : lane)</span></div>"
        }
        return """
            <section>
            <h2>The run</h2>
            <div class="timeline"><div class="lanes">\(lanes)</div>
            <div class="scroll" tabindex="0" role="region" aria-label="The run over time">\(drawing.svg)</div></div>
            \(RunDrawing.legend)
            <p class="muted">\(report.timeline.count) of \(report.entries) entries of the journal are drawn. \
            Point at a mark to read what it is.</p>
            </section>
            """
    }

    private var rules: Markup {
        let columns: [Markup] = ["result", "rule", "kind", "vendor", "fidelity", "source"].map { "<th scope=\"col\">\($0)</th>" }
        let order: [Verdict.Result] = [.fail, .cannotJudge, .undecided, .advice, .pass, .notExercised]
        let rows: [Markup] = order.flatMap { result in report.verdicts.filter { $0.result == result } }.map { verdict in
            let rule = verdict.rule
            let hasDetails = verdict.isMissed || verdict.result != .notExercised && verdict.result != .undecided
            let name: Markup = hasDetails ? "<a href=\"\("#rule-" + rule.qualifiedName)\">\(verdict.name)</a>" : "\(verdict.name)"
            return """
                <tr><td class="\(verdict.result.rawValue)"><b>\(verdict.result.sign) \(verdict.label)</b></td><td class="wide">\(name)\
                <div class="muted">\(rule.says)\(hasDetails ? .none : " – \(verdict.summary)" as Markup)</div></td><td>\(rule.kind)</td><td>\(rule.vendor)</td><td>\(rule.fidelity)</td>\
                <td class="wide">\(rule.source)</td></tr>

                """
        }
        guard !rows.isEmpty else { return .none }
        return """
            <section>
            <h2>All rules</h2>
            <div class="scroll" tabindex="0" role="region" aria-label="All rules"><table class="rules">
            <thead><tr>\(columns)</tr></thead>
            <tbody>\(rows)</tbody>
            </table></div>
            </section>
            """
    }
}

extension ReportPage {
    private var findings: Markup {
        let parts: [Markup] = report.contractParts.map { heading, items in
            """
            <section>
            <h2>\(heading)</h2>
            <ul class="evidence">\(items.map { item($0.evidence) })</ul>
            </section>
            """
        }
        return parts.isEmpty ? .none : "\(parts)"
    }

    private var caveats: Markup {
        guard !report.caveats.isEmpty else { return .none }
        return """
            <section>
            <h2>A replay may turn out differently</h2>
            <ul class="evidence">\(report.caveats.map { "<li>\($0)</li>" as Markup })</ul>
            </section>
            """
    }

    private var unobservable: Markup {
        guard !report.unobservable.isEmpty else { return .none }
        let rows: [Markup] = report.unobservable.map { owed in
            """
            <tr><td class="wide">\(owed.says)</td><td>\(owed.vendor)</td><td class="wide">\(owed.because)</td>\
            <td class="wide">\(owed.source)</td></tr>

            """
        }
        return """
            <section>
            <h2>Not visible on the network</h2>
            <details><summary>\(report.unobservable.count) things that a good client does and these verdicts say nothing of</summary>
            <div class="scroll" tabindex="0" role="region" aria-label="Not visible on the network"><table class="rules">
            <thead><tr><th scope="col">a good client</th><th scope="col">vendor</th><th scope="col">why it is not seen</th>\
            <th scope="col">source</th></tr></thead>
            <tbody>\(rows)</tbody>
            </table></div></details>
            </section>
            """
    }
}

extension Verdict.Result {
    /// Says what the colour does.
    fileprivate var sign: String {
        switch self {
        case .pass: "✓"
        case .fail: "✗"
        case .advice: "!"
        case .undecided: "…"
        case .notExercised: "–"
        case .cannotJudge: "?"
        }
    }
}

/// A page's section about one sandbox: what is wrong, the run over time, the rules, and the requests and answers.
struct ReportSection {
    let report: VerdictReport
    /// Begins the ids of the section, so that they are its own on the page.
    let prefix: String
    /// The level of its headings.
    let level: Int
    let showsAllRules: Bool
    /// Entries that the drawing shows and verdicts lead to.
    private let linked: Set<Int>
    /// Entries that are shown with what was sent and answered.
    private let unfolded: Set<Int>

    init(_ report: VerdictReport, prefix: String = "", level: Int = 2, showsAllRules: Bool = false) {
        self.report = report
        self.prefix = prefix
        self.level = level
        self.showsAllRules = showsAllRules
        linked = report.linked
        unfolded = Set(report.exchanges.map(\.entry))
    }

    var markup: Markup {
        """
        \(section(report.count(.fail) > 0 ? "What is wrong" : "What is missing", report.wanting, isOpen: true))
        \(findings)
        \(section("Advice", report.verdicts.filter { $0.result == .advice }, isOpen: false))
        \(remarks)
        \(run)
        \(section("What was done well", report.verdicts.filter { $0.result == .pass }, isOpen: false))
        \(rules)
        \(exchanges)
        \(sources)
        \(unobservable)
        """
    }

    /// The facts about the run and how it was judged.
    static func facts(_ report: VerdictReport) -> [(String, String)] {
        var facts: [(String, String)] = [("Seed", String(report.seed))]
        if let label = report.label { facts.append(("Test", label)) }
        if let scenario = report.scenario { facts.append(("Scenario", scenario)) }
        if !report.clientWords.isEmpty { facts.append(("Client", report.clientWords)) }
        return facts + [
            ("Sandbox", report.sandbox + (report.node.map { " at node \($0)" } ?? "")),
            ("Judged by", "\(report.clockWords), jitter floor \(report.timing.floor.seconds)"),
            ("Watched", report.watched.span),
            ("Journal", "\(report.entries) entries" + (report.pruned > 0 ? ", \(report.pruned) lost" : "")),
        ]
    }

    /// The id of a rule's verdict.
    func anchor(_ verdict: Verdict) -> String { "\(prefix)rule-\(verdict.rule.qualifiedName)" }

    /// A heading and what stands below it. Where there are several sandboxes on the page, what is not wrong is folded away.
    func part(_ title: String, _ content: Markup, isGood: Bool = false) -> Markup {
        if isGood, level > 2 {
            return
                "<details class=\"quiet\"><summary><h\(level)>\(title)</h\(level)></summary>\n<div class=\"body\">\(content)</div></details>\n"
        }
        return """
            <section>
            <h\(level)>\(title)</h\(level)>
            \(content)</section>

            """
    }

    private func section(_ title: String, _ verdicts: [Verdict], isOpen: Bool) -> Markup {
        verdicts.isEmpty ? .none : part(title, "\(verdicts.map { details($0, isOpen: isOpen) })", isGood: !isOpen)
    }

    private func details(_ verdict: Verdict, isOpen: Bool) -> Markup {
        let rule = verdict.rule
        let first = verdict.firstIsSummary ? verdict.evidence.first?.entry : nil
        let because: Markup = verdict.because.map { "<div><dt>Why the scenario expects it</dt><dd>\($0)</dd></div>" } ?? .none
        let platforms: Markup = rule.platforms.isEmpty ? .none : " · \(rule.platforms.joined(separator: ", "))"
        let evidence = verdict.shownEvidence
        let list: Markup = evidence.isEmpty ? .none : "<ul class=\"evidence\">\(evidence.map(item))</ul>"
        return """
            <details class="verdict \(verdict.result.rawValue)"\(isOpen ? " open=\"\"" as Markup : .none)>
            <summary><span class="result">\(verdict.result.sign) \(verdict.label)</span> <b>\(verdict.name)</b> \
            <span class="about">\(verdict.summary)\(first.map { " – entry \($0)" as Markup } ?? .none)</span></summary>
            <div class="body" id="\(anchor(verdict))">
            <dl class="rule"><div><dt>Rule</dt><dd>\(rule.says)</dd></div>\(because)\
            <div><dt>Source</dt><dd>\(SourceLink(rule.source).markup) <span class="muted nowrap">\(rule.fidelity) · \(rule.vendor)\(platforms)</span></dd></div>\
            \(first.map { "<div><dt>Where</dt><dd>\(entry($0))</dd></div>" as Markup } ?? .none)</dl>
            \(list)\(verdict.chains.map(figure))</div>
            </details>

            """
    }

    private func item(_ evidence: Verdict.Evidence) -> Markup {
        guard let number = evidence.entry else { return "<li>\(evidence.words)</li>" }
        return "<li>\(entry(number)): \(evidence.words)</li>"
    }

    /// Leads to what was sent and answered, else to the mark in the drawing.
    func entry(_ number: Int) -> Markup {
        if unfolded.contains(number) { return "<a href=\"#\(prefix)x\(number)\">entry \(number)</a>" }
        return linked.contains(number) ? "<a href=\"#\(prefix)e\(number)\">entry \(number)</a>" : "entry \(number)"
    }

    private func figure(_ chain: RetryChain) -> Markup {
        let rows = zip(chain.rows, chain.attempts).map { cells, attempt -> Markup in
            let judged: Markup = "<td class=\"\(attempt.judged.rawValue)\"><b>\(cells.last ?? "")</b></td>"
            return "<tr>\(cells.dropLast().map { "<td>\($0)</td>" as Markup })\(judged)</tr>\n"
        }
        return """
            <figure>
            <figcaption>\(chain.words)</figcaption>
            <div class="scroll" tabindex="0" role="region" aria-label="\("Attempts over time: \(chain.words), \(report.sandbox)")">\(ChainDrawing(chain).svg)</div>
            \(.table("Attempts: \(chain.words), \(report.sandbox)", RetryChain.columns, rows, class: "attempts"))
            </figure>

            """
    }

    private var run: Markup {
        guard !report.timeline.isEmpty else { return .none }
        let drawing = RunDrawing(report, linked: linked, prefix: prefix)
        let lanes: [Markup] = drawing.lanes.map { lane in
            "<div title=\"\(lane)\"><span>\(lane.isEmpty ? "no lane" : lane)</span></div>"
        }
        return part(
            "The run",
            """
            <div class="timeline"><div class="lanes" style="padding-top:\(drawing.head)px">\(lanes)</div>
            <div class="scroll" tabindex="0" role="region" aria-label="\("The run over time: " + report.sandbox)">\(drawing.svg)</div></div>
            \(drawing.legend)
            \(RunList(self).markup)
            <p class="muted">The drawing has \(report.timeline.count) of the journal's \(report.entries) entries.</p>

            """, isGood: true)
    }

    private var remarks: Markup {
        let parts: [Markup] = report.remarks.map { heading, sentences in
            part(heading, .list(sentences))
        }
        return "\(parts)"
    }
}

extension Verdict.Result {
    /// Says what the colour does.
    var sign: String {
        switch self {
        case .pass: "✓"
        case .fail: "✗"
        case .advice: "!"
        case .undecided: "…"
        case .excused: "○"
        case .notExercised: "–"
        case .inconclusive: "?"
        }
    }
}

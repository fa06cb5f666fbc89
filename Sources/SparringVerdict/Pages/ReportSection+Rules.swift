extension ReportSection {
    /// A table of the rules that were exercised or asked for; the others are folded away, unless all are wanted.
    var rules: Markup {
        let order: [Verdict.Result] = [.fail, .inconclusive, .undecided, .excused, .advice, .pass, .notExercised]
        let shown = order.flatMap { result in report.shown(all: showsAllRules).filter { $0.result == result } }
        let idle = showsAllRules ? [] : report.verdicts.filter { $0.result == .notExercised && !$0.isMissed }
        if shown.isEmpty, idle.isEmpty { return .none }
        let kinds = order.filter { result in shown.contains { $0.result == result } }
        let chips: Markup = kinds.count > 1 ? filter(kinds) : .none
        let rows: Markup = shown.isEmpty ? .none : "\(chips)\(table(shown, "Rules"))"
        let word = idle.count == 1 ? "rule was" : "rules were"
        let folded: Markup =
            idle.isEmpty
            ? .none
            : "<details class=\"quiet\"><summary>\(idle.count) \(word) not exercised</summary>\n\(table(idle, "Rules that were not exercised"))</details>\n"
        return part("Rules", "<div class=\"filtered\">\(rows)</div>\n\(folded)", isGood: true)
    }

    /// Without a script: a choice hides the rows of the other results by the style sheet.
    private func filter(_ kinds: [Verdict.Result]) -> Markup {
        let chips: [Markup] =
            [("all", "all")].map { chip($0, $1, isChecked: true) } + kinds.map { chip($0.rawValue, $0.words, isChecked: false) }
        return "<fieldset class=\"filter\"><legend>Show</legend>\(chips)</fieldset>\n"
    }

    private func chip(_ value: String, _ words: String, isChecked: Bool) -> Markup {
        let id = "\(prefix)show-\(value)"
        return """
            <span><input type="radio" name="\(prefix)show" class="\("show-" + value)" id="\(id)"\(isChecked ? " checked=\"\"" as Markup : .none)/>\
            <label for="\(id)">\(words)</label></span>
            """
    }

    private func table(_ verdicts: [Verdict], _ title: String) -> Markup {
        let rows: [Markup] = verdicts.map { verdict in
            let rule = verdict.rule
            let hasDetails = verdict.isMissed || verdict.result != .notExercised && !verdict.result.isUnsettled
            let name: Markup = hasDetails ? "<a href=\"#\(anchor(verdict))\">\(verdict.name)</a>" : "\(verdict.name)"
            return """
                <tr class="\(verdict.result.rawValue)"><td class="\(verdict.result.rawValue)"><b>\(verdict.result.sign) \(verdict.label)</b></td>\
                <td class="wide">\(name)<div class="muted">\(rule.says)\(hasDetails ? .none : " – \(verdict.summary)" as Markup)</div></td>\
                <td>\(rule.kind)</td><td>\(rule.vendor)</td><td>\(rule.fidelity)</td><td class="wide">\(SourceLink(rule.source).markup)</td></tr>

                """
        }
        return "\(.table("\(title): \(report.sandbox)", ["result", "rule", "kind", "vendor", "fidelity", "source"], rows))\n"
    }

    /// The meanings of the names in the column "source".
    var sources: Markup {
        let named = report.shown(all: showsAllRules).map(\.rule.source)
        let meant = report.sources.filter { source in named.contains { $0.hasPrefix(source.name) } }
        guard !meant.isEmpty else { return .none }
        let items: [Markup] = meant.map { source in
            let name: Markup = source.url.map { "<a href=\"\($0)\" rel=\"noreferrer\">\(source.name)</a>" } ?? "\(source.name)"
            return "<div><dt>\(name)</dt><dd>\(source.says)</dd></div>"
        }
        return part("Sources", "<dl class=\"rule\">\(items)</dl>\n", isGood: true)
    }

    var unobservable: Markup {
        guard !report.unobservable.isEmpty else { return .none }
        let rows: [Markup] = report.unobservable.map { owed in
            """
            <tr><td class="wide">\(owed.says)</td><td>\(owed.vendor)</td><td class="wide">\(owed.because)</td>\
            <td class="wide">\(SourceLink(owed.source).markup)</td></tr>

            """
        }
        let count = report.unobservable.count
        return part(
            "Not visible on the network (\(count) \(count == 1 ? "requirement" : "requirements"))",
            """
            <details class="quiet"><summary>Further requirements of a good client, which these verdicts cannot judge</summary>
            \(.table("Not visible on the network: \(report.sandbox)", ["a good client", "vendor", "why it is not visible", "source"], rows))</details>

            """)
    }
}

extension Verdict.Result {
    fileprivate var words: String {
        switch self {
        case .pass: "passed"
        case .fail: "failed"
        case .notExercised: "not exercised"
        case .advice, .undecided, .excused, .inconclusive: rawValue
        }
    }
}

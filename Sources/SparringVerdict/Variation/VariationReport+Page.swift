extension VariationReport {
    /// The section of a page.
    var markup: Markup {
        let rows: [Markup] = families.map { family in
            let sign = family.outcome == .pass ? "✓" : family.outcome == .fail ? "✗" : "–"
            let style = family.outcome == .pass ? "pass" : family.outcome == .fail ? "fail" : "not-exercised"
            let words = [Outcome.notMet, .notRun].contains(family.outcome) ? family.outcome.rawValue.replacing("-", with: " ") : ""
            return """
                <tr><td class="\(style)">\(sign)</td><td>\(family.id)</td><td>\(family.title)</td><td>\(family.changes)</td>\
                <td class="wide">\(words.isEmpty ? family.operations.joined(separator: ", ") : words)</td></tr>

                """
        }
        let found: [Markup] = findings.map { finding in
            let signs: [Markup] = finding.signs.map { "<li class=\"fail\">\($0.capitalizedFirst)</li>" }
            let again: Markup =
                finding.again.map { "<p class=\"again\"><span class=\"muted\">Run it again</span> <code>\($0)</code></p>\n" } ?? .none
            return """
                <details class="sandbox fail" open="">
                <summary><h2><span class="result">✗</span> \(finding.family) \(finding.title)</h2></summary>
                <div class="body">
                <p>\(finding.sentence.capitalizedFirst).</p>
                <ul class="evidence">\(signs)</ul>
                <p>Advice: \(finding.advice).</p>
                \(again)</div>
                </details>

                """
        }
        let notes: Markup = shortfall.map { "<p class=\"muted\">\($0)</p>\n" } ?? .none
        return """
            <section>
            <h2>Variation\(scenario.map { " in \($0)" } ?? ""), seed \("\(seed)"), \("\(runs)") runs</h2>
            <p>\(headline.capitalizedFirst).</p>
            \(notes)\(found)
            <details class="quiet"><summary>All families</summary>
            \(.table("Families of variations", ["", "family", "what is varied", "changes", "operations"], rows))</details>
            </section>

            """
    }
}

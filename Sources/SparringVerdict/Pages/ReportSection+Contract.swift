import SparringJournal

/// What the client did against the contract.
extension ReportSection {
    var findings: Markup {
        "\(report.contractParts.map { part($0.heading, table($0.rows), isGood: $0.weight == .known) })"
    }

    private func table(_ rows: [ContractFinding]) -> Markup {
        let columns: [Markup] = ["what", "times", "who", "entries", "contract", "fingerprint"].map { "<th scope=\"col\">\($0)</th>" }
        return """
            <div class="scroll" tabindex="0" role="region" aria-label="\("Violations of the contract: \(report.sandbox)")"><table class="rules">
            <thead><tr>\(columns)</tr></thead>
            <tbody>\(rows.map(row))</tbody>
            </table></div>

            """
    }

    private func row(_ finding: ContractFinding) -> Markup {
        let overlay: Markup =
            finding.actions.isEmpty
            ? .none
            : "<details class=\"quiet\"><summary>an overlay that would allow it</summary><pre>\(finding.overlayText)</pre></details>"
        let entries: Markup =
            finding.first.map { first in
                finding.last.map { $0 == first ? entry(first) : "\(entry(first)) to \(String($0))" } ?? entry(first)
            } ?? .none
        return """
            <tr><td class="wide">\(finding.words)\(overlay)</td><td>\(finding.count)</td><td>\(finding.lanes.joined(separator: ", "))</td>\
            <td>\(entries)</td><td>\(finding.basis?.text ?? "")</td><td><code>\(finding.fingerprint)</code></td></tr>

            """
    }
}

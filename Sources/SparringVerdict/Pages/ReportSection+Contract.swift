import SparringJournal

/// The section about the contract: a table of findings for each weight.
extension ReportSection {
    var findings: Markup {
        let columns = ["what", "times", "who", "entries", "contract", "fingerprint"]
        let parts = report.contractParts.map { part -> Markup in
            let table = Markup.table("Violations of the contract: \(report.sandbox)", columns, part.rows.map(row))
            return self.part(part.heading, "\(table)\n", isGood: part.weight == .known)
        }
        return "\(parts)"
    }

    private func row(_ finding: ContractFinding) -> Markup {
        let overlay: Markup =
            finding.actions.isEmpty
            ? .none
            : "<details class=\"quiet\"><summary>an overlay that would allow it</summary><pre>\(finding.overlayText)</pre></details>"
        let stub: Markup = finding.stub.map { "<p class=\"quiet\">a stub would answer it: <code>\($0)</code></p>" } ?? .none
        let entries: Markup =
            finding.first.map { first in
                finding.last.map { $0 == first ? entry(first) : "\(entry(first)) to \(String($0))" } ?? entry(first)
            } ?? .none
        return """
            <tr><td class="wide">\(finding.words)\(overlay)\(stub)</td><td>\(finding.count)</td><td>\(finding.lanes.joined(separator: ", "))</td>\
            <td>\(entries)</td><td>\(finding.basis?.text ?? "")</td><td><code>\(finding.fingerprint)</code></td></tr>

            """
    }
}

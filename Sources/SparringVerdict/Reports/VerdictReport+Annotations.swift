extension VerdictReport {
    /// Workflow commands by which GitHub Actions marks a run: an error for each rule that was broken, a warning for each that could not be
    /// judged and for each that the scenario asks for and that was not exercised, or could not be decided; and what the client did against the contract. GitHub shows the first ten of each kind in a step.
    ///
    /// - Parameter place: what the sandbox is called where there are several.
    func annotations(in place: String? = nil) -> [String] {
        let end = place.map { " in \($0)" } ?? ""
        return verdictAnnotations(end) + contractAnnotations(end)
    }

    private func contractAnnotations(_ end: String) -> [String] {
        contractParts.filter { ![.known, .refused].contains($0.weight) }.map { part in
            let command = contract.isBroken && part.weight == .fail ? "error" : part.weight == .notEmulated ? "notice" : "warning"
            return "::\(command) title=\((part.heading + end).commandProperty)::\(part.lines.prefix(5).joined(separator: "\n").commandData)"
        }
    }

    private func verdictAnnotations(_ end: String) -> [String] {
        wanting.map { verdict in
            let command = verdict.result == .fail ? "error" : "warning"
            let title =
                "\(verdict.rule.name) (\(verdict.rule.vendor)): \(verdict.result == .fail ? "failed" : verdict.label.lowercased())\(end)"
            let entry = verdict.firstIsSummary ? verdict.evidence.first?.entry : nil
            var lines = [(entry.map { "entry \($0): " } ?? "") + verdict.summary, verdict.rule.says]
            if let because = verdict.because { lines.append("Because: \(because)") }
            lines.append("Source: \(verdict.rule.source)")
            return "::\(command) title=\(title.commandProperty)::\(lines.joined(separator: "\n").commandData)"
        }
    }
}

/// Escaping for workflow commands, as in GitHub's toolkit.
extension String {
    var commandData: String { commandEscaped { $0 == "%" || $0 == "\r" || $0 == "\n" } }
    var commandProperty: String { commandEscaped { "%\r\n:,".unicodeScalars.contains($0) } }

    private func commandEscaped(_ isSpecial: (Unicode.Scalar) -> Bool) -> String {
        xmlText.unicodeScalars.map { scalar in
            guard isSpecial(scalar) else { return String(scalar) }
            let code = String(scalar.value, radix: 16, uppercase: true)
            return "%" + (code.count < 2 ? "0" : "") + code
        }.joined()
    }
}

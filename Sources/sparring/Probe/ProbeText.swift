import SparringAdmin

/// A probe's plan and report for people.
enum ProbeText {
    static func plan(_ plan: ProbePlan) -> String {
        var lines = plan.lines.map(Terminal.printable)
        lines.append("")
        lines.append("\(plan.count) calls and messages would be sent, each script twice; --send sends them.")
        return lines.joined(separator: "\n")
    }

    static func report(_ report: ProbeReport) -> String {
        var text = Table.text("operation", "contract", "Sparring", "means", of: report.rows, none: "nothing was checked") { row in
            [row.operation, row.contract, row.sparring, row.meanings]
        }
        text += "\n"
        for finding in report.findings where finding.words != nil {
            let place = [finding.operation, finding.place].compactMap(\.self).joined(separator: ": ")
            let basis = finding.basis.map { " (\($0))" } ?? ""
            text += "\n\(Terminal.printable("\(finding.meaning.words): \(place): \(finding.words ?? "")\(basis)"))"
        }
        if report.findings.contains(where: { $0.words != nil }) { text += "\n" }
        if !report.noise.isEmpty {
            let places = report.noise.flatMap { operation, places in places.map { "\(operation): \($0)" } }.sorted()
            text += "\ndiffers between the vendor's own answers: \(places.map(Terminal.printable).joined(separator: "; "))\n"
        }
        if !report.left.isEmpty { text += "\n\(report.left.count) steps were left out; the run without --send says why.\n" }
        return text + "\n" + summary(report)
    }

    private static func summary(_ report: ProbeReport) -> String {
        let counts = ProbeFinding.Meaning.allCases.compactMap { meaning -> String? in
            let count = Set(report.findings.filter { $0.meaning == meaning }.map(\.operation)).count
            return count == 0 ? nil : "\(count) \(meaning.words)"
        }
        return "\(report.count) calls and messages sent; operations: " + (counts.isEmpty ? "none" : counts.joined(separator: ", "))
    }
}

extension SuiteReport {
    /// The report for a terminal: of one sandbox all of it; of several those that something is to be said of, then a line for each.
    package func text(colour: Bool) -> String {
        let sections = sections
        let paint = Paint(isOn: colour)
        if sections.count == 1, plays.count == 1 {
            return sections[0].report.text(colour: colour) + variationText(paint) + coverageText(paint) + staleText(paint)
        }
        var lines: [String] = []
        for section in sections where section.report.isRemarkable {
            lines.append(
                paint("── \(section.name.printable) ", .strong)
                    + paint(String(repeating: "─", count: max(0, 76 - section.name.count)), .dim))
            lines.append(section.report.text(colour: colour))
        }
        lines += table(paint)
        lines += again.map { ["", "run it again:"] + $0.map { "  " + $0.printable } } ?? []
        lines.append("")
        lines.append(paint(headline, result == .fail || failedCommand != nil ? .bad : .strong))
        return lines.joined(separator: "\n") + "\n" + variationText(paint) + coverageText(paint) + staleText(paint)
    }

    /// Empty where nothing was varied.
    private func variationText(_ paint: Paint) -> String {
        variations.map { "\n" + $0.lines(paint).joined(separator: "\n") + "\n" }.joined()
    }

    /// Empty where nobody asked.
    private func coverageText(_ paint: Paint) -> String {
        guard let coverage else { return "" }
        let complaints = shortfalls.map { paint($0, .bad) + "\n" }.joined()
        return "\n" + paint("Coverage of the contracts:", .strong) + "\n" + coverage.lines(verbose: false).joined(separator: "\n") + "\n"
            + complaints
    }

    /// The command lines that play again what did not go well; nil if all did.
    var again: [String]? {
        let lines = plays.filter { play in play.failure != nil || play.reports.contains { $0.result == .fail || $0.isUnclear } }
            .compactMap(\.again)
        return lines.isEmpty ? nil : lines
    }

    /// `3 of 12 sandboxes failed, 1 inconclusive, 2 of 12 commands failed`.
    var headline: String {
        let reports = reports
        guard reports.count != 1 || plays.count != 1 else { return reports[0].headline }
        let failed = sections.filter { $0.report.result == .fail }
        let passed = reports.count { $0.result == .pass }
        if let first = sections.first(where: { !$0.report.ownFailures.isEmpty }) {
            return "\(first.name): \(first.report.ownFailures.headline)"
        }
        var parts = [
            failed.count == 1
                ? "\(failed[0].name) failed: \(failed[0].report.wanting.first { $0.result == .fail }?.name ?? "the contract was broken")"
                : failed.count > 1
                    ? "\(failed.count) of \(reports.count) sandboxes failed"
                    : passed == reports.count ? "all \(passed) sandboxes passed" : "\(passed) of \(reports.count) sandboxes passed"
        ]
        for (result, words) in [
            (Verdict.Result.inconclusive, "inconclusive"), (.undecided, "undecided"), (.excused, "excused"),
            (.notExercised, "not exercised"),
        ] {
            let count = reports.count { $0.result == result }
            if count > 0 { parts.append("\(count) \(words)") }
        }
        let unreached = sections.count(where: \.isUnreached)
        if unreached > 0 { parts.append("\(unreached) reached by no request") }
        let statuses = plays.compactMap(\.status)
        let bad = statuses.count { $0 != 0 }
        if bad > 0 {
            parts.insert(
                statuses.count == 1 ? "the command failed" : "\(bad) of \(statuses.count) commands failed",
                at: failed.isEmpty ? 0 : parts.count)
        }
        return parts.joined(separator: ", ")
    }

    private func table(_ paint: Paint) -> [String] {
        let names = sections.map(\.name.count).max() ?? 0
        return sections.map { section in
            let report = section.report
            let word = report.result.label(isMissed: report.isUnclear)
            let style: Paint.Style = report.result == .fail ? .bad : report.result == .pass ? .good : .doubt
            let wrong = report.wanting.map(\.name).prefix(3).joined(separator: ", ")
            let more = report.wanting.count > 3 ? " and \(report.wanting.count - 3) more" : ""
            let silence = section.isUnreached ? Section.unreachedWords : nil
            let command = plays.count > 1 && section.isFirst ? section.play.failure.map { "  (\($0))" } ?? "" : ""
            let reasons = [wrong + more, report.brokenWords, silence].compactMap(\.self).filter { !$0.isEmpty }
            let about = reasons.joined(separator: "; ").printable + command
            return paint(word.padded(to: 13), style) + " " + section.name.printable.padded(to: names) + "  " + about
        }
    }
}

extension VerdictReport {
    /// There is more to say than that all went well.
    fileprivate var isRemarkable: Bool { !ownFailures.isEmpty || !wanting.isEmpty || !contractParts.isEmpty || count(.advice) > 0 }
}

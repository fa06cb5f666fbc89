extension SuiteReport {
    /// The report as GitHub shows it in a job's summary (GITHUB_STEP_SUMMARY): a heading, a row for each sandbox, and what is wrong.
    package var markdown: String {
        let isBad = result == .fail || failedCommand != nil || isVariationBad || strayWords != nil || !shortfalls.isEmpty
        let sign = isBad ? "❌" : isUnclear || isIdle ? "⚠️" : "✅"
        var lines = ["### \(sign) Sparring: \(headline.markdownText)", ""]
        let failures = reports.flatMap(\.ownFailures.lines)
        if !failures.isEmpty { lines += failures.prefix(10).map { "- \($0.markdownText)" } + [""] }
        lines += ["| | sandbox | rules | what is wrong |", "| --- | --- | --- | --- |"]
        for section in sections {
            let report = section.report
            let sign = report.result == .fail ? "❌" : report.isUnclear ? "⚠️" : report.result == .pass ? "✅" : "–"
            var wrong = report.wanting.prefix(5).map { "`\($0.name.markdownCode)`: \($0.summary.markdownText)" }
            if let broken = report.brokenSentence { wrong.append(broken.markdownText) }
            if section.isUnreached { wrong.append(Section.unreachedWords) }
            if plays.count > 1, section.isFirst, let failure = section.play.failure { wrong.append(failure) }
            lines.append(
                "| \(sign) | \(section.name.markdownText) | \(report.headline.markdownText) | \(wrong.joined(separator: "<br>")) |")
        }
        if plays.count == 1, let failure = plays[0].failure { lines += ["", "\(failure.capitalizedFirst)."] }
        if let idleWords { lines += ["", "\(idleWords.capitalizedFirst): \(Self.idleAdvice)."] }
        if let strayWords { lines += ["", "**\(strayWords.markdownText):**", ""] + strayLines.map { "- \($0.markdownText)" } }
        lines += shortfalls.flatMap { ["", "**\($0.markdownText)**"] }
        for variation in variations {
            lines += ["", "**\(variation.headline.markdownText)**", ""]
            lines += variation.findings.map {
                "- `\($0.family)` \($0.title.markdownText): \($0.sentence.markdownText). Advice: \($0.advice.markdownText)."
            }
        }
        if let (heading, stale) = staleWords {
            lines += ["", "**\(heading.markdownText):**", ""] + stale.map { "- \($0.markdownText)" }
        }
        let again = (self.again ?? []) + variations.flatMap { $0.findings.compactMap(\.again) }
        if !again.isEmpty { lines += ["", "Run it again:", "", "```sh"] + again.map { $0.xmlText.replacing("```", with: "") } + ["```"] }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension String {
    /// In a cell of a table: what would be markup is shown as it is (CommonMark §2.4).
    fileprivate var markdownText: String {
        xmlText.unicodeScalars.map { scalar in
            switch scalar {
            case "\n", "\r", "\t": " "
            case "<": "&lt;"
            case ">": "&gt;"
            case "&": "&amp;"
            case _ where #"\`*_{}[]()#+!|~$@:"#.unicodeScalars.contains(scalar) && !":()+!".unicodeScalars.contains(scalar):
                "\\" + String(scalar)
            default: String(scalar)
            }
        }.joined()
    }

    fileprivate var markdownCode: String { xmlText.filter { !"`|\n\r".contains($0) } }
}

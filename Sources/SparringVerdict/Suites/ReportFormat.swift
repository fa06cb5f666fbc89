import SparringJSON
package import SparringJournal

/// How a report can be had.
package enum ReportFormat: String, Sendable, CaseIterable {
    /// For a terminal.
    case text
    /// The same in colour.
    case ansi
    /// JUnit's XML, as CI systems read it.
    case junit
    /// One page that needs nothing else.
    case html
    /// SARIF 2.1.0, as code scanning reads it.
    case sarif
    /// A line for each complaint, as GitHub Actions shows it beside the run.
    case annotations
    /// A table, as GitHub shows it in a job's summary.
    case markdown
}

extension SuiteReport {
    /// One sandbox's report, without a command.
    ///
    /// - Parameter now: when its watch ended.
    package init(_ report: VerdictReport, version: String, now: Timestamp) {
        let began = now - .milliseconds(Int64(report.watched * 1000))
        self.init(version: version, plays: [Play(scenario: report.scenario, began: began, ended: now, reports: [report])])
    }

    package func rendered(_ format: ReportFormat) -> String {
        switch format {
        case .text: text(colour: false)
        case .ansi: text(colour: true)
        case .junit: junit()
        case .html: html()
        case .sarif: sarif.text + "\n"
        case .annotations: annotations.joined(separator: "\n")
        case .markdown: markdown
        }
    }

    /// Workflow commands by which GitHub Actions marks the run.
    package var annotations: [String] {
        let commands = plays.compactMap { play in
            let place = play.scenario.map { " in \($0)" } ?? ""
            return play.failure.map { "::error title=\(("the command failed" + place).commandProperty)::\($0.commandData)" }
        }
        let sections = sections
        let short = shortfalls.map { "::error title=\("The contracts were not covered".commandProperty)::\($0.commandData)" }
        let strays = strayWords.map { "::error title=\($0.commandProperty)::\(strayLines.joined(separator: "\n").commandData)" }
        let idle = idleWords.map { "::error title=\($0.commandProperty)::\("\($0): \(Self.idleAdvice)".commandData)" }
        let failures = sections.filter { !$0.report.ownFailures.isEmpty }.map { section in
            let (headline, lines) = (section.report.ownFailures.headline, section.report.ownFailures.lines)
            return "::error title=\(headline.commandProperty)::\(lines.joined(separator: "\n").commandData)"
        }
        let varied = variations.flatMap { report in
            report.findings.map {
                "::error title=\("\($0.family) \($0.title)".commandProperty)::\("\($0.sentence). \($0.advice)".commandData)"
            }
                + (report.obstacle.map { ["::error title=Variation cannot be judged::\($0.commandData)"] } ?? [])
        }
        let stale = staleWords.map { "::warning title=\($0.heading.commandProperty)::\($0.lines.joined(separator: "\n").commandData)" }
        let judged = sections.flatMap { $0.report.annotations(in: sections.count > 1 ? $0.name : nil) }
        return failures + commands + [idle, strays].compactMap(\.self) + short + varied + judged + [stale].compactMap(\.self)
    }
}

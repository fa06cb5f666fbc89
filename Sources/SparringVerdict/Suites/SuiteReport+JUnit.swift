import Foundation
import SparringJSON
import SparringJournal

extension SuiteReport {
    /// The report as JUnit XML, for whatever shows test results. Of each sandbox a suite for each vendor, a case for each rule, and one for the
    /// contract; of the command a suite with a case for each play. Rules that were not exercised are left out unless all are wanted; but those that
    /// were asked for, and those that are inconclusive, are errors, and so is a command that failed.
    ///
    /// - Parameter host: the machine's name.
    package func junit(host: String? = nil) -> String {
        let sections = sections
        let ofSections = sections.flatMap { suites(of: $0, in: sections.count > 1 ? $0.name : nil) }
        let all =
            [failureSuite, commandSuite].compactMap(\.self) + ofSections + [straySuite, coverageSuite, baselineSuite].compactMap(\.self)
            + variations.map(suite)
        let report: Markup = """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites\(attributes([("name", "sparring")] + totals(all.flatMap(\.cases)) + [("time", junitSeconds)]))>
            \(all.map { $0.markup(host) })</testsuites>

            """
        return report.text
    }

    private func suites(of section: Section, in place: String?) -> [JUnitSuite] {
        let report = section.report
        func suite(_ name: String, _ cases: [JUnitCase]) -> JUnitSuite {
            JUnitSuite(
                name: place.map { "\($0): \(name)" } ?? name, time: report.watched.junitText, began: section.play.began,
                properties: [
                    ("seed", String(report.seed)), ("scenario", report.scenario), ("sandbox", report.sandbox), ("test", report.label),
                    ("node", report.node),
                    ("clock", report.clockWords),
                    ("sparring", version), ("again", section.play.again),
                ], cases: cases)
        }
        let verdicts = report.shown(all: showsAllRules)
        var vendors: [String] = []
        for verdict in verdicts where !vendors.contains(verdict.rule.vendor) { vendors.append(verdict.rule.vendor) }
        let ofRules = vendors.map { vendor in
            suite(vendor, verdicts.filter { $0.rule.vendor == vendor }.map { JUnitCase($0, in: place) })
        }
        // A sandbox that a test does not use fails nothing, but is seen.
        let ofSilence = section.isUnreached ? [suite("requests", [JUnitCase(unreached: place)])] : []
        return ofSilence
            + (report.contract.gate == .off ? ofRules : ofRules + [suite("contract", [JUnitCase(contractOf: report, in: place)])])
    }

    private func suite(of variation: VariationReport) -> JUnitSuite {
        JUnitSuite(
            name: variation.scenario.map { "\($0): variation" } ?? "variation", time: junitSeconds,
            began: began ?? Timestamp(milliseconds: 0),
            properties: [("seed", String(variation.seed)), ("scenario", variation.scenario), ("sparring", version)],
            cases: variation.obstacle.map { [JUnitCase(obstacle: $0)] }
                ?? variation.families.map { family in
                    JUnitCase(family, variation.findings.filter { $0.family == family.id }, in: variation.scenario)
                })
    }

    /// Nil where no command was run.
    private var commandSuite: JUnitSuite? {
        guard let began, plays.contains(where: { $0.status != nil }) else { return nil }
        let words = command.joined(separator: " ")
        return JUnitSuite(
            name: "command", time: junitSeconds, began: began, properties: [("command", words), ("sparring", version)],
            cases: plays.enumerated().map { index, play in
                JUnitCase(commandOf: play, words, name: plays.count == 1 ? "command" : "command in \(play.scenario ?? "play \(index + 1)")")
            } + (idleWords.map { [JUnitCase(idle: $0)] } ?? []))
    }

    /// Nil where Sparring itself did not fail.
    private var failureSuite: JUnitSuite? {
        let failed = sections.filter { !$0.report.ownFailures.isEmpty }
        guard let began, !failed.isEmpty else { return nil }
        return JUnitSuite(
            name: "sparring", time: junitSeconds, began: began, properties: [("sparring", version)],
            cases: failed.map { JUnitCase(failuresOf: $0.report, in: sections.count > 1 ? $0.name : nil) })
    }

    /// Nil where no call that matched nothing fails the run.
    private var straySuite: JUnitSuite? {
        guard let began, let strayWords else { return nil }
        return JUnitSuite(
            name: "calls", time: junitSeconds, began: began, properties: [("sparring", version)],
            cases: [JUnitCase(strays: strayWords, strayLines)])
    }

    /// Nil where no minimum was given.
    private var coverageSuite: JUnitSuite? {
        guard let began, !minimums.isEmpty else { return nil }
        let shortfalls = shortfalls
        return JUnitSuite(
            name: "coverage", time: junitSeconds, began: began, properties: [("sparring", version)],
            cases: minimums.map { minimum in
                JUnitCase(coverageOf: minimum.axis, shortfalls.first { $0.hasPrefix("coverage of \(minimum.axis.rawValue) is ") })
            })
    }

    /// Nil where every known violation was seen.
    private var baselineSuite: JUnitSuite? {
        guard let began, let (heading, lines) = staleWords else { return nil }
        return JUnitSuite(
            name: "baseline", time: junitSeconds, began: began, properties: [("sparring", version)],
            cases: [JUnitCase(stale: heading, lines)])
    }

    private var junitSeconds: String {
        guard let began, let ended else { return 0.0.junitText }
        return (ended - began).junitText
    }
}

extension Double {
    fileprivate var junitText: String { String(format: "%.3f", self) }
}

extension Duration {
    fileprivate var junitText: String { (Double(milliseconds) / 1000).junitText }
}

private struct JUnitSuite {
    let name: String
    /// All of the run: its rules are judged side by side.
    let time: String
    let began: Timestamp
    let properties: [(String, String?)]
    let cases: [JUnitCase]

    func markup(_ host: String?) -> Markup {
        // A timestamp has no fraction and no zone here.
        let own = [("time", time), ("timestamp", String(began.description.prefix(19))), ("hostname", host)]
        let properties = properties.filter { $0.1 != nil }.map { name, value -> Markup in
            "      <property\(attributes([("name", name), ("value", value)]))/>\n"
        }
        return """
              <testsuite\(attributes([("name", name)] + totals(cases) + own))>
                <properties>
            \(properties)    </properties>
            \(cases.map(\.markup))  </testsuite>

            """
    }
}

private struct JUnitCase {
    enum Kind: String, CaseIterable {
        case failure, error, skipped
    }

    let name: String
    let classname: String
    /// The time of the test case: a rule takes none of its own.
    private var time = 0.0.junitText
    /// Nil where all went well.
    private(set) var kind: Kind?
    private var message = ""
    /// The type of a failure or an error.
    private var type: String?
    private var text = ""
    /// Remarks that do not fail the test case.
    private var output = ""

    /// - Parameter place: the section's name, where there are several.
    private init(_ name: String, _ group: String, in place: String? = nil) {
        self.name = name
        classname = ["sparring", place, group].compactMap(\.self).joined(separator: ".")
    }

    init(_ verdict: Verdict, in place: String?) {
        self.init(verdict.rule.name, verdict.rule.vendor, in: place)
        let lines = ([verdict.headWords] + verdict.detailLines(Paint(isOn: false))).joined(separator: "\n")
        switch verdict.result {
        case .pass: break
        case .fail: complain(.failure, verdict.summary, verdict.rule.kind, lines)
        case .notExercised where !verdict.isMissed, .undecided where !verdict.isMissed, .excused where !verdict.isMissed:
            (kind, message) = (.skipped, verdict.summary)
        case .notExercised, .undecided, .excused, .inconclusive: complain(.error, verdict.summary, verdict.result.rawValue, lines)
        case .advice: output = lines
        }
    }

    /// Whether the client kept the contract, as one case.
    init(contractOf report: VerdictReport, in place: String?) {
        self.init("keeps-the-contract", "contract", in: place)
        let parts = report.contractParts
        let lines = parts.flatMap { [$0.heading + ($0.lines.isEmpty ? "" : ":")] + $0.lines }.joined(separator: "\n")
        if let broken = report.brokenSentence {
            complain(report.ownFailures.isEmpty ? .failure : .error, broken, "contract", lines)
        } else {
            output = lines
        }
    }

    /// No request reached a sandbox, and others were reached.
    init(unreached place: String?) {
        self.init("is-reached", "requests", in: place)
        (kind, message) = (.skipped, SuiteReport.Section.unreachedWords)
    }

    /// The baseline has violations that no sandbox showed.
    init(stale heading: String, _ lines: [String]) {
        self.init("baseline-is-current", "baseline")
        (kind, message, text) = (.skipped, heading, lines.joined(separator: "\n"))
    }

    /// No rule was exercised.
    init(idle words: String) {
        self.init("exercises-a-rule", "command")
        complain(.error, words, "not-exercised", "\(words): \(SuiteReport.idleAdvice)")
    }

    /// Whether Sparring itself did not fail.
    init(failuresOf report: VerdictReport, in place: String?) {
        self.init("sparring-did-not-fail", "sparring", in: place)
        let failures = report.ownFailures
        complain(.error, failures.headline, "own-failure", failures.lines.joined(separator: "\n"))
    }

    /// Whether all calls matched something.
    init(strays words: String, _ lines: [String]) {
        self.init("matches-a-sandbox", "calls")
        complain(.failure, words, "unplaced", ([words] + lines).joined(separator: "\n"))
    }

    /// Whether enough of the contracts was met.
    init(coverageOf axis: Coverage.Axis, _ shortfall: String?) {
        self.init("covers-\(axis.rawValue)", "coverage")
        if let shortfall { complain(.failure, shortfall, "coverage", shortfall) }
    }

    /// How the client took a family of variations.
    init(_ family: VariationReport.Family, _ findings: [VariationReport.Finding], in place: String?) {
        self.init("\(family.id) \(family.title)", "variation", in: place)
        switch family.outcome {
        case .pass: break
        case .notMet: (kind, message) = (.skipped, "nothing that was sent has a place for it")
        case .notRun: (kind, message) = (.skipped, "not run")
        case .fail:
            let lines = findings.flatMap { [$0.sentence] + $0.signs + ["advice: \($0.advice)"] + [$0.again].compactMap(\.self) }
            complain(.failure, findings.first?.sentence ?? family.title, "variation", lines.joined(separator: "\n"))
        }
    }

    /// Variation could not be judged.
    init(obstacle: String) {
        self.init("judges-variation", "variation")
        complain(.error, obstacle, "variation", obstacle)
    }

    /// The command of one play.
    init(commandOf play: SuiteReport.Play, _ command: String, name: String) {
        self.init(name, "command")
        time = (play.ended - play.began).junitText
        if let message = play.failure { complain(.error, message, "exit-status", "\(message): \(command)") }
        output = (play.notes.map(\.words) + [play.output]).filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private mutating func complain(_ kind: Kind, _ message: String, _ type: String, _ text: String) {
        (self.kind, self.message, self.type, self.text) = (kind, message, type, text)
    }

    var markup: Markup {
        let complaint: Markup =
            kind.map { kind in
                "      <\(kind.rawValue)\(attributes([("message", message), ("type", type)]))>\(exact(text, "\r"))</\(kind.rawValue)>\n"
            } ?? .none
        let remarks: Markup = output.isEmpty ? .none : "      <system-out>\(exact(output, "\r"))</system-out>\n"
        return """
                <testcase\(attributes([("name", name), ("classname", classname), ("time", time)]))>
            \(complaint)\(remarks)    </testcase>

            """
    }
}

private func totals(_ cases: [JUnitCase]) -> [(String, String?)] {
    func count(_ kind: JUnitCase.Kind) -> String { String(cases.count { $0.kind == kind }) }
    return [
        ("tests", String(cases.count)), ("failures", count(.failure)), ("errors", count(.error)), ("skipped", count(.skipped)),
    ]
}

/// Those that have a value.
private func attributes(_ values: [(String, String?)]) -> Markup {
    "\(values.compactMap { name, value in value.map { " \(name)=\"\(exact($0, "\r\n\t"))\"" as Markup } })"
}

/// A text with references to the characters that a parser makes others of: of line ends (XML 1.0 §2.11), in an attribute also of tabs (§3.3.3).
private func exact(_ text: String, _ changed: String) -> Markup {
    let scalars = text.markupEscaped.unicodeScalars.map { changed.unicodeScalars.contains($0) ? "&#\($0.value);" : String($0) }
    return Markup(stringLiteral: scalars.joined())
}

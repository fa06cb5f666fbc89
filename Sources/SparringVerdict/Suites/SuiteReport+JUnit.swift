import Foundation
import SparringJournal
import XMLCoder
import SparringJSON

extension SuiteReport {
    /// The report as JUnit XML, for whatever shows test results. Of each sandbox a suite for each vendor, a case for each rule, and one for the
    /// contract; of the command a suite with a case for each play. Rules that were not exercised are left out unless all are wanted; but those that
    /// were asked for, and those that are inconclusive, are errors, and so is a command that failed.
    ///
    /// - Parameter host: the machine's name.
    /// - Throws: where the library cannot encode it.
    package func junit(host: String? = nil) throws -> String {
        let sections = sections
        var suites: [JUnitSuite] = []
        if let command = JUnitSuite(commandOf: self, host: host) { suites.append(command) }
        for section in sections {
            let report = section.report
            let verdicts = report.shown(all: showsAllRules)
            let place = sections.count > 1 ? section.name : nil
            var vendors: [String] = []
            for verdict in verdicts where !vendors.contains(verdict.rule.vendor) { vendors.append(verdict.rule.vendor) }
            suites += vendors.map { vendor in
                JUnitSuite(vendor, section, self, host, place, verdicts.filter { $0.rule.vendor == vendor }.map { JUnitCase($0, place) })
            }
            if report.contract.gate != .off {
                suites.append(JUnitSuite("contract", section, self, host, place, [JUnitCase(contractOf: report, place)]))
            }
        }
        if let coverage = JUnitSuite(coverageOf: self, host: host) { suites.append(coverage) }
        let encoder = XMLEncoder()
        encoder.outputFormatting = .prettyPrinted
        encoder.prettyPrintIndentation = .spaces(2)
        // A parser makes spaces of these where they stand in an attribute as they are (XML 1.0 §3.3.3).
        encoder.charactersEscapedInAttributes += [("\n", "&#10;"), ("\r", "&#13;"), ("\t", "&#9;")]
        encoder.charactersEscapedInElements += [("\r", "&#13;")]
        let data = try encoder.encode(
            JUnitReport(self, suites), withRootKey: "testsuites", header: XMLHeader(version: 1.0, encoding: "UTF-8"))
        return String(decoding: data, as: UTF8.self) + "\n"
    }

    fileprivate var seconds: String {
        guard let began, let ended else { return "0.000" }
        return String(format: "%.3f", Double((ended - began).milliseconds) / 1000)
    }
}

extension VerdictReport {
    fileprivate var seconds: String { String(format: "%.3f", watched) }
}

extension Timestamp {
    /// In the form that JUnit uses: to the second, without a zone.
    fileprivate var junitText: String { String(description.prefix(19)) }
}

/// An element whose values are attributes, but for those that are elements or its text.
private protocol JUnitElement: Encodable, DynamicNodeEncoding {
    static var elements: Set<String> { get }
}

extension JUnitElement {
    static var elements: Set<String> { [] }
    static func nodeEncoding(for key: any CodingKey) -> XMLEncoder.NodeEncoding {
        elements.contains(key.stringValue) ? .element : .attribute
    }
}

private struct JUnitReport: JUnitElement {
    static let elements: Set = ["testsuite"]

    let name = "sparring"
    let tests: Int
    let failures: Int
    let errors: Int
    let skipped: Int
    let time: String
    let testsuite: [JUnitSuite]

    init(_ report: SuiteReport, _ suites: [JUnitSuite]) {
        tests = suites.map(\.tests).reduce(0, +)
        failures = suites.map(\.failures).reduce(0, +)
        errors = suites.map(\.errors).reduce(0, +)
        skipped = suites.map(\.skipped).reduce(0, +)
        time = report.seconds
        testsuite = suites
    }
}

private struct JUnitSuite: JUnitElement {
    static let elements: Set = ["properties", "testcase"]

    struct Properties: Encodable {
        let property: [Property]
    }

    struct Property: JUnitElement {
        let name: String
        let value: String
    }

    let name: String
    let tests: Int
    let failures: Int
    let errors: Int
    let skipped: Int
    /// All of the run: its rules are judged side by side.
    let time: String
    let timestamp: String
    let hostname: String?
    let properties: Properties
    let testcase: [JUnitCase]

    init(
        _ vendor: String, _ section: SuiteReport.Section, _ suite: SuiteReport, _ host: String?, _ place: String?, _ cases: [JUnitCase]
    ) {
        let report = section.report
        self.init(
            place.map { "\($0): \(vendor)" } ?? vendor, cases, time: report.seconds, began: section.play.began, host,
            [
                ("seed", String(report.seed)), ("scenario", report.scenario), ("sandbox", report.sandbox), ("clock", report.clockWords),
                ("sparring", suite.version), ("again", section.play.again),
            ])
    }

    /// Nil where none was run.
    init?(commandOf suite: SuiteReport, host: String?) {
        guard let began = suite.began, suite.plays.contains(where: { $0.status != nil }) else { return nil }
        let cases = suite.plays.enumerated().map { JUnitCase(commandOf: $1, suite, number: $0 + 1) }
        self.init(
            "command", cases, time: suite.seconds, began: began, host,
            [("command", suite.command.joined(separator: " ")), ("sparring", suite.version)])
    }

    /// Nil where no minimum was given.
    init?(coverageOf suite: SuiteReport, host: String?) {
        guard let began = suite.began, !suite.minimums.isEmpty else { return nil }
        let shortfalls = suite.shortfalls
        let cases = suite.minimums.map { minimum in
            JUnitCase(coverageOf: minimum.axis, shortfalls.first { $0.hasPrefix("coverage of \(minimum.axis.rawValue) is ") })
        }
        self.init("coverage", cases, time: suite.seconds, began: began, host, [("sparring", suite.version)])
    }

    private init(
        _ name: String, _ cases: [JUnitCase], time: String, began: Timestamp, _ host: String?, _ known: [(String, String?)]
    ) {
        testcase = cases
        self.name = name.xmlText
        tests = testcase.count
        failures = testcase.count { $0.failure != nil }
        errors = testcase.count { $0.error != nil }
        skipped = testcase.count { $0.skipped != nil }
        self.time = time
        timestamp = began.junitText
        hostname = host?.xmlText
        properties = Properties(
            property: known.compactMap { name, value in value.map { Property(name: name, value: $0.xmlText) } })
    }
}

private struct JUnitCase: JUnitElement {
    static let elements: Set = ["failure", "error", "skipped", "system-out"]

    enum CodingKeys: String, CodingKey {
        case name, classname, time, failure, error, skipped
        case output = "system-out"
    }

    /// Failure or error.
    struct Complaint: JUnitElement {
        static let elements: Set = [""]

        enum CodingKeys: String, CodingKey {
            case message, type
            case text = ""
        }

        let message: String
        let type: String
        let text: String
    }

    struct Skip: JUnitElement {
        let message: String
    }

    let name: String
    let classname: String
    /// Of its own a rule takes none.
    private(set) var time = "0.000"
    private(set) var failure: Complaint?
    private(set) var error: Complaint?
    private(set) var skipped: Skip?
    /// Remarks that do not fail the test case.
    private(set) var output: String?

    /// - Parameter place: the section's name, where there are several.
    private static func classname(_ place: String?, _ name: String) -> String {
        (["sparring", place, name].compactMap { $0 }).joined(separator: ".").xmlText
    }

    init(_ verdict: Verdict, _ place: String?) {
        name = verdict.rule.name.xmlText
        classname = Self.classname(place, verdict.rule.vendor)
        func complaint(_ type: String) -> Complaint {
            let lines = [verdict.headWords] + verdict.detailLines(Paint(isOn: false))
            return Complaint(message: verdict.summary.xmlText, type: type, text: lines.joined(separator: "\n").xmlText)
        }
        switch verdict.result {
        case .pass: break
        case .fail: failure = complaint(verdict.rule.kind)
        case .notExercised where !verdict.isMissed, .undecided where !verdict.isMissed, .excused where !verdict.isMissed:
            skipped = Skip(message: verdict.summary.xmlText)
        case .notExercised, .undecided, .excused, .inconclusive: error = complaint(verdict.result.rawValue)
        case .advice: output = complaint(verdict.rule.kind).text
        }
    }

    /// Whether the client kept the contract, as one case.
    init(contractOf report: VerdictReport, _ place: String?) {
        name = "keeps-the-contract"
        classname = Self.classname(place, "contract")
        let lines = report.contractParts.flatMap { [$0.heading + ($0.lines.isEmpty ? "" : ":")] + $0.lines }
        let text = lines.joined(separator: "\n").xmlText
        if report.contract.isBroken {
            failure = Complaint(message: (report.contractParts.first?.heading ?? "").xmlText, type: "contract", text: text)
        } else if !lines.isEmpty {
            output = text
        }
    }

    /// Whether enough of the contracts was met.
    init(coverageOf axis: Coverage.Axis, _ shortfall: String?) {
        name = "covers-\(axis.rawValue)"
        classname = "sparring.coverage"
        failure = shortfall.map { Complaint(message: $0, type: "coverage", text: $0) }
    }

    /// The command of one play.
    init(commandOf play: SuiteReport.Play, _ suite: SuiteReport, number: Int) {
        let isAlone = suite.plays.count == 1
        name = isAlone ? "command" : "command in \((play.scenario ?? "play \(number)").xmlText)"
        classname = "sparring.command"
        time = String(format: "%.3f", Double((play.ended - play.began).milliseconds) / 1000)
        if let message = play.failure {
            error = Complaint(message: message, type: "exit-status", text: "\(message): \(suite.command.joined(separator: " "))".xmlText)
        }
        let words = (play.notes + [play.output]).filter { !$0.isEmpty }.joined(separator: "\n")
        if !words.isEmpty { output = words.xmlText }
    }
}

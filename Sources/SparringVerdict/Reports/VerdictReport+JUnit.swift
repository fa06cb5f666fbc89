import Foundation
import XMLCoder

extension VerdictReport {
    /// The report as JUnit XML, for whatever shows test results: a suite for each vendor, a case for each rule. Rules that were not
    /// exercised are skipped; but those that the scenario asks for, and those that cannot be judged, are errors.
    ///
    /// - Throws: where the library cannot encode it.
    public func junit() throws -> String {
        var vendors: [String] = []
        for verdict in verdicts where !vendors.contains(verdict.rule.vendor) { vendors.append(verdict.rule.vendor) }
        var suites = vendors.map { vendor in JUnitSuite(vendor, self, verdicts.filter { $0.rule.vendor == vendor }.map { JUnitCase($0) }) }
        if contract.gate != .off { suites.append(JUnitSuite("contract", self, [JUnitCase(contractOf: self)])) }
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

    fileprivate var seconds: String { String(format: "%.3f", watched) }
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

    init(_ report: VerdictReport, _ suites: [JUnitSuite]) {
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
    let properties: Properties
    let testcase: [JUnitCase]

    init(_ vendor: String, _ report: VerdictReport, _ cases: [JUnitCase]) {
        testcase = cases
        name = vendor.xmlText
        tests = testcase.count
        failures = testcase.count { $0.failure != nil }
        errors = testcase.count { $0.error != nil }
        skipped = testcase.count { $0.skipped != nil }
        time = report.seconds
        let known = [
            ("seed", String(report.seed)), ("scenario", report.scenario), ("sandbox", report.sandbox), ("clock", report.clockWords),
        ]
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
    let time = "0.000"
    private(set) var failure: Complaint?
    private(set) var error: Complaint?
    private(set) var skipped: Skip?
    /// Remarks that do not fail the test case.
    private(set) var output: String?

    init(_ verdict: Verdict) {
        name = verdict.rule.name.xmlText
        classname = "sparring.\(verdict.rule.vendor.xmlText)"
        func complaint(_ type: String) -> Complaint {
            let lines = [verdict.headWords] + verdict.detailLines(Paint(isOn: false))
            return Complaint(message: verdict.summary.xmlText, type: type, text: lines.joined(separator: "\n").xmlText)
        }
        switch verdict.result {
        case .pass: break
        case .fail: failure = complaint(verdict.rule.kind)
        case .notExercised where !verdict.isMissed, .undecided where !verdict.isMissed: skipped = Skip(message: verdict.summary.xmlText)
        case .notExercised, .undecided, .cannotJudge: error = complaint(verdict.result.rawValue)
        case .advice: output = complaint(verdict.rule.kind).text
        }
    }

    /// Whether the client kept the contract, as one case.
    init(contractOf report: VerdictReport) {
        name = "keeps-the-contract"
        classname = "sparring.contract"
        let lines = report.contractParts.flatMap { heading, items in
            [heading + ":"] + items.map { ($0.evidence.entry.map { "entry \($0): " } ?? "") + $0.evidence.words }
        }
        let text = lines.joined(separator: "\n").xmlText
        if report.contract.isBroken {
            failure = Complaint(message: (report.contractParts.first?.heading ?? "").xmlText, type: "contract", text: text)
        } else if !lines.isEmpty {
            output = text
        }
    }
}

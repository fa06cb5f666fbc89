import SparringJSON
import SparringJournal

/// One result of SARIF (§3.27).
struct SARIFResult {
    /// The name of the folder that URIs of files are relative to.
    static let contracts = "CONTRACTS"

    /// A `reportingDescriptor` (§3.49).
    struct Rule {
        var id: String
        var says: String
        var full: String?
        /// Results with one id may say different things; the gravest describe it.
        var gravity = 0

        var json: JSON {
            .members([
                "id": .string(id), "shortDescription": ["text": .string(says)], "fullDescription": full.map { ["text": .string($0)] },
            ])
        }
    }

    let rule: Rule
    private let level: String
    private let words: String
    /// Nil where it is not even known whose contract it is about.
    private let location: JSON?
    private let fingerprint: String
    private var count = 1
    private var isSuppressed = false
    private let properties: JSON

    /// - Parameter areNamed: the message says in which sandboxes it happened: viewers do not show properties.
    init(_ finding: ContractFinding, gate: Bool, sandboxes: [String], areNamed: Bool) {
        let (subject, gravity) = Self.subject(of: finding)
        rule = Rule(
            id: "contract/\(finding.code)", says: "\(subject): \(finding.code.replacing("-", with: " ")).", gravity: gravity)
        level =
            switch finding.weight {
            case .fail: gate ? "error" : "warning"
            case .warn, .own: "warning"
            case .notEmulated, .refused, .known: "note"
            }
        words = finding.words + (areNamed ? " (\(Self.list(sandboxes)))" : "")
        location =
            finding.basis.map { basis in
                Self.location(
                    basis.file ?? basis.document, basis.line, isOfFolder: basis.file == nil,
                    of: finding.operation.isEmpty ? nil : finding.operation)
            } ?? Self.location(of: finding.operation)
        fingerprint = finding.fingerprint
        count = finding.count
        isSuppressed = finding.weight == .known
        properties = .members([
            "weight": .string(finding.weight.rawValue), "place": finding.place.map { .string($0) },
            "contractPath": finding.basis.map { .string($0.path) }, "firstEntry": finding.first.map { .count($0) },
            "lastEntry": finding.last.map { .count($0) }, "lanes": .array(finding.lanes.map { .string($0) }),
            "sandboxes": .array(sandboxes.map { .string($0) }), "overlay": finding.actions.isEmpty ? nil : .array(finding.actions),
        ])
    }

    init(_ verdict: Verdict, in section: SuiteReport.Section) {
        let sandbox = section.name
        rule = Rule(id: verdict.rule.qualifiedName, says: verdict.rule.says, full: "\(verdict.rule.says) Source: \(verdict.rule.source)")
        level = verdict.result == .fail ? "error" : verdict.result == .advice ? "note" : "warning"
        words = "\(verdict.summary) (\(section.testName): \(verdict.label.lowercased()))"
        location =
            verdict.rule.file.map { Self.location($0, verdict.rule.line ?? 0, isOfFolder: true) }
            ?? Self.contract(of: verdict.rule.vendor)
        fingerprint = Finding(verdict.result.rawValue, at: sandbox, "").fingerprint(in: verdict.rule.qualifiedName)
        isSuppressed = verdict.isKnown
        properties = .members([
            "sandbox": .string(sandbox), "result": .string(verdict.result.rawValue), "because": verdict.because.map { .string($0) },
            "entries": .array(verdict.evidence.compactMap(\.entry).map { .count($0) }),
        ])
    }

    init(_ finding: VariationReport.Finding, in report: VariationReport) {
        rule = Rule(
            id: "variation/\(finding.family)", says: "The client breaks on \(finding.title).",
            full: "A vendor may send \(finding.title) without notice. Advice: \(finding.advice).")
        level = "error"
        words = "\(finding.sentence). Advice: \(finding.advice)."
        location = finding.changes.first.flatMap { Self.location(of: $0.operation) }
        let places = finding.changes.map { "\($0.operation) \($0.place)" }.joined(separator: ", ")
        fingerprint = Finding(finding.family, at: places, "").fingerprint(in: "variation")
        properties = .members([
            "scenario": report.scenario.map { .string($0) }, "seed": .integer(report.seed), "again": finding.again.map { .string($0) },
            "changes": .array(finding.changes.map { .string($0.id) }), "signs": .array(finding.signs.map { .string($0) }),
        ])
    }

    /// The words before a code, and how grave they are.
    private static func subject(of finding: ContractFinding) -> (String, Int) {
        // What is known keeps no other weight, but its code shows whether it can break a contract at all.
        let isAbsent = [Finding.notEmulated, Finding.unplaced, Cause.misunderstood].contains(finding.code)
        return switch finding.weight {
        case .known where isAbsent, .notEmulated: ("Not in the contract, or not emulated", 0)
        case .refused: ("The vendor refused a request", 1)
        case .own: ("Sparring's own answer broke the contract", 2)
        case .fail, .warn, .known: ("The contract was broken", 3)
        }
    }

    /// `a, b, c and 4 more`
    private static func list(_ names: [String]) -> String {
        names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and \(names.count - 3) more" : "")
    }

    /// - Parameters:
    ///   - rules: the ids, in the order of the descriptors.
    ///   - elsewhere: the location of a result that has none of its own.
    func json(_ rules: [String], elsewhere: JSON) -> JSON {
        .members([
            "ruleId": .string(rule.id), "ruleIndex": rules.firstIndex(of: rule.id).map { .count($0) }, "level": .string(level),
            "message": ["text": .string(words)], "locations": [location ?? elsewhere],
            "partialFingerprints": ["sparring/v1": .string(fingerprint)], "occurrenceCount": .count(count),
            "suppressions": isSuppressed ? [["kind": "external", "justification": "the baseline has it"]] : nil, "properties": properties,
        ])
    }

    /// - Parameter operation: nil where it is none's.
    private static func location(_ file: String, _ line: Int, isOfFolder: Bool, of operation: String? = nil) -> JSON {
        let artifact: JSON = .members(["uri": .string(file), "uriBaseId": isOfFolder ? .string(contracts) : nil])
        return .members([
            "physicalLocation": .members([
                "artifactLocation": artifact, "region": line > 0 ? ["startLine": .count(line)] : nil,
            ]),
            "logicalLocations": operation.map { [["fullyQualifiedName": .string($0), "kind": "function"]] },
        ])
    }

    /// The vendor's contract in `vendor.operation`, as a whole; nil where the name is none of those.
    private static func location(of operation: String) -> JSON? {
        vendor(of: operation).map { contract(of: $0, operation) }
    }

    /// The vendor's contract as a whole; every vendor has one. The admin API's is there in any case.
    static func contract(of vendor: String?, _ operation: String? = nil) -> JSON {
        Self.location("\(vendor ?? "admin").openapi.yaml", 0, isOfFolder: true, of: operation)
    }

    /// The first part of `vendor.operation`; nil where the name has no parts.
    static func vendor(of operation: String) -> String? {
        let parts = operation.split(separator: ".", maxSplits: 1)
        return parts.count == 2 ? String(parts[0]) : nil
    }
}

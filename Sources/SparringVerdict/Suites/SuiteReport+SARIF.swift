package import SparringJSON
import SparringJournal

extension SuiteReport {
    /// The report as SARIF 2.1.0 (OASIS): a result for each violation of the contract and each rule that was broken or could not be judged, placed where the contract or
    /// the behaviour file says what was asked for.
    package var sarif: JSON {
        let results = contractResults + ruleResults + variations.flatMap { report in report.findings.map { SARIFResult($0, in: report) } }
        let own = reports.filter { !$0.ownFailures.isEmpty }.flatMap { [$0.ownFailures.headline] + $0.ownFailures.lines }
        // An idle run has no results: without a notification it would look clean.
        let failures = own + (idleWords.map { ["\($0): \(Self.idleAdvice)"] } ?? [])
        let rules = results.reduce(into: JSON.Object()) { rules, result in
            if rules[result.rule.id] == nil { rules[result.rule.id] = result.rule.json }
        }
        return [
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [
                .members([
                    "tool": [
                        "driver": .members([
                            "name": "Sparring", "version": .string(version), "rules": .array(Array(rules.values)),
                        ])
                    ],
                    "invocations": [
                        .members([
                            "executionSuccessful": .bool(failures.isEmpty),
                            "toolExecutionNotifications": failures.isEmpty
                                ? nil : .array(failures.map { ["level": "error", "message": ["text": .string($0)]] }),
                            "exitCode": .integer(Int64(exitStatus)),
                            "commandLine": command.isEmpty ? nil : .string(command.joined(separator: " ")),
                            "startTimeUtc": began.map { .string($0.description) }, "endTimeUtc": ended.map { .string($0.description) },
                        ])
                    ],
                    // Without a URI: readers have the folder in a place of their own (§3.14.14).
                    "originalUriBaseIds": [
                        SARIFResult.contracts: ["description": ["text": "The folder of Sparring's contracts and behaviour files."]]
                    ],
                    "results": .array(results.map { $0.json(Array(rules.keys)) }),
                    "columnKind": "unicodeCodePoints",
                ])
            ],
        ]
    }

    /// The sandboxes' findings together: one violation is one result.
    private var contractResults: [SARIFResult] {
        var all: [ContractFinding] = []
        var sandboxes: [String: [String]] = [:]
        for section in sections {
            for row in section.report.contract.rows {
                sandboxes[row.fingerprint, default: []].append(section.testName)
                if let index = all.firstIndex(where: { $0.fingerprint == row.fingerprint }) {
                    all[index].absorb(row)
                } else {
                    all.append(row)
                }
            }
        }
        let gate = reports.contains { $0.contract.gate.fails }
        // A single sandbox says no more than the run, unless it is a test's.
        let areNamed = sections.count > 1 || reports.contains { $0.label != nil }
        return all.map { SARIFResult($0, gate: gate, sandboxes: sandboxes[$0.fingerprint] ?? [], areNamed: areNamed) }
    }

    private var ruleResults: [SARIFResult] {
        sections.flatMap { section in
            (section.report.wanting + section.report.verdicts.filter { $0.result == .advice }).map { SARIFResult($0, in: section) }
        }
    }
}

/// One result of SARIF (§3.27).
private struct SARIFResult {
    /// The name of the folder that URIs of files are relative to.
    static let contracts = "CONTRACTS"

    /// A `reportingDescriptor` (§3.49).
    struct Rule {
        var id: String
        var says: String
        var full: String?

        var json: JSON {
            .members([
                "id": .string(id), "shortDescription": ["text": .string(says)], "fullDescription": full.map { ["text": .string($0)] },
            ])
        }
    }

    let rule: Rule
    private let level: String
    private let words: String
    /// Nil where it is not known.
    private let location: JSON?
    private let fingerprint: String
    private var count = 1
    private var isSuppressed = false
    private let properties: JSON

    /// - Parameter areNamed: the message says in which sandboxes it happened: viewers do not show properties.
    init(_ finding: ContractFinding, gate: Bool, sandboxes: [String], areNamed: Bool) {
        rule = Rule(id: "contract/\(finding.code)", says: "The contract was broken: \(finding.code.replacing("-", with: " ")).")
        level =
            switch finding.weight {
            case .fail: gate ? "error" : "warning"
            case .warn, .own: "warning"
            case .notEmulated, .refused, .known: "note"
            }
        words = finding.words + (areNamed ? " (\(Self.list(sandboxes)))" : "")
        location = finding.basis.map { basis in
            Self.location(
                basis.file ?? basis.document, basis.line, isOfFolder: basis.file == nil,
                of: finding.operation.isEmpty ? nil : finding.operation)
        }
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
        location = verdict.rule.file.map { Self.location($0, verdict.rule.line ?? 0, isOfFolder: true) }
        fingerprint = Finding(verdict.result.rawValue, at: sandbox, "").fingerprint(in: verdict.rule.qualifiedName)
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
        location = nil
        let places = finding.changes.map { "\($0.operation) \($0.place)" }.joined(separator: ", ")
        fingerprint = Finding(finding.family, at: places, "").fingerprint(in: "variation")
        properties = .members([
            "scenario": report.scenario.map { .string($0) }, "seed": .integer(report.seed), "again": finding.again.map { .string($0) },
            "changes": .array(finding.changes.map { .string($0.id) }), "signs": .array(finding.signs.map { .string($0) }),
        ])
    }

    /// `a, b, c and 4 more`
    private static func list(_ names: [String]) -> String {
        names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and \(names.count - 3) more" : "")
    }

    /// - Parameter rules: the ids, in the order of the descriptors.
    func json(_ rules: [String]) -> JSON {
        .members([
            "ruleId": .string(rule.id), "ruleIndex": rules.firstIndex(of: rule.id).map { .count($0) }, "level": .string(level),
            "message": ["text": .string(words)], "locations": .array(location.map { [$0] } ?? []),
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
}

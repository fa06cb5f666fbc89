package import SparringJSON
import SparringJournal

extension SuiteReport {
    /// The report as SARIF 2.1.0 (OASIS): a result for each violation of the contract and each rule that was broken or could not be judged, placed where the contract or
    /// the behaviour file says what was asked for, or else in the vendor's contract as a whole: code scanning refuses files with a result that has no place.
    package var sarif: JSON {
        let results = contractResults + ruleResults + variations.flatMap { report in report.findings.map { SARIFResult($0, in: report) } }
        var rules: [SARIFResult.Rule] = []
        for rule in results.map(\.rule) {
            guard let index = rules.firstIndex(where: { $0.id == rule.id }) else {
                rules.append(rule)
                continue
            }
            if rule.gravity > rules[index].gravity { rules[index] = rule }
        }
        let (ids, failures, contract) = (rules.map(\.id), failureNotifications, SARIFResult.contract(of: firstVendor))
        return [
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [
                .members([
                    "tool": [
                        "driver": .members([
                            "name": "Sparring", "version": .string(version), "rules": .array(rules.map(\.json)),
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
                    "results": .array(results.map { $0.json(ids, elsewhere: contract) }),
                    "columnKind": "unicodeCodePoints",
                ])
            ],
        ]
    }

    /// Failures that have no results: without a notification the run would look clean.
    private var failureNotifications: [String] {
        let own = reports.filter { !$0.ownFailures.isEmpty }.flatMap { [$0.ownFailures.headline] + $0.ownFailures.lines }
        let idle = idleWords.map { ["\($0): \(Self.idleAdvice)"] } ?? []
        let obstacles = variations.filter { $0.obstacle != nil }.map(\.headline)
        let commands = plays.compactMap { play in
            play.failure.map { plays.count > 1 ? "\(play.scenario ?? "no scenario"): \($0)" : $0 }
        }
        return own + commands + idle + [strayWords].compactMap(\.self) + shortfalls + obstacles
    }

    /// The first vendor that the report is about; nil where it is about none.
    private var firstVendor: String? {
        reports.lazy.flatMap(\.contract.rows).compactMap { SARIFResult.vendor(of: $0.operation) }.first
            ?? reports.lazy.flatMap(\.verdicts).first?.rule.vendor
    }

    /// The sandboxes' findings together: one violation is one result. A refusal is no violation, and an alert for it would stay open for good.
    private var contractResults: [SARIFResult] {
        var all: [ContractFinding] = []
        var sandboxes: [String: [String]] = [:]
        for section in sections {
            for row in section.report.contract.rows where row.weight != .refused {
                sandboxes[row.fingerprint, default: []].append(section.testName)
                all.add(row)
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

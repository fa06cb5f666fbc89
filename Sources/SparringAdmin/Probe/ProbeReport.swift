package import SparringContract
package import SparringJSON

/// The result of a probe.
package struct ProbeReport: Sendable {
    /// A step that was not played.
    package struct Left: Sendable, Hashable {
        package let what: String
        package let reason: String
    }

    /// Calls and messages that were sent to the vendor.
    package internal(set) var count = 0
    /// Sorted by operation, the gravest first; one for each place.
    package private(set) var findings: [ProbeFinding] = []
    package internal(set) var left: [Left] = []
    /// Places that differ between the vendor's own answers, by operation.
    package private(set) var noise: [String: Set<String>] = [:]
    /// Corrections that the vendor's answers speak for; nil: nobody wanted to learn from them.
    package internal(set) var proposals: Proposals?
    /// How often an operation's answers were compared.
    private var checked: [String: Int] = [:]
    private var found: [[String?]: ProbeFinding] = [:]

    mutating func note(unchecked operation: String, _ reason: String) {
        let finding = ProbeFinding(meaning: .unchecked, operation: operation, words: reason)
        found[finding.key] = finding
    }

    mutating func take(_ comparison: ProbeComparison) {
        checked.merge(comparison.checked) { $0 + $1 }
        noise.merge(comparison.noise) { $0.union($1) }
        found.merge(comparison.findings) { first, _ in first }
    }

    mutating func finish() {
        // What a script could not see, another may have seen.
        let differing = Set(found.values.map(\.operation))
        for operation in checked.keys where !differing.contains(operation) {
            let finding = ProbeFinding(meaning: .faithful, operation: operation)
            found[finding.key] = finding
        }
        func rank(_ finding: ProbeFinding) -> (String, Int, String, String) {
            let order: [ProbeFinding.Meaning] = [.sparringWrong, .vendorAhead, .contractWrong, .unchecked, .faithful]
            return (finding.operation, order.firstIndex(of: finding.meaning) ?? 0, finding.place ?? "", finding.words ?? "")
        }
        findings = found.values.sorted { rank($0) < rank($1) }
    }

    /// An operation, held against the vendor.
    package struct Row: Sendable {
        package let operation: String
        /// The contract and Sparring, each in words: `as the vendor`, `differs`, or a dash.
        package let contract, sparring: String
        package let meanings: String
    }

    /// One for each operation.
    package var rows: [Row] {
        var rows: [Row] = []
        for finding in findings where rows.last?.operation != finding.operation {
            let meanings = findings.filter { $0.operation == finding.operation }.map(\.meaning)
            func word(_ differing: [ProbeFinding.Meaning]) -> String {
                if meanings.contains(where: differing.contains) { return "differs" }
                return meanings.contains(.unchecked) ? "-" : "as the vendor"
            }
            let distinct = ProbeFinding.Meaning.allCases.filter(meanings.contains).map(\.words)
            rows.append(
                Row(
                    operation: finding.operation, contract: word([.vendorAhead, .contractWrong]),
                    sparring: word([.vendorAhead, .sparringWrong]), meanings: distinct.joined(separator: ", ")))
        }
        return rows
    }

    /// A sighting of each operation that could be checked, for the file that keeps it.
    ///
    /// - Parameters:
    ///   - time: of the probe.
    ///   - hosts: that were called.
    package func sights(at time: String, of hosts: [String]) -> [(operation: String, sight: LiveFidelity.Sight)] {
        rows.filter { $0.contract != "-" && $0.sparring != "-" }.map { row in
            let differences = findings.filter { $0.operation == row.operation && $0.words != nil && $0.meaning != .unchecked }
            return (
                row.operation,
                LiveFidelity.Sight(
                    time: time, hosts: hosts, contract: row.contract != "differs", sparring: row.sparring != "differs",
                    differences: differences.map { "\($0.meaning.words): \($0.place ?? "all of it"): \($0.words ?? "")" },
                    noise: (noise[row.operation] ?? []).sorted())
            )
        }
    }

    /// 1: something differs; 2: something could not be checked, or nothing was; otherwise 0.
    package var exitStatus: Int32 {
        if findings.contains(where: { ![.faithful, .unchecked].contains($0.meaning) }) { return 1 }
        return findings.contains { $0.meaning == .unchecked } || findings.isEmpty ? 2 : 0
    }

    package var json: JSON {
        [
            "calls": .integer(Int64(count)), "findings": .array(findings.map(\.json)),
            "left": .array(left.map { ["what": .string($0.what), "reason": .string($0.reason)] }),
            "noise": .object(
                JSON.Object(
                    uniqueKeysWithValues: noise.sorted { $0.key < $1.key }.map { ($0.key, .array($0.value.sorted().map { .string($0) })) })),
        ]
    }
}

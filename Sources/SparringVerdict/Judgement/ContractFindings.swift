import SparringContract
import SparringJSON
package import SparringJournal

/// Violations of the contract in a run, and which of them count: a row for each kind of violation at each place of an operation.
public struct ContractFindings: Sendable {
    /// The violations that fail a run.
    public enum Gate: String, Sendable, CaseIterable {
        /// Missing and mistyped members, and misspelt calls and messages, where the contract rests on the vendor's own words (`x-fidelity: verified`).
        case verified
        /// The same where it follows from them, too.
        case inferred
        /// The same for every operation.
        case assumed
        /// Whatever the contract does not have, undeclared members and unknown calls and messages included.
        case all
        /// None.
        case warn
        /// None; the report leaves them out.
        case off

        /// Something fails a run.
        var fails: Bool { self != .warn && self != .off }

        /// Whether missing and mistyped members of an operation do.
        func counts(_ fidelity: Fidelity) -> Bool {
            switch self {
            case .verified: fidelity == .verified
            case .inferred: fidelity != .assumed
            case .assumed, .all: true
            case .warn, .off: false
            }
        }
    }

    public enum Weight: String, Sendable, CaseIterable {
        case fail, warn
        /// Sparring does not emulate it: no fault of the client's.
        case notEmulated = "not-emulated"
        /// The vendor refused a request on a socket, and no fault forced it. It breaks no contract; but a client whose every request is refused should not pass unseen.
        case refused
        /// Sparring's own answer broke the contract: no fault of the client's.
        case own
        /// It is in the baseline.
        case known
    }

    public var gate: Gate
    /// The first of each weight, in the journal's order.
    public private(set) var rows: [ContractFinding] = []
    /// Occurrences.
    public private(set) var counts: [Weight: Int] = [:]
    /// The violations that were found before and are to fail nothing.
    private let baseline: FindingBaseline
    /// The indices in ``rows``, by fingerprint.
    private var places: [String: Int] = [:]
    private var rowsOfWeight: [Weight: Int] = [:]
    /// The fingerprints of broken rules that the baseline has.
    private var knownRules: Set<String> = []
    /// The placeholders for credentials in the whole report.
    package var redaction = Redaction()

    /// Rows of each weight that are kept; more are only counted.
    static let mostRows = 200

    package init(gate: Gate = .verified, known baseline: FindingBaseline = FindingBaseline()) {
        self.gate = gate
        self.baseline = baseline
    }

    /// The findings of a report that is read back.
    init(gate: Gate, rows: [ContractFinding], counts: [Weight: Int], resolved: [FindingBaseline.Known]) {
        (self.gate, self.rows, self.counts) = (gate, rows, counts)
        baseline = FindingBaseline(resolved)
    }

    public var count: Int { counts.values.reduce(0, +) }
    public func count(_ weight: Weight) -> Int { counts[weight] ?? 0 }
    public func rows(_ weight: Weight) -> [ContractFinding] { rows.filter { $0.weight == weight } }

    /// Some findings may only have been counted.
    var isCut: Bool { Weight.allCases.contains { rows($0).count >= Self.mostRows } }

    /// The run fails for it.
    public var isBroken: Bool { gate.fails && count(.fail) > 0 }

    /// The entries of the baseline that did not happen in this run.
    package var resolved: [FindingBaseline.Known] {
        let seen = knownRules.union(rows.map(\.fingerprint))
        return baseline.all.filter { !$0.isImplied && !seen.contains($0.fingerprint) }
    }

    /// One more occurrence.
    package mutating func add(_ finding: ContractFinding) {
        guard gate != .off else { return }
        counts[finding.weight, default: 0] += finding.count
        if let place = places[finding.fingerprint] { return rows[place].absorb(finding) }
        guard rowsOfWeight[finding.weight, default: 0] < Self.mostRows else { return }
        rowsOfWeight[finding.weight, default: 0] += 1
        places[finding.fingerprint] = rows.count
        rows.append(finding)
    }

    /// Counts the findings of an entry, each with its weight.
    mutating func take(_ event: Event, _ fidelities: [String: Fidelity]) {
        guard gate != .off else { return }
        if let refusal = Self.refusal(event) {
            add(
                ContractFinding(
                    refusal.shown(of: event, &redaction), .refused, operation: event.operation, entry: event.number, lane: event.lane))
        }
        guard event.hasFindings else { return }
        for finding in event.findings {
            guard let weight = weight(finding, event, fidelities[finding.meant ?? event.operation] ?? .assumed) else { continue }
            let row = ContractFinding(
                finding.shown(of: event, &redaction), weight, operation: event.operation, entry: event.number, lane: event.lane)
            add(weighed(row))
        }
    }

    /// The row, marked as known where it is in the baseline.
    func weighed(_ row: ContractFinding) -> ContractFinding {
        var row = row
        if row.weight != .own, baseline.has(row.fingerprint) { row.weight = .known }
        return row
    }

    /// Whether the baseline has a rule that was broken.
    mutating func knows(_ rule: RuleSummary) -> Bool {
        let fingerprint = rule.finding.fingerprint(in: "")
        guard baseline.has(fingerprint) else { return false }
        knownRules.insert(fingerprint)
        return true
    }

    private static func refusal(_ event: Event) -> Finding? {
        // A finding says it already.
        guard event.kind == .call, event.socket != nil, !event.isStruck, !event.hasFindings,
            event.outcome?.failureClass == AnswerOutcome.refused.rawValue,
            event.record.object("request")?.string("method") == "MESSAGE", let name = event.outcome?.name
        else { return nil }
        let cause = event.record.string("cause").map { ": " + $0 } ?? ""
        return Finding(name, at: "answer", name + cause)
    }

    private static let grave: Set = [Violation.Kind.missing, .type, .syntax].reduce(into: Set<String>()) { $0.insert($1.rawValue) }

    /// Nil: it is none of the client's doing, nor of the contract.
    private func weight(_ finding: Finding, _ event: Event, _ fidelity: Fidelity) -> Weight? {
        if event.kind == .other, event.causeCode == Cause.failed { return finding.basis == nil ? nil : .own }
        switch finding.code {
        case Finding.notEmulated: return .notEmulated
        case Finding.unplaced, Cause.misunderstood: return gate == .all ? .fail : .notEmulated
        case Finding.misspelt: return gate.counts(fidelity) ? .fail : .notEmulated
        case Cause.failed: return nil
        case let code where code.hasPrefix(Finding.replayed): return .fail
        case let code where Self.grave.contains(code): return gate.counts(fidelity) || !gate.fails && fidelity == .verified ? .fail : .warn
        default: return event.kind == .other ? nil : gate == .all ? .fail : .warn
        }
    }
}

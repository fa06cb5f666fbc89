import SparringContract
import SparringJSON
import SparringJournal

/// Where the client broke the contract, and what of it counts.
public struct ContractFindings: Sendable {
    /// What a broken contract does to the verdict.
    public enum Gate: String, Sendable, CaseIterable {
        /// Missing and mistyped members fail the run where the contract rests on the vendor's own words (`x-fidelity: verified`); everything else warns.
        case fail
        /// Nothing fails the run.
        case warn
        /// The report leaves it out.
        case off
    }

    public enum Weight: String, Sendable, CaseIterable {
        case fail, warn
        /// Sparring does not emulate it: no fault of the client's.
        case notEmulated = "not-emulated"
    }

    public struct Item: Sendable {
        public var weight: Weight
        public var evidence: Verdict.Evidence

        public init(_ weight: Weight, _ evidence: Verdict.Evidence) { (self.weight, self.evidence) = (weight, evidence) }
    }

    public var gate: Gate
    /// The first of each weight, in the journal's order.
    public private(set) var items: [Item] = []
    public private(set) var counts: [Weight: Int] = [:]

    public init(gate: Gate = .fail) { self.gate = gate }

    /// Of a report that is read back.
    init(gate: Gate, items: [Item], counts: [Weight: Int]) { (self.gate, self.items, self.counts) = (gate, items, counts) }

    public var count: Int { counts.values.reduce(0, +) }
    public func count(_ weight: Weight) -> Int { counts[weight] ?? 0 }
    public func items(_ weight: Weight) -> [Item] { items.filter { $0.weight == weight } }

    /// The run fails for it.
    public var isBroken: Bool { gate == .fail && count(.fail) > 0 }

    public mutating func add(_ item: Item) {
        guard gate != .off else { return }
        counts[item.weight, default: 0] += 1
        if count(item.weight) <= Judgement.limit { items.append(item) }
    }

    /// What an entry's findings amount to.
    mutating func take(_ event: Event, _ fidelities: [String: Fidelity]) {
        guard event.hasFindings else { return }
        for finding in event.findings {
            guard let weight = Self.weight(finding, event.kind, fidelities[event.operation] ?? .assumed) else { continue }
            add(Item(weight, Verdict.Evidence(event.number, (event.operation.isEmpty ? "" : event.operation + ": ") + finding.words)))
        }
    }

    private static let grave: Set = [Violation.Kind.missing, .type, .syntax].reduce(into: Set<String>()) { $0.insert($1.rawValue) }

    /// Nil: it is none of the client's doing.
    private static func weight(_ finding: Finding, _ kind: Event.Kind, _ fidelity: Fidelity) -> Weight? {
        switch finding.code {
        case Finding.notEmulated, Finding.unplaced, Cause.misunderstood: .notEmulated
        case Cause.failed: nil
        case let code where grave.contains(code): fidelity == .verified ? .fail : .warn
        default: kind == .call || kind == .mark ? .warn : nil
        }
    }
}

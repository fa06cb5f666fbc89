public import SparringJSON
package import SparringJournal

/// One way in which an operation's contract was broken, however often.
public struct ContractFinding: Sendable {
    public var weight: ContractFindings.Weight
    /// The same in every run: ``Finding/fingerprint(in:)``.
    public var fingerprint: String
    /// For programs, such as `missing`.
    public var code: String
    /// Empty where the call fits none.
    public var operation: String
    /// The place in the message, such as `body:/items/*/id`.
    public var place: String?
    /// The description of the first occurrence.
    public var words: String
    public var count = 1
    /// The lanes that did it: the first ``mostLanes``.
    public var lanes: [String] = []
    /// Entries of the journal; nil where none is known.
    public var first, last: Int?
    package var basis: Finding.Basis?
    /// Actions of an overlay that would allow it.
    public var actions: [JSON] = []
    /// The command with which a sandbox would answer the call.
    public var stub: String?

    static let mostLanes = 5

    package init(
        _ weight: ContractFindings.Weight, fingerprint: String, code: String, operation: String, place: String? = nil, words: String,
        first: Int? = nil
    ) {
        (self.weight, self.fingerprint, self.code, self.operation) = (weight, fingerprint, code, operation)
        (self.place, self.words, self.first, last) = (place, words, first, first)
    }

    init(_ finding: Finding, _ weight: ContractFindings.Weight, operation: String, entry: Int, lane: String) {
        self.init(
            weight, fingerprint: finding.fingerprint(in: operation), code: finding.code, operation: operation,
            place: finding.member ?? finding.place, words: (operation.isEmpty ? "" : operation + ": ") + finding.words, first: entry)
        if !lane.isEmpty { lanes = [lane] }
        basis = finding.basis
        (actions, stub) = (finding.actions, finding.stub)
    }

    /// Counts further occurrences.
    mutating func absorb(_ other: ContractFinding) {
        count += other.count
        last = other.last ?? last
        for lane in other.lanes where lanes.count < Self.mostLanes && !lanes.contains(lane) { lanes.append(lane) }
    }

    /// The entries in which it happened: `entry 12`, `entries 12 to 40`.
    var entryWords: String? {
        guard let first else { return nil }
        return last.map { $0 == first ? "entry \(first)" : "entries \(first) to \($0)" } ?? "entry \(first)"
    }

    /// How often and for whom: `3 times, alice, bob`; empty for once.
    var countWords: String {
        count == 1 ? "" : ([count == 2 ? "twice" : "\(count) times"] + lanes).joined(separator: ", ")
    }

    /// The line of a report: where, what, how often, and the contract's line.
    var line: String {
        let notes = [countWords, basis?.text ?? "", fingerprint].filter { !$0.isEmpty }
        return (entryWords.map { $0 + ": " } ?? "") + words + " (" + notes.joined(separator: "; ") + ")"
    }
}

extension ContractFinding {
    /// The overlay that would allow it, as YAML; JSON is YAML, so each action is one line.
    var overlayText: String {
        guard let basis, !actions.isEmpty else { return "" }
        let head = """
            overlay: 1.1.0
            info: { title: What the client sends, version: '1' }
            extends: \(basis.document)
            actions:

            """
        return head + actions.map { "  - \($0.text)\n" }.joined()
    }
}

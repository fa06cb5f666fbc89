import SparringJournal

/// Calls that fit no sandbox.
extension ContractFindings {
    /// A row for such a call, of the weight that the gate and the baseline give it.
    ///
    /// - Parameters:
    ///   - call: its method and path.
    ///   - words: the reason why it fits none.
    package func stray(_ call: String, _ words: String) -> ContractFinding {
        let finding = Finding(Finding.unplaced, ofCall: call, words)
        return weighed(
            ContractFinding(
                gate == .all ? .fail : .notEmulated, fingerprint: finding.fingerprint(in: ""), code: finding.code, operation: "",
                place: finding.member, words: words))
    }
}

extension ContractFinding {
    fileprivate var strayLine: String {
        let known = weight == .known ? ", which is known" : ""
        return (count > 1 ? "\(count) times: " : "") + "a call matched nothing\(known): \(words)"
    }
}

extension [ContractFinding] {
    private static let mostLines = 10

    /// The remarks about calls that fit no sandbox.
    package var strayLines: [String] {
        let rest = dropFirst(Self.mostLines).reduce(0) { $0 + $1.count }
        return prefix(Self.mostLines).map(\.strayLine) + (rest > 0 ? ["\(rest) more calls matched nothing"] : [])
    }

    /// Appends a row, or counts it in the row of its kind.
    package mutating func add(_ row: ContractFinding) {
        guard let index = firstIndex(where: { $0.fingerprint == row.fingerprint }) else { return append(row) }
        self[index].absorb(row)
    }
}

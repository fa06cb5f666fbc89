import SparringAdmin

/// The proposals that somebody accepts.
struct ProposalChoice {
    /// Numbers, ranges, kinds, operations, or `all`.
    let words: [String]

    /// - Throws: ``CommandFailure`` for a word that is none of these.
    func chosen(of all: [Proposal]) throws -> [Proposal] {
        var places: Set<Int> = []
        for word in words.flatMap({ $0.split(separator: ",").map(String.init) }) {
            let found = all.indices.filter { Self.fits(word, all[$0], number: $0 + 1) }
            if found.isEmpty {
                let count = all.count
                throw CommandFailure(
                    text:
                        "--accept '\(word)' matches none of the \(count) proposals: expected a number, a range such as 1-\(max(count, 1)), "
                        + "\(Proposal.Kind.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")), an operation, or 'all'", status: 64
                )
            }
            places.formUnion(found)
        }
        return places.sorted().map { all[$0] }
    }

    private static func fits(_ word: String, _ proposal: Proposal, number: Int) -> Bool {
        if word == "all" || word == proposal.kind.rawValue || word == proposal.operation { return true }
        let ends = word.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        switch ends.count {
        case 1: return ends[0] == number
        case 2: if let first = ends[0], let last = ends[1] { return first <= number && number <= last } else { return false }
        default: return false
        }
    }
}

import SparringJSON

/// A report of verdicts, as a test reads it.
struct Judged: Sendable {
    private let verdicts: [JSON]

    init(_ report: JSON) { verdicts = report["verdicts"]?.array ?? [] }

    var broken: Set<String> { rules("fail") }
    /// Advice that was not followed counts where a habit is on trial.
    var objected: Set<String> { rules("fail").union(rules("advice")) }
    var passed: Set<String> { rules("pass") }
    var unjudged: Set<String> { rules("inconclusive") }
    var expected: Set<String> { Set(verdicts.filter { $0["expected"] == true }.compactMap { $0["rule"]?.string }) }

    private func rules(_ result: String) -> Set<String> {
        Set(verdicts.filter { $0["result"]?.string == result }.compactMap { $0["rule"]?.string })
    }

    /// Rules with what is said of them and the entries that tell, for the failure of a test.
    func words(_ rules: some Collection<String>) -> String {
        verdicts.filter { rules.contains($0["rule"]?.string ?? "") }.map { verdict in
            let evidence = (verdict["evidence"]?.array ?? []).prefix(6).map { piece in
                "\n      \(piece["entry"]?.integer.map { "entry \($0): " } ?? "")\(piece["words"]?.string ?? "")"
            }
            return "\n   \(verdict["rule"]?.string ?? "") is \(verdict["result"]?.string ?? ""): \(verdict["summary"]?.string ?? "")"
                + evidence.joined()
        }.joined()
    }
}

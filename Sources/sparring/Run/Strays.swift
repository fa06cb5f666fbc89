import SparringJSON
import SparringJournal
import SparringVerdict

/// Calls and connections during a play that fit no sandbox or no operation.
struct Strays {
    /// Nothing came that fits none.
    let isEmpty: Bool
    /// The calls, but for those that are among the findings of the sandbox whose tenant their path names.
    private(set) var calls: [ContractFinding] = []
    /// Connections without a request, in words.
    private(set) var connections: [(words: String, count: Int)] = []

    /// - Parameters:
    ///   - entries: the list of the server, oldest first.
    ///   - contract: findings of the run, which have its gate and its baseline.
    init(_ entries: [JSON], by contract: ContractFindings) {
        isEmpty = entries.isEmpty
        for entry in entries where entry["sandbox"] == nil {
            let reason = entry["reason"]?.string ?? ""
            if let method = entry["method"]?.string {
                calls.add(Self.row(method, entry["target"]?.string ?? "", reason, entry, contract))
            } else if let index = connections.firstIndex(where: { $0.words == reason }) {
                connections[index].count += 1
            } else {
                connections.append((reason, 1))
            }
        }
    }

    private static let mostConnections = 10

    var notes: [String] {
        let rest = connections.dropFirst(Self.mostConnections).reduce(0) { $0 + $1.count }
        return calls.strayLines
            + connections.prefix(Self.mostConnections).map { $0.count == 1 ? $0.words : "\($0.count) times: \($0.words)" }
            + (rest > 0 ? ["\(rest) more connections brought no request"] : [])
    }

    private static func row(_ method: String, _ target: String, _ reason: String, _ entry: JSON, _ contract: ContractFindings)
        -> ContractFinding
    {
        // Reports are shown to others, and a credential may be in the query.
        var redaction = Redaction(.plain)
        let path = String(target.prefix { $0 != "?" })
        let shown = redaction.target(path)
        // The reason quotes the path, without the query.
        let why = redaction.text(path.isEmpty ? reason : reason.replacing(path, with: shown))
        let words = reason.contains(target) ? why : "\(method) \(redaction.target(target)): \(why)"
        let nearest = entry["nearest"]?.array?.first?.string.map { "; nearest: \($0)" } ?? ""
        return contract.stray("\(method) \(shown)", words + nearest)
    }
}

/// A query parameter that an operation's call must have (`x-query`).
struct QueryDemand: Sendable {
    let name: String
    /// Nil: any.
    let value: String?

    /// - Parameter query: decoded. The first parameter of a name counts.
    func isMet(by query: [(name: String, value: String)]) -> Bool {
        guard let given = query.first(where: { $0.name == name }) else { return false }
        return value == nil || given.value == value
    }

    /// Whether one query can meet both.
    func isMet(with other: QueryDemand) -> Bool { name != other.name || value == nil || other.value == nil || value == other.value }

    var words: String { "\(name)=\(value ?? "…")" }
}

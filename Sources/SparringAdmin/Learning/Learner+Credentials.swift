import SparringJSON
import SparringJournal

/// Proposals are shown to others.
extension Learner {
    /// A value without credentials. What is short and called a code is an error's.
    mutating func redacted(_ value: JSON, named name: String) -> JSON {
        switch value {
        case .object(let members): return .object(members.reduce(into: [:]) { $0[$1.key] = redacted($1.value, named: $1.key) })
        case .array(let items): return .array(items.map { redacted($0, named: name) })
        case .string(let text) where name.lowercased().hasSuffix("code") && text.count <= Difference.longestCode: return value
        default:
            let name = name.isEmpty ? "value" : name
            return redaction.document(["body": [name: value]])["body"]?[name] ?? value
        }
    }
}

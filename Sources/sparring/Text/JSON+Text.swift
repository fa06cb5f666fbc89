import SparringJSON

extension JSON {
    /// A string as it is, any other value as JSON.
    var plain: String { string ?? text }

    /// A member in plain text.
    func plain(_ member: String, or missing: String = "") -> String { self[member]?.plain ?? missing }

    /// Several members in plain text, empty where they are missing.
    func cells(_ members: String...) -> [String] { members.map { plain($0) } }

    /// A string, or a list of strings in one; nil for all else.
    func strings(joinedBy separator: String) -> String? {
        guard let list = array else { return string }
        return list.allSatisfy { $0.string != nil } ? list.compactMap(\.string).joined(separator: separator) : nil
    }

    /// The strings of a member that is a list.
    func texts(_ member: String) -> [String] { self[member]?.array?.compactMap(\.string) ?? [] }
}

import SparringJSON

extension JSON {
    /// A string as it is, any other value as JSON.
    var plain: String { string ?? text }

    /// A member in plain text.
    func plain(_ member: String, or missing: String = "") -> String { self[member]?.plain ?? missing }

    /// Several members in plain text, empty where they are missing.
    func cells(_ members: String...) -> [String] { members.map { plain($0) } }

    /// The strings of a member that is a list.
    func texts(_ member: String) -> [String] { self[member]?.array?.compactMap(\.string) ?? [] }
}

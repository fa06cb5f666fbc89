/// A document that rules rest on.
public struct Source: Sendable {
    /// As the rules' sources begin: `LivePerson reference`.
    public var name: String
    /// What it is, and how its parts are numbered.
    public var says: String
    public var url: String?
}

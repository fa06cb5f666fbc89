/// A document that rules rest on.
package struct Source: Sendable {
    /// As the rules' sources begin: `LivePerson reference`.
    package var name: String
    /// What it is, and how its parts are numbered.
    package var says: String
    package var url: String?
}

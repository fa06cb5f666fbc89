/// A document that rules rest on.
package struct Source: Sendable {
    /// The name with which the rules' sources begin: `LivePerson reference`.
    package var name: String
    /// The description of the document and of the numbering of its parts.
    package var says: String
    package var url: String?
}

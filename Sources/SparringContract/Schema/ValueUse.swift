/// A client's need for a value of the vendor's (`x-use`).
package enum ValueUse: String, Sendable, CaseIterable {
    /// It cannot go on without it: a state, a flag, the next address.
    case steers
    /// It keeps it and sends it back, and looks at nothing in it: an id, a token, a cursor.
    case opaque
    /// It shows it to people.
    case shown
}

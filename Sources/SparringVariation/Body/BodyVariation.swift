package import SparringContract
package import SparringJSON

/// The changes of a JSON body on its way out. Each is decided by the body as it was: so each can be left out, and the others stay.
package struct BodyVariation {
    let subject: VariationSubject
    /// For each authority that addresses in the body may have, another one by which the server is reached.
    let hosts: [String: String]
    package private(set) var changes: [VariedPlace] = []

    package init(_ subject: VariationSubject, hosts: [String: String]) { (self.subject, self.hosts) = (subject, hosts) }

    /// The body as it goes out.
    package mutating func varied(_ body: JSON, by view: SchemaView) -> JSON { varied(body, view, "") }

    /// - Parameter place: a JSON Pointer.
    mutating func varied(_ value: JSON, _ view: SchemaView, _ place: String) -> JSON {
        switch value {
        case .object(let members): return varied(members, view, place)
        case .array(let items): return varied(items, view, place)
        case .string(let text): return varied(text, view, place).map { .string($0) } ?? value
        case .integer(let number): return varied(number, view, place) ?? value
        case .null: return pick(.empty, place, of: 1, "null → \"\"") == nil ? value : ""
        case .bool, .number: return value
        }
    }

    /// A change that is made, if it is; `words` says what it is.
    mutating func pick(_ family: VariationFamily, _ place: String, of choices: Int, _ words: @autoclosure () -> String) -> VariationPick? {
        guard let pick = subject.pick(family, place, of: choices) else { return nil }
        note(pick, at: place, words())
        return pick
    }

    mutating func note(_ pick: VariationPick, at place: String, _ words: String) {
        changes.append(VariedPlace(pick.id, at: place, words))
    }

    static func place(_ place: String, _ name: String) -> String { place + JSONPointer(tokens: [name]).description }
}

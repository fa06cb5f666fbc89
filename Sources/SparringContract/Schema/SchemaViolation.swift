public import SparringJSON

/// One way in which a value breaks its schema.
public struct SchemaViolation: Sendable, Equatable {
    public var pointer: JSONPointer
    /// The same for all values of its kind: `*` in the place of an item's number, and of a name that the schema leaves to the sender.
    public var member: JSONPointer
    public var kind: Violation.Kind
    public var message: String
    /// Whether the value was probably meant to fit this schema, as a misspelt member suggests.
    var isLikely = false
    /// The place in the library of the schema that it breaks.
    var schema: Int
    /// The change at that place that would allow the value.
    var remedy: Remedy?
}

extension Violation {
    /// In a body.
    init(inBody violation: SchemaViolation, of schema: Schema) {
        self.init(
            part: .body, kind: violation.kind, pointer: violation.pointer.description, starred: violation.member.description,
            message: violation.message, basis: schema.basis(of: violation), actions: schema.actions(for: violation))
    }
}

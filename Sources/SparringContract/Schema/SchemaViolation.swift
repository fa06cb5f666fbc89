public import SparringJSON

/// One way in which a value breaks its schema.
public struct SchemaViolation: Sendable, Equatable {
    public var pointer: JSONPointer
    /// The same for all values of its kind: `*` in the place of an item's number, and of a name that the schema leaves to the sender.
    public var member: JSONPointer
    public var kind: Violation.Kind
    public var message: String
    /// What was sent hints at what was meant: the value was probably to fit this schema.
    var isLikely = false
    /// The place in the library of the schema that it breaks.
    var schema: Int
    /// What would have to change there.
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

public import SparringJSON

/// One way in which a value breaks its schema.
public struct SchemaViolation: Sendable, Equatable {
    public var pointer: JSONPointer
    public var kind: Violation.Kind
    public var message: String
    /// What was sent hints at what was meant: the value was probably to fit this schema.
    var isLikely = false
}

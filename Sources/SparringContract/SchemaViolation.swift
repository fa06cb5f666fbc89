public import SparringJSON

/// One way in which a value is not as its schema says.
public struct SchemaViolation: Sendable, Equatable {
    public var pointer: JSONPointer
    public var kind: Violation.Kind
    public var message: String
}

/// A setting that cannot be used, and where in what was given it stands.
public struct ConfigurationError: Error, Sendable, Equatable, CustomStringConvertible {
    public var pointer: JSONPointer
    public var message: String

    public init(_ pointer: JSONPointer, _ message: String) {
        self.pointer = pointer
        self.message = message
    }

    public var description: String { pointer.tokens.isEmpty ? message : "\(pointer): \(message)" }
}

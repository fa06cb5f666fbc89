/// A setting that cannot be used, and where in what was given it stands.
public struct ConfigurationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Code points of the longest message, and of the longest name in a pointer: either may quote what was given.
    private static let longest = (message: 2000, name: 200)

    public var pointer: JSONPointer
    public var message: String
    /// The name of the member that the value at ``pointer`` lacks; nil: something else is wrong with it.
    public var missing: String?

    public init(_ pointer: JSONPointer, _ message: String, missing: String? = nil) {
        self.missing = missing
        self.pointer = JSONPointer(tokens: pointer.tokens.map { $0.abbreviated(to: Self.longest.name) })
        self.message = message.abbreviated(to: Self.longest.message)
    }

    /// The same error, seen from what has the value at a place.
    public func inside(_ place: JSONPointer) -> ConfigurationError {
        ConfigurationError(JSONPointer(tokens: place.tokens + pointer.tokens), message, missing: missing)
    }

    public var description: String { pointer.tokens.isEmpty ? message : "\(pointer.words): \(message)" }
}

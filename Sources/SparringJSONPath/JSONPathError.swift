/// Why a text is no JSONPath query, and where.
public struct JSONPathError: Error, Sendable, Equatable, CustomStringConvertible {
    /// In Unicode scalars, from 1.
    public var position: Int
    public var message: String

    public var description: String { "character \(position): \(message)" }
}

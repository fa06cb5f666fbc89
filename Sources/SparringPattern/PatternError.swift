/// The reason why a regular expression is refused, and the place in it.
public struct PatternError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Whether ECMA-262 does not know it either; otherwise it cannot be matched in linear time, or is above one of ``PatternLimits``.
    public let isMalformed: Bool
    /// The part that is refused, as it stands in the expression; empty at its end.
    public let part: String
    /// The position at which the part begins, in Unicode scalars, counted from 1.
    public let position: Int
    public let reason: String

    /// "'(?=' at character 5: look-ahead cannot be matched in linear time".
    public var description: String { "\(part.isEmpty ? "" : "'\(part)' ")at character \(position): \(reason)" }
}

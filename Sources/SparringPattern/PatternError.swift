/// What is wrong with a regular expression, and where.
public struct PatternError: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Kind: Sendable {
        /// ECMA-262 does not know it either.
        case malformed
        /// ECMA-262 knows it; it is not matched here.
        case unsupported
        /// Above one of ``PatternLimits``.
        case tooLarge
    }

    public let kind: Kind
    /// What is refused, as it stands in the expression; empty at its end.
    public let part: String
    /// Where that begins, in Unicode scalars, counted from 1.
    public let position: Int
    public let reason: String

    /// "'(?=' at character 5: look-ahead cannot be matched in linear time".
    public var description: String { "\(part.isEmpty ? "" : "'\(part)' ")at character \(position): \(reason)" }
}

/// Why a text is not JSON, and where.
public struct JSONSyntaxError: Error, Sendable, Equatable, CustomStringConvertible {
    public var reason: String
    /// From 1.
    public var line: Int
    /// In bytes, from 1.
    public var column: Int

    public var description: String { "not JSON: \(reason) at line \(line), column \(column)" }
}

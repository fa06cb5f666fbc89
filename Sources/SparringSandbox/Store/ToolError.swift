/// The tool itself failed: it cannot bind, a file is bad, SQLite has a problem.
public struct ToolError: Error, Sendable, CustomStringConvertible {
    public var description: String
    public init(_ description: String) { self.description = description }
}

/// An error that says why the tool cannot do something, with the file or the value that is wrong.
public struct ToolError: Error, Sendable, CustomStringConvertible {
    /// The sort of mistake, which decides the exit status of a command.
    public enum Kind: Sendable {
        case other
        /// A word of the command line is wrong.
        case usage
        /// A file's content is wrong.
        case content
        /// A file is missing, or cannot be read.
        case unreadable
        /// Something is in use by another process.
        case unavailable
        /// A file cannot be created or written.
        case unwritable
    }

    public var description: String
    public var kind: Kind

    public init(_ description: String, _ kind: Kind = .other) { (self.description, self.kind) = (description, kind) }
}

public import SparringJSON

/// A tool for AI assistants that is a call of an operation of the admin API, declared at the operation (`x-tool`).
public struct DeclaredTool: Sendable {
    public let name: String
    public let title: String
    /// For the model: what it does, and when to use it.
    public let description: String
    public let isReadOnly: Bool
    /// The JSON Schema of its arguments, an object's, which refers to nothing outside itself.
    public let input: JSON
    /// The same schema, to check arguments by.
    public let schema: Schema
    /// Names of the arguments that the operation does not have: the program itself knows what to do with them.
    public let own: Set<String>
}

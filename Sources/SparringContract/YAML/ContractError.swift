/// Why a contract cannot be used, and where: `contracts/x.openapi.yaml:12:7: operationId 'Foo' does not match [a-z][A-Za-z0-9]*`.
/// Editors and CI systems turn that form into a link.
public struct ContractError: Error, Sendable, Equatable, CustomStringConvertible {
    public var file: String
    /// From 1; 0 where the error is about the file as a whole.
    public var line: Int
    /// From 1, in Unicode scalars; 0 where only the line is known.
    public var column: Int
    public var message: String
    /// The file is missing, or cannot be read.
    public var isUnreadable: Bool

    public init(file: String, line: Int = 0, column: Int = 0, message: String, isUnreadable: Bool = false) {
        self.isUnreadable = isUnreadable
        self.file = file
        self.line = line
        self.column = column
        self.message = message
    }

    public var description: String {
        if line == 0 {
            "\(file): \(message)"
        } else if column == 0 {
            "\(file):\(line): \(message)"
        } else {
            "\(file):\(line):\(column): \(message)"
        }
    }
}

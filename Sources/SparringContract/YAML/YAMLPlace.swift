/// A place in a YAML file.
struct YAMLPlace: Sendable, Hashable {
    var file: String
    /// From 1; 0 in a value that was never text.
    var line = 0
    /// From 1.
    var column = 0

    func error(_ message: String) -> ContractError { ContractError(file: file, line: line, column: column, message: message) }
}

public import Foundation
public import SparringJSON

/// Any YAML file as JSON, that still knows where each value stands: for configuration and scenarios, whose errors name a line too.
public struct YAMLDocument: Sendable {
    public let file: String
    public let json: JSON
    private let root: YAMLNode

    /// - Throws: ``ContractError`` with the line where the text is not YAML or has no form in JSON.
    public init(parsing text: String, file: String) throws(ContractError) {
        self.file = file
        root = try YAMLNode(parsing: text, file: file)
        json = try root.json()
    }

    /// Reads the content of a file.
    ///
    /// - Parameter checked: files that need not be parsed again.
    public init(_ content: Data, file: String, _ checked: CheckedFiles?) throws(ContractError) {
        self.file = file
        if let tree = checked?.tree(of: content, file: file) {
            root = tree
        } else {
            root = try YAMLNode(parsing: try YAMLFile.text(in: content, of: file), file: file)
        }
        json = try root.json()
    }

    /// The line of the value that a pointer names, or of what stands nearest around it; from 1.
    public func line(at pointer: JSONPointer) -> Int { root.nearest(to: pointer).place.line }

    /// An error about the value that a pointer names, or about what stands nearest around it; of a member that is not known, about its name.
    public func error(at pointer: JSONPointer, _ message: String) -> ContractError {
        if let name = pointer.tokens.last, message.contains(Declaration.unknown(name)), let entry = entry(at: pointer) {
            return entry.place.error(message)
        }
        return root.nearest(to: pointer).error(message)
    }

    /// The member that a pointer names.
    private func entry(at pointer: JSONPointer) -> YAMLEntry? {
        let owner = JSONPointer(tokens: Array(pointer.tokens.dropLast()))
        guard let name = pointer.tokens.last, case .mapping(let entries) = root[owner]?.content else { return nil }
        return entries.first { $0.key == name }
    }
}

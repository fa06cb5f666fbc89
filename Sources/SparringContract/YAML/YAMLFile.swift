internal import Foundation

/// A file that is to be parsed.
enum YAMLFile {
    /// - Throws: ``ContractError`` where it cannot be read, or is not UTF-8.
    static func text(of file: String) throws(ContractError) -> String {
        guard let data = FileManager.default.contents(atPath: file) else { throw ContractError(file: file, message: "cannot be read") }
        guard let text = String(validating: data, as: UTF8.self) else { throw ContractError(file: file, message: "is not UTF-8") }
        return text
    }
}

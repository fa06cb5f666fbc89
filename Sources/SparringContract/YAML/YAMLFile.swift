internal import Foundation

/// A file that is to be parsed.
enum YAMLFile {
    /// - Throws: ``ContractError`` where it cannot be read, or is not UTF-8.
    static func text(of file: String) throws(ContractError) -> String { try text(in: try data(of: file), of: file) }

    /// - Throws: ``ContractError`` where it cannot be read.
    static func data(of file: String) throws(ContractError) -> Data {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw ContractError(file: file, message: "cannot be read", isUnreadable: true)
        }
        return data
    }

    /// - Throws: ``ContractError`` where it is not UTF-8.
    static func text(in data: Data, of file: String) throws(ContractError) -> String {
        guard let text = String(validating: data, as: UTF8.self) else { throw ContractError(file: file, message: "is not UTF-8") }
        return text
    }
}

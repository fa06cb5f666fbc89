import Foundation
import SparringAdmin
import SparringSandbox

extension ConfigurationFile {
    /// - Throws: `ToolError` where it cannot be read, `ContractError` with file and line where it is wrong.
    static func read(_ file: String) throws -> ConfigurationFile {
        guard let data = FileManager.default.contents(atPath: file) else { throw ToolError("\(file): cannot be read") }
        return try ConfigurationFile(parsing: String(decoding: data, as: UTF8.self), file: file)
    }
}

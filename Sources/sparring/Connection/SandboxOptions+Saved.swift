import SparringAdmin
import SparringSandbox

extension SandboxOptions {
    /// Reads a saved database. What `run` saved has only one sandbox, so its name is not needed.
    ///
    /// - Parameters:
    ///   - file: the database.
    ///   - body: is given the sandbox's name.
    /// - Throws: a ``CommandFailure`` where the database, or the sandbox in it, is not there.
    func read<Value>(_ file: String, _ body: (SavedDatabase, String) throws -> Value) throws -> Value {
        do {
            let saved = try SavedDatabase(path: file)
            let all = try saved.sandboxes
            return try body(saved, isGiven || all.count != 1 ? name : all[0])
        } catch let error as ToolError {
            throw CommandFailure(text: "\(error)", status: 66)
        }
    }
}

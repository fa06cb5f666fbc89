import Foundation
package import GRDB

/// A database that no server need have open, for reading; a server may be writing it.
package struct SavedStore: Sendable {
    package let path: String
    private let queue: DatabaseQueue
    /// The copy that is read where the file's own folder cannot be written to.
    private let copy: StoreCopy?

    /// - Throws: ``ToolError`` where it is no database of Sparring's, or cannot be read as a whole.
    package init(path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else { throw ToolError("\(path): there is no such file", .unreadable) }
        self.path = path
        copy = try StoreCopy(ifNeededOf: path)
        var configuration = StoreFile.configuration
        // A log that was left behind is read as it lies. Where there is none, only a connection that may write takes its own away again
        // (sqlite.org/wal.html §2.3).
        configuration.readonly = FileManager.default.fileExists(atPath: (copy?.path ?? path) + "-wal")
        if !configuration.readonly { configuration.prepareDatabase { try $0.execute(sql: "PRAGMA query_only = 1") } }
        do {
            queue = try DatabaseQueue(path: copy?.path ?? path, configuration: configuration)
            guard try queue.read({ try $0.tableExists("sandbox") && $0.tableExists("journal") }) else {
                throw ToolError("\(path): is a database, but not one of Sparring's", .content)
            }
        } catch let error as DatabaseError {
            throw Self.named(error, path)
        }
    }

    /// An error of SQLite's with the file that it is about: one that is no database has wrong content, any other cannot be read.
    private static func named(_ error: DatabaseError, _ path: String) -> ToolError {
        let error = StoreError(path: path, cause: error)
        return ToolError("\(error)", error.isForeign ? .content : .unreadable)
    }

    /// The calls and events that the server could not write, by sandbox.
    package var unrecorded: [String: Unrecorded] { UnrecordedCalls.read(beside: path) }

    /// Copies it as it is at this moment.
    func backUp(to copy: DatabaseQueue) throws { try queue.backup(to: copy) }

    /// - Throws: ``ToolError`` with the file's name where it cannot be read.
    package func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do { return try queue.read(body) } catch let error as DatabaseError { throw Self.named(error, path) }
    }
}

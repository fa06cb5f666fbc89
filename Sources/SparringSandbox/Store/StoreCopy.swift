import Foundation
import SparringJSON

/// A private copy of a database in a folder that cannot be written to: to read a database, SQLite makes an index of its log beside it
/// (sqlite.org/wal.html §5). The copy has the log's entries too, just as the last writer left the file.
final class StoreCopy: Sendable {
    let path: String

    /// - Returns: nil where the database can be read in its place.
    /// - Throws: ``ToolError`` where a server is writing it, so that a copy would be torn, or where it cannot be copied.
    init?(ifNeededOf database: String) throws {
        let folder = (database as NSString).deletingLastPathComponent
        guard access(folder.isEmpty ? "." : folder, W_OK) != 0 else { return nil }
        if StoreOwner.isAtWork(on: database) {
            throw ToolError(
                "\(database): is being served, in a folder that cannot be written to; ask the server for the verdict instead", .unavailable)
        }
        let made = try TemporaryFile.reserve()
        path = made
        do {
            for suffix in ["", "-wal"] where suffix.isEmpty || FileManager.default.fileExists(atPath: database + suffix) {
                try? FileManager.default.removeItem(atPath: made + suffix)
                try FileManager.default.copyItem(atPath: database + suffix, toPath: made + suffix)
                chmod(made + suffix, 0o600)
            }
        } catch {
            TemporaryFile.remove(made)
            throw ToolError("\(database): cannot be copied to be read: \(SystemReason(error).text)", .unreadable)
        }
    }

    deinit { TemporaryFile.remove(path) }
}

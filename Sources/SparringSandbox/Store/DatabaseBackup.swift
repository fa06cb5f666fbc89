import Foundation
import GRDB
import SparringJSON

/// A copy of a database, which a server may be writing meanwhile: as it was at one moment, whole and closed (sqlite.org/backup.html).
package struct DatabaseBackup: Sendable {
    /// The size of the copy, in bytes.
    package let size: Int
    package let sandboxes: Int

    /// - Throws: ``ToolError`` where there is no such database, something is there already, or the copy cannot be written; nothing is left then.
    package init(of source: String, to target: String) throws {
        guard FileManager.default.fileExists(atPath: source) else { throw ToolError("\(source): there is no such file", .unreadable) }
        guard !FileManager.default.fileExists(atPath: target) else { throw ToolError("\(target): already exists", .unwritable) }
        // What is not whole has no name that could be mistaken for a copy.
        let part = target + ".part"
        let descriptor = open(part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.unwritable(target, part, errno) }
        close(descriptor)
        do {
            (size, sandboxes) = try Self.copy(source, to: part)
            // Nobody's file is replaced, one that has come meanwhile included.
            guard link(part, target) == 0 else { throw ToolError("\(target): \(String(cString: strerror(errno)))", .unwritable) }
            unlink(part)
            do { try Self.copyUnrecorded(beside: source, to: target) } catch {
                unlink(target)
                throw error
            }
        } catch {
            unlink(part)
            throw error
        }
    }

    private static func unwritable(_ target: String, _ part: String, _ number: Int32) -> ToolError {
        if number == EEXIST { return ToolError("\(part): is there already", .unwritable) }
        let folder = (target as NSString).deletingLastPathComponent
        let reason = number == ENOENT ? "there is no folder '\(folder)'" : String(cString: strerror(number))
        return ToolError("\(target): cannot be written: \(reason)", .unwritable)
    }

    /// Copies the file beside the database that has what the server could not write to it.
    private static func copyUnrecorded(beside source: String, to target: String) throws {
        let file = UnrecordedCalls.path(beside: source)
        guard FileManager.default.fileExists(atPath: file) else { return }
        do { try FileManager.default.copyItem(atPath: file, toPath: UnrecordedCalls.path(beside: target)) } catch {
            throw ToolError("\(target): what the server could not write cannot be copied: \(SystemReason(error).text)", .unwritable)
        }
    }

    /// A server that goes on from the copy must not think that the one before was killed.
    private static func noteStop(_ db: Database) throws {
        let isKnown = try Bool.fetchOne(db, sql: "SELECT count(*) FROM pragma_table_info('process') WHERE name = 'stopped'") ?? false
        if isKnown { try db.execute(sql: "UPDATE process SET stopped = started WHERE stopped IS NULL") }
    }

    private static func copy(_ source: String, to target: String) throws -> (size: Int, sandboxes: Int) {
        let saved = try SavedStore(path: source)
        do {
            var configuration = StoreFile.configuration
            configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            let copy = try DatabaseQueue(path: target, configuration: configuration)
            // In one step, so that it is one moment's, whatever the server writes.
            try saved.backUp(to: copy)
            let found = try copy.writeWithoutTransaction { db in
                // Without a log, the copy is one file.
                try db.execute(sql: "PRAGMA journal_mode = DELETE")
                let wrong = try String.fetchOne(db, sql: "PRAGMA quick_check(1)") ?? ""
                if wrong != "ok" { throw ToolError("\(source): the copy is damaged: \(wrong)", .content) }
                try Self.noteStop(db)
                let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
                return (
                    pages * (try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0),
                    try Int.fetchOne(db, sql: "SELECT count(*) FROM sandbox") ?? 0
                )
            }
            try copy.close()
            return found
        } catch let error as DatabaseError { throw ToolError("\(target): \(error.message ?? "cannot be written")", .unwritable) }
    }
}

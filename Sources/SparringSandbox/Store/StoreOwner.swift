import Foundation
import SparringLocks
import SystemPackage

/// Ensures that one process alone writes a database, under whichever of its names: a lock on the file itself (flock(2)), which the system
/// lifts when the process ends, however it ends. Such locks and those of SQLite (fcntl(2)) do not see each other.
///
/// Closing any descriptor of the file lifts SQLite's locks, all of them: this one stays open for as long as SQLite has the file open, and a file that the
/// process holds is not opened a second time.
final class StoreOwner: Sendable {
    private struct File: Hashable {
        var device: DeviceID
        var inode: Inode

        init(_ status: Stat) { (device, inode) = (status.deviceID, status.inode) }
    }

    private static let held = Mutex<Set<File>>([])

    private let descriptor: Int32
    private let file: File

    /// Creates the file where there is none, readable by its owner alone, as it holds secrets and tokens; SQLite gives the files beside it the same
    /// mode.
    ///
    /// - Throws: ``ToolError`` where another process has the database, with its number, and where the file cannot be written.
    init(of database: String) throws {
        try Self.checkName(database)
        if let type = NetworkFileSystem.type(of: database) {
            throw ToolError(
                "\(database): is on a network's file system (\(type)), on which SQLite's log does not work; use a disk of this machine",
                .unwritable)
        }
        if let status = try? Stat(FilePath(database)), Self.isHeld(File(status)) { throw Self.taken(database, by: getpid()) }
        let descriptor = open(database, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else {
            throw ToolError("\(database): unable to open database file: \(String(cString: strerror(errno)))", .unwritable)
        }
        do {
            let status = try FileDescriptor(rawValue: descriptor).stat()
            guard status.type == .regular else { throw ToolError("\(database): is not an ordinary file", .unwritable) }
            file = File(status)
            if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
                // Some file systems of networks and containers have no such locks.
                if errno != EWOULDBLOCK {
                    throw ToolError("\(database): cannot be locked: \(String(cString: strerror(errno)))", .unwritable)
                }
                throw Self.taken(database, by: SystemLocks.process(holding: UInt64(file.inode.rawValue), .whole, isPatient: true))
            }
            if status.permissions.rawValue & 0o077 != 0, fchmod(descriptor, 0o600) == 0 {
                for suffix in ["-wal", "-shm"] { chmod(database + suffix, 0o600) }
            }
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        _ = Self.held.withLock { $0.insert(file) }
    }

    /// Names that SQLite reads as something else (sqlite.org/inmemorydb.html, uri.html).
    private static func checkName(_ database: String) throws(ToolError) {
        if database == ":memory:" {
            throw ToolError(
                "':memory:' is not a file: without --database, the server keeps everything in a temporary file that it removes", .usage)
        }
        if database.isEmpty { throw ToolError("the database's file has no name", .usage) }
        if database.hasPrefix("file:") {
            throw ToolError("'\(database)' is a URI; --database takes a file's path (./\(database) if that is its name)", .usage)
        }
    }

    private static func taken(_ database: String, by process: Int32?) -> ToolError {
        ToolError("\(database): is in use by another Sparring\(process.map { ", process \($0)" } ?? "")", .unavailable)
    }

    private static func isHeld(_ file: File) -> Bool { held.withLock { $0.contains(file) } }

    /// Whether a process holds the database.
    static func isAtWork(on database: String) -> Bool {
        if let status = try? Stat(FilePath(database)), isHeld(File(status)) { return true }
        let descriptor = open(database, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0
    }

    /// Called once SQLite has closed the file.
    func release() {
        _ = Self.held.withLock { $0.remove(file) }
        close(descriptor)
    }
}

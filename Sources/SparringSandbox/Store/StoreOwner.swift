import Foundation
import SystemPackage

/// That one process alone writes a database: a lock on a file beside it, `FILE-lock`, which the system lifts when the process ends, however it
/// ends. The file itself is removed when the database is closed.
///
/// It is not the database file that is locked: closing any descriptor of that would lift SQLite's own locks (fcntl(2), POSIX record locks).
final class StoreOwner: Sendable {
    private let path: String
    private let descriptor: Int32

    /// - Throws: ``ToolError`` where another process has the database, with its number.
    init(of database: String) throws {
        path = database + "-lock"
        while true {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw ToolError("\(database): unable to open database file: \(String(cString: strerror(errno)))") }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let owner = Self.owner(descriptor)
                close(descriptor)
                throw ToolError("\(database): is served by another Sparring\(owner.map { ", process \($0)" } ?? "")")
            }
            // A process that has just ended may have removed the file that was opened here: then another may lock a new one.
            if Self.isSame(descriptor, path) {
                self.descriptor = descriptor
                break
            }
            close(descriptor)
        }
        ftruncate(descriptor, 0)
        let number = Array("\(getpid())\n".utf8)
        _ = pwrite(descriptor, number, number.count, 0)
    }

    /// Whether a process holds the database.
    static func isAtWork(on database: String) -> Bool {
        let descriptor = open(database + "-lock", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0
    }

    func release() {
        unlink(path)  // before the lock is lifted: a process that has opened this file finds another, or none, by its name
        close(descriptor)
    }

    private static func owner(_ descriptor: Int32) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return count > 0 ? Int32(String(decoding: bytes.prefix(count), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)) : nil
    }

    private static func isSame(_ descriptor: Int32, _ path: String) -> Bool {
        guard let opened = try? FileDescriptor(rawValue: descriptor).stat(), let named = try? Stat(FilePath(path)) else { return false }
        return opened.inode == named.inode && opened.deviceID == named.deviceID
    }
}

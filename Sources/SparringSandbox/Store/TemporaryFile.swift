import Foundation

/// A private place for a database that nobody asked to keep.
enum TemporaryFile {
    /// - Returns: the path of an empty file that only this user can read.
    static func reserve() throws -> String {
        let name = "sparring-" + String(repeating: "X", count: 6)
        var template = Array((NSTemporaryDirectory() as NSString).appendingPathComponent(name).utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else {
            throw ToolError("cannot create a temporary database: \(String(cString: strerror(errno)))", .unwritable)
        }
        close(descriptor)
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Removes the file and what SQLite keeps beside it.
    static func remove(_ path: String) {
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
    }
}

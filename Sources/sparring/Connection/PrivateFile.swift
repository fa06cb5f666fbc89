import Foundation

/// Files that only their owner may read.
enum PrivateFile {
    /// Who waits for the file never sees half of it.
    ///
    /// - Throws: ``CommandFailure``.
    static func write(_ text: String, to path: String) throws {
        let draft = "\(path).\(getpid()).new"
        let descriptor = open(draft, O_CREAT | O_WRONLY | O_TRUNC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw CommandFailure.cannotCreate(path, String(cString: strerror(errno))) }
        defer { unlink(draft) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: Data(text.utf8))
            try file.close()
        } catch {
            throw CommandFailure.cannotCreate(path, Terminal.reason(of: error).text)
        }
        guard rename(draft, path) == 0 else { throw CommandFailure.cannotCreate(path, String(cString: strerror(errno))) }
    }
}

import Foundation
import SystemPackage

/// Files that only their owner may read.
enum PrivateFile {
    /// Removes what an earlier process left under a name that is to be written later.
    ///
    /// - Throws: ``CommandFailure`` where anything but an ordinary file stands there, such as a device, a folder or a link, and where none can be written.
    static func makeWay(for path: String) throws {
        try requireOrdinary(path)
        let (draft, descriptor) = try draft(of: path)
        close(descriptor)
        unlink(draft)
        unlink(path)
    }

    private static func draft(of path: String) throws -> (name: String, descriptor: Int32) {
        let name = "\(path).\(getpid()).new"
        let descriptor = open(name, O_CREAT | O_WRONLY | O_TRUNC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw CommandFailure.cannotCreate(path, code: errno) }
        return (name, descriptor)
    }

    private static func requireOrdinary(_ path: String) throws {
        guard let type = try? Stat(FilePath(path), followTargetSymlink: false).type, type != .regular else { return }
        let kind =
            switch type {
            case .directory: "a folder"
            case .symbolicLink: "a symbolic link"
            case .characterSpecial, .blockSpecial: "a device"
            default: "no ordinary file"
            }
        throw CommandFailure.cannotCreate(path, "it is \(kind), which is not replaced")
    }

    /// A process that waits for the file never sees half of it.
    ///
    /// - Throws: ``CommandFailure``, also where anything but an ordinary file stands there.
    static func write(_ text: String, to path: String) throws {
        try requireOrdinary(path)
        let (draft, descriptor) = try draft(of: path)
        defer { unlink(draft) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try CommandFailure.writing(path) {
            try file.write(contentsOf: Data(text.utf8))
            try file.close()
        }
        guard rename(draft, path) == 0 else { throw CommandFailure.cannotCreate(path, code: errno) }
    }
}

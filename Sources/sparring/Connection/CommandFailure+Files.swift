import Foundation

extension CommandFailure {
    /// Refuses a file that could not be written later, before any work is done for it. The file stays as it is.
    static func requireWritable(_ file: String) throws {
        var isFolder: ObjCBool = false
        let isThere = FileManager.default.fileExists(atPath: file, isDirectory: &isFolder)
        if isFolder.boolValue { throw cannotCreate(file, "it is a folder; name a file in it") }
        let place = isThere ? file : URL(fileURLWithPath: file).deletingLastPathComponent().path
        guard access(place, W_OK) != 0 else { return }
        let (number, folder) = (errno, (file as NSString).deletingLastPathComponent)
        throw cannotCreate(file, number == ENOENT ? "there is no folder '\(folder)'" : String(cString: strerror(number)))
    }
}

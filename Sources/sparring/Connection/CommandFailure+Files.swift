import Foundation
import SparringJSON

extension CommandFailure {
    /// A file that cannot be written.
    static func cannotCreate(_ file: String, _ reason: String) -> CommandFailure {
        CommandFailure(text: "\(file): cannot be written: \(reason)", status: 73)
    }

    /// A file that the system does not let one write.
    ///
    /// - Parameter code: the system's number for the reason (errno(3)).
    static func cannotCreate(_ file: String, code: Int32) -> CommandFailure {
        let folder = (file as NSString).deletingLastPathComponent
        switch code {
        case ENOENT where !folder.isEmpty && !FileManager.default.fileExists(atPath: folder):
            return cannotCreate(file, "there is no folder '\(folder)'")
        case EISDIR: return cannotCreate(file, "it is a folder; name a file in it")
        default: return cannotCreate(file, String(cString: strerror(code)).lowercased())
        }
    }

    /// A file that should be JSON.
    static func notJSON(_ file: String, _ error: JSONSyntaxError) -> CommandFailure {
        CommandFailure(text: "\(file):\(error.line):\(error.column): not JSON: \(error.reason)", status: 65)
    }

    /// Writes a file, and says why where it cannot.
    static func writing(_ file: String, _ write: () throws -> Void) throws {
        do { try write() } catch {
            let reason = Terminal.reason(of: error)
            throw reason.code.map { cannotCreate(file, code: $0) } ?? cannotCreate(file, reason.text)
        }
    }

    /// Refuses a file that could not be written later, before any work is done for it. The file stays as it is.
    static func requireWritable(_ file: String) throws {
        var isFolder: ObjCBool = false
        let isThere = FileManager.default.fileExists(atPath: file, isDirectory: &isFolder)
        if isFolder.boolValue { throw cannotCreate(file, code: EISDIR) }
        let place = isThere ? file : URL(fileURLWithPath: file).deletingLastPathComponent().path
        guard access(place, W_OK) == 0 else { throw cannotCreate(file, code: errno) }
    }
}

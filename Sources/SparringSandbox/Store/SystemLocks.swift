import Foundation
import Glibc
import SparringJSON

/// The locks on files, as the system lists them (proc(5), `/proc/locks`): "1: FLOCK  ADVISORY  WRITE 4711 fe:01:1234567 0 EOF".
enum SystemLocks {
    enum Kind: String {
        /// A lock of flock(2), on the whole file.
        case whole = "FLOCK"
        /// A lock of fcntl(2), on a part of a file.
        case part = "POSIX"
    }

    /// - Parameters:
    ///   - inode: the file's.
    ///   - place: of a byte that is locked.
    ///   - isPatient: the caller may wait a second and more.
    /// - Returns: the holder's number; nil if the system lists none.
    static func process(holding inode: UInt64, _ kind: Kind, at place: Int = 0, isPatient: Bool) -> Int32? {
        if let process = owner(of: inode, kind, at: place) { return process }
        // That of another user does not show what it has open.
        // The system hands the list out in pieces: while others lock and unlock, one reading of it may leave a line out. On a busy machine a second
        // is time for few readings.
        let deadline = ContinuousClock.now + .seconds(1)
        var readings = 0
        repeat {
            if let process = holder(of: inode, kind, at: place) { return process }
            readings += 1
        } while isPatient && (ContinuousClock.now < deadline || readings < 100)
        return nil
    }

    /// The process that has the file open and locked, by what the system shows of its descriptors (`/proc/PID/fdinfo`).
    private static func owner(of inode: UInt64, _ kind: Kind, at place: Int) -> Int32? {
        for name in names(in: "/proc") where name.utf8.allSatisfy(\.isDigit) {
            let open = names(in: "/proc/\(name)/fd").filter { isFile(inode, "/proc/\(name)/fd/\($0)") }
            let shown = open.lazy.compactMap { try? String(contentsOfFile: "/proc/\(name)/fdinfo/\($0)", encoding: .utf8) }
            let locks = shown.flatMap { $0.split(separator: "\n") }.filter { $0.hasPrefix("lock:") }
            if let process = locks.compactMap({ holder($0.dropFirst(5), of: inode, kind, at: place) }).first { return process }
        }
        return nil
    }

    private static func isFile(_ inode: UInt64, _ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_ino == inode
    }

    private static func names(in folder: String) -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }

    private static func holder(of inode: UInt64, _ kind: Kind, at place: Int) -> Int32? {
        guard let locks = try? String(contentsOfFile: "/proc/locks", encoding: .utf8) else { return nil }
        return locks.split(separator: "\n").lazy.compactMap { holder($0, of: inode, kind, at: place) }.first
    }

    /// Reads a line of the list.
    private static func holder(_ line: Substring, of inode: UInt64, _ kind: Kind, at place: Int) -> Int32? {
        let words = line.split { $0 == " " || $0 == "\t" }.map(String.init)
        guard words.count == 8, words[1] == kind.rawValue, words[3] == "WRITE", words[5].hasSuffix(":\(inode)") else { return nil }
        guard let begin = words[6].integer(in: 0...Int.max), begin <= place else { return nil }
        guard words[7] == "EOF" || words[7].integer(in: place...Int.max) != nil else { return nil }
        // In a container, processes outside of it have the number 0; and another file system may have a file of that number.
        return words[4].integer(in: 1...Int32.max)
    }

    /// Such as "process 4711 (sqlite3)".
    static func words(for process: Int32) -> String {
        let name = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
        return "process \(process)" + (name.map { " (\($0.trimmingCharacters(in: .whitespacesAndNewlines)))" } ?? "")
    }
}

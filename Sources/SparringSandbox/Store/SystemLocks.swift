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
    /// - Returns: the holder's number; nil if the system lists none.
    static func process(holding inode: UInt64, _ kind: Kind, at place: Int = 0) -> Int32? {
        // The system hands the list out in pieces: while others lock and unlock, one reading of it may leave a line out. On a busy machine a second
        // is time for few readings.
        let deadline = ContinuousClock.now + .seconds(1)
        var readings = 0
        repeat {
            if let process = holder(of: inode, kind, at: place) { return process }
            readings += 1
        } while ContinuousClock.now < deadline || readings < 100
        return nil
    }

    private static func holder(of inode: UInt64, _ kind: Kind, at place: Int) -> Int32? {
        guard let locks = try? String(contentsOfFile: "/proc/locks", encoding: .utf8) else { return nil }
        for line in locks.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            guard words.count == 8, words[1] == kind.rawValue, words[3] == "WRITE", words[5].hasSuffix(":\(inode)") else { continue }
            guard let begin = words[6].integer(in: 0...Int.max), begin <= place else { continue }
            guard words[7] == "EOF" || words[7].integer(in: place...Int.max) != nil else { continue }
            // In a container, processes outside of it have the number 0; and another file system may have a file of that number.
            if let process = words[4].integer(in: 1...Int32.max) { return process }
        }
        return nil
    }

    /// Such as "process 4711 (sqlite3)".
    static func words(for process: Int32) -> String {
        let name = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
        return "process \(process)" + (name.map { " (\($0.trimmingCharacters(in: .whitespacesAndNewlines)))" } ?? "")
    }
}

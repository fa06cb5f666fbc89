import Foundation

/// File systems of networks, on which SQLite's log does not work (sqlite.org/wal.html §1): two machines do not see each other's locks and index.
enum NetworkFileSystem {
    /// The kernel's names of their types.
    private static let types: Set<Substring> = [
        "nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ceph", "lustre", "fuse.sshfs", "fuse.glusterfs",
    ]

    /// The type of the file system that has a file, where it is a network's.
    static func type(of path: String) -> String? {
        guard let mounts = try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8) else { return nil }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().resolvingSymlinksInPath().path
        return type(of: folder, among: mounts)
    }

    /// - Parameters:
    ///   - folder: absolute, without links.
    ///   - mounts: the lines of `/proc/self/mountinfo` (proc(5)): where it is mounted is the fifth field, the type follows a hyphen. A later line covers an earlier one.
    static func type(of folder: String, among mounts: String) -> String? {
        var nearest: (point: String, type: Substring)?
        for line in mounts.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 5, let hyphen = fields.dropFirst(5).firstIndex(of: "-"), hyphen + 1 < fields.count else { continue }
            // Spaces are written as octal numbers.
            let point = String(fields[4]).replacing("\\040", with: " ")
            guard point == "/" || folder == point || folder.hasPrefix(point + "/"), point.utf8.count >= nearest?.point.utf8.count ?? 0
            else {
                continue
            }
            nearest = (point, fields[hyphen + 1])
        }
        return nearest.flatMap { types.contains($0.type) ? String($0.type) : nil }
    }
}

import HTTPTypes
import Foundation

/// A path for a database, removed with this value.
final class FileBox: Sendable {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("sparring-test-\(UUID().uuidString).db").path

    deinit {
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }
}

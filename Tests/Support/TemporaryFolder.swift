import Foundation

/// A folder of its own, gone with this value.
public final class TemporaryFolder: Sendable {
    public let path: String

    public init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("sparring-test-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    public func file(_ name: String) -> String { path + "/" + name }

    /// Writes a file and returns its path.
    public func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
        return file(name)
    }

    /// Hands out the path of a folder that is there for as long as `body` runs.
    public static func run<Value>(_ body: (String) throws -> Value) throws -> Value {
        let folder = try TemporaryFolder()
        return try withExtendedLifetime(folder) { try body(folder.path) }
    }

    /// Hands out the path of a database that is not there yet.
    public static func database<Value>(_ body: (String) async throws -> Value) async throws -> Value {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        return try await body(folder.file("sparring.sqlite"))
    }
}

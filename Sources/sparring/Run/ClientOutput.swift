import Foundation
import SparringLocks
import SystemPackage

/// The output of a command, by way of files: unlike a pipe, a file is never waited for, even where a process that the command has left
/// behind still holds it.
final class ClientOutput: Sendable {
    struct Stream: Sendable {
        let path: FilePath
        let descriptor: FileDescriptor
    }

    private struct State {
        var read: [FilePath: Int64] = [:]
        /// The last of what both streams have brought, as it came.
        var tail = Data()
    }

    let output: Stream
    let errors: Stream
    private let folder: URL
    private let isForwarded: Bool
    private let state = Mutex(State())
    private let following = Mutex<Task<Void, Never>?>(nil)

    private static let tailLimit = 64 << 10
    private static let interval = Duration.milliseconds(30)

    /// - Parameter isForwarded: it is written to this process's output as it comes.
    init(isForwarded: Bool) throws {
        self.isForwarded = isForwarded
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("sparring-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        output = try Self.open(folder, "output")
        errors = try Self.open(folder, "errors")
        let task = Task { [weak self] in
            while !Task.isCancelled {
                self?.forward()
                try? await Task.sleep(for: Self.interval)
            }
        }
        following.withLock { $0 = task }
    }

    /// The command has ended.
    ///
    /// - Returns: the last of what it wrote.
    func end() async -> String {
        let task = following.withLock { $0.take() }
        task?.cancel()
        await task?.value
        forward()
        return String(decoding: state.withLock { $0.tail }, as: UTF8.self)
    }

    func remove() {
        following.withLock { $0.take() }?.cancel()
        for stream in [output, errors] { try? stream.descriptor.close() }
        try? FileManager.default.removeItem(at: folder)
    }

    private func forward() {
        for (stream, handle) in [(output, FileHandle.standardOutput), (errors, .standardError)] {
            guard let news = news(of: stream.path), !news.isEmpty else { continue }
            if isForwarded { try? handle.write(contentsOf: news) }
        }
    }

    private func news(of path: FilePath) -> Data? {
        state.withLock { state in
            guard let file = FileHandle(forReadingAtPath: path.string) else { return nil }
            defer { try? file.close() }
            try? file.seek(toOffset: UInt64(state.read[path] ?? 0))
            guard let data = try? file.readToEnd() else { return nil }
            state.read[path, default: 0] += Int64(data.count)
            state.tail = (state.tail + data).suffix(Self.tailLimit)
            return data
        }
    }

    private static func open(_ folder: URL, _ name: String) throws -> Stream {
        let path = FilePath(folder.appendingPathComponent(name).path)
        return Stream(
            path: path, descriptor: try FileDescriptor.open(path, .writeOnly, options: [.create, .append], permissions: .ownerReadWrite))
    }
}

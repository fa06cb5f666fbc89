import Foundation
import SparringEngine
import Support
import Testing

/// The pusher as a client of somebody else's sees it.
@Suite struct PusherPeerTests {
    private static let python = ProcessInfo.processInfo.environment["SPARRING_PYTHON"] ?? ""

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: python), "SPARRING_PYTHON names no Python: make peers"))
    func `a Python client registers, is pushed to and unregisters as the reference has it`() async throws {
        try await TestServer.run { server in
            let output = try TemporaryFolder()
            let file = try output.write("", to: "output")
            let status = try await Self.run([Repository.folder("Tests/peers/pusher.py"), server.addresses.baseURL], to: file)
            let end = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").suffix(8).joined(separator: "\n")
            #expect(status == 0 && end.hasSuffix(" checks passed"), "\(end)")
        }
    }

    /// Runs a program to its end. Nothing waits for it on a thread that the server may need.
    private static func run(_ arguments: [String], to file: String) async throws -> Int32 {
        let output = try #require(FileHandle(forWritingAtPath: file))
        return try await withCheckedThrowingContinuation { continuation in
            let process = Process()
            process.executableURL = URL(fileURLWithPath: python)
            process.arguments = arguments
            process.standardOutput = output
            process.standardError = output
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
    }
}

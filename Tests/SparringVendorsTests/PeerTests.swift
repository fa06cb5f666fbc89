import Foundation
import SparringEngine
import Support
import Testing

/// Clients that others' libraries make: what agrees with itself only proves nothing.
@Suite struct PeerTests {
    @Test(.enabled(if: Peer.isThere, "SPARRING_PYTHON names no Python that has joserfc and requests: make peers"))
    func `a Python brand and its client sign in and are refused as the reference has it`() async throws {
        try await TestServer.run { server in
            let (status, output) = try await Peer.run([Repository.folder("Tests/peers/sign_in.py"), server.addresses.baseURL])
            let end = output.split(separator: "\n").suffix(8).joined(separator: "\n")
            #expect(status == 0 && end.hasSuffix(" checks passed"), "\(end)")
        }
    }

    @Test(.enabled(if: Peer.isThere, "SPARRING_PYTHON names no Python that has joserfc and requests: make peers"))
    func `a Python app asks for engagements, reports, and comes again as the reference has it`() async throws {
        try await TestServer.run { server in
            let (status, output) = try await Peer.run([Repository.folder("Tests/peers/monitoring.py"), server.addresses.baseURL])
            let end = output.split(separator: "\n").suffix(8).joined(separator: "\n")
            #expect(status == 0 && end.hasSuffix(" checks passed"), "\(end)")
        }
    }
}

private enum Peer {
    static let python = ProcessInfo.processInfo.environment["SPARRING_PYTHON"] ?? ""

    static let isThere: Bool = {
        guard !python.isEmpty, let process = try? start(["-c", "import joserfc, requests"], output: .nullDevice) else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    /// Runs a program to its end. Nothing waits for it on a thread that the server may need.
    static func run(_ arguments: [String]) async throws -> (status: Int32, output: String) {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("sparring-peer-\(UUID().uuidString)")
        _ = FileManager.default.createFile(atPath: file.path, contents: nil)
        defer { try? FileManager.default.removeItem(at: file) }
        let output = try FileHandle(forWritingTo: file)
        let status = try await withCheckedThrowingContinuation { continuation in
            do {
                _ = try start(arguments, output: output) { continuation.resume(returning: $0) }
            } catch {
                continuation.resume(throwing: error)
            }
        }
        return (status, try String(contentsOf: file, encoding: .utf8))
    }

    private static func start(_ arguments: [String], output: FileHandle, ended: (@Sendable (Int32) -> Void)? = nil) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = output
        if let ended { process.terminationHandler = { ended($0.terminationStatus) } }
        try process.run()
        return process
    }
}

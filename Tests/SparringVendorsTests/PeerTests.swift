import Foundation
import SparringEngine
import Support
import Testing

/// Clients that others' libraries make: what agrees with itself only proves nothing.
@Suite struct PeerTests {
    @Test(
        .enabled(if: Peer.isThere, "SPARRING_PYTHON names no Python with what the peers need: make peers"),
        arguments: [
            "sign_in.py",  // a brand and its client: signs in and is refused
            "messaging.py",  // a consumer on two devices: talks, loses its socket and comes back
            "monitoring.py",  // an app: asks for engagements, reports, and comes again after a failure
            "pusher.py",  // a phone: registers, is pushed to and unregisters
        ])
    func `a Python client finds everything as the reference has it`(script: String) async throws {
        try await TestServer.run { server in
            let (status, output) = try await Peer.run([Repository.folder("Tests/peers/\(script)"), server.addresses.baseURL])
            let end = output.split(separator: "\n").suffix(8).joined(separator: "\n")
            #expect(status == 0 && end.hasSuffix(" checks passed"), "\(end)")
        }
    }
}

private enum Peer {
    static let python = ProcessInfo.processInfo.environment["SPARRING_PYTHON"] ?? ""

    static let isThere: Bool = {
        guard !python.isEmpty, let process = try? start(["-c", "import joserfc, requests, websockets, wsproto"], output: .nullDevice) else {
            return false
        }
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

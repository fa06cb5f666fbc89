import Foundation
import SparringJSON
import Support
import Testing

/// Many connections that become readable at once, as after a pause of the process.
@Suite(.fewAtATime) struct CrowdTests {
    private static let get = "GET /__admin/version HTTP/1.1\r\nHost: localhost\r\n\r\n"

    /// libmicrohttpd fetches up to 128 events at a time, and waits for another if it gets exactly 128.
    @Test(.timeLimit(.minutes(30)), arguments: [127, 128, 129, 256])
    func `requests that come at once are answered, however many there are`(_ count: Int) async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess.start(in: folder)
        let port = Int(server.ready["port"]?.integer ?? 0)
        let clients = try (0..<count).map { _ in try RawClient(port: port) }
        for _ in 1...2 {
            for client in clients { client.send(Self.get) }
            for client in clients { #expect(try await client.answer().status == 200) }
            server.signal(SIGSTOP)
            try await aside { while try !Self.isStopped(server.pid) { sched_yield() } }
            for client in clients { client.send(Self.get) }
            server.signal(SIGCONT)
            for client in clients { #expect(try await client.answer().status == 200) }
        }
        _ = try await server.stop()
    }

    /// Each thread's state comes after the name in its `stat`; `T`: stopped.
    private static func isStopped(_ pid: Int32) throws -> Bool {
        let threads = "/proc/\(pid)/task"
        return try FileManager.default.contentsOfDirectory(atPath: threads).allSatisfy { thread in
            let stat = try? String(contentsOfFile: "\(threads)/\(thread)/stat", encoding: .utf8)
            return stat?.split(separator: ")").last?.split(separator: " ").first == "T"
        }
    }
}

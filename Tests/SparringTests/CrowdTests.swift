import Foundation
import SparringJSON
import Support
import Testing

/// Many connections that become readable at once, as after a pause of the process.
@Suite struct CrowdTests {
    private static let get = "GET /__admin/version HTTP/1.1\r\nHost: localhost\r\n\r\n"

    /// libmicrohttpd takes 128 events at a time, and 0.9.75 waits for another where there were just as many.
    @Test(.timeLimit(.minutes(2)), arguments: [127, 128, 129, 256])
    func `requests that come at once are answered, however many there are`(_ count: Int) async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess.start(in: folder)
        let port = Int(server.ready["port"]?.integer ?? 0)
        let clients = try (0..<count).map { _ in try RawClient(port: port) }
        for _ in 1...2 {
            for client in clients { client.send(Self.get) }
            for client in clients { #expect(try await client.answer().status == 200) }
            server.signal(SIGSTOP)
            await aside { while Self.state(of: server.pid) != "T" { sched_yield() } }
            for client in clients { client.send(Self.get) }
            server.signal(SIGCONT)
            for client in clients { #expect(try await client.answer().status == 200) }
        }
        _ = try await server.stop()
    }

    /// As `/proc/PID/stat` has it after the name; `T`: stopped.
    private static func state(of pid: Int32) -> Substring? {
        let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        return stat?.split(separator: ")").last?.split(separator: " ").first
    }
}

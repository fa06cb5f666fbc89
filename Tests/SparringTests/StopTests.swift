import Foundation
import SparringJSON
import Support
import Testing

/// Stopping is bounded, no matter who waits for what. The waits here last longer than a test may.
@Suite(.fewAtATime) struct StopTests {
    private static let root = "/__admin/sandboxes/default/"

    /// Stops the server, and expects nothing to be left of it.
    private static func stop(_ server: ServerProcess, _ folder: TemporaryFolder, status: Int32 = 0) async throws {
        server.signal(SIGTERM)
        #expect(try await server.end() == status)
        #expect(!FileManager.default.fileExists(atPath: folder.file("ready.json")))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("sparring-") } == [])
    }

    private static func start(_ arguments: [String], _ folder: TemporaryFolder) async throws -> ServerProcess {
        try await ServerProcess.start(arguments, in: folder, environment: ["TMPDIR": folder.path])
    }

    private static func waits(_ server: ServerProcess) async throws -> Int {
        let metrics = try await server.get("/__admin/metrics").text
        let line = metrics.split(separator: "\n").first { $0.hasPrefix("sparring_waits ") }
        return line.flatMap { Int($0.dropFirst("sparring_waits ".count)) } ?? 0
    }

    @Test(
        .timeLimit(.minutes(30)),
        arguments: [
            "journal/wait?count=9&timeout=300s", "devices/x/notifications/wait?timeout=300s", "devices/x/notifications/stream",
        ])
    func `a client that waits for the journal to grow is answered at once, whatever the grace`(_ target: String) async throws {
        let folder = try TemporaryFolder()
        let server = try await Self.start(["--grace", "3600"], folder)
        let client = try RawClient(port: Int(server.ready["port"]?.integer ?? 0))
        client.send("GET \(Self.root)\(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        while try await Self.waits(server) == 0 {}
        try await Self.stop(server, folder)
        if !target.hasSuffix("stream") {
            let answer = try await client.answer()
            #expect(answer.status == 410, "\(answer)")
            #expect(String(decoding: answer.body, as: UTF8.self).contains("server-stops"))
        }
    }

    @Test(.timeLimit(.minutes(30))) func `a wait whose client has left ends by itself`() async throws {
        let folder = try TemporaryFolder()
        let server = try await Self.start(["--grace", "3600"], folder)
        let client = try RawClient(port: Int(server.ready["port"]?.integer ?? 0))
        client.send("GET \(Self.root)journal/wait?count=9&timeout=300s HTTP/1.1\r\nHost: localhost\r\n\r\n")
        while try await Self.waits(server) == 0 {}
        client.close()
        while try await Self.waits(server) > 0 {}
        try await Self.stop(server, folder)
    }

    @Test(.timeLimit(.minutes(30))) func `a call of a server that never answers is not waited for beyond the grace`() async throws {
        let folder = try TemporaryFolder()
        let server = try await Self.start(["--grace", "0"], folder)
        let silence = try SilentServer()
        var issuer = try #require(try await server.get(Self.root + "tenants/liveperson").json?["issuers"]?.array?.first)
        issuer["tokenEndpoint"] = .string("http://127.0.0.1:\(silence.port)/token")
        let changed = try await server.send(
            "PATCH", Self.root + "tenants/liveperson", body: (["issuers": [issuer], "tokenEndpointTimeout": "1h"] as JSON).bytes,
            headers: [("Content-Type", "application/json")])
        #expect(changed.status == 200, "\(changed)")
        let account = try #require(changed.json?["accountId"]?.string)
        let client = try RawClient(port: Int(server.ready["port"]?.integer ?? 0))
        let body = #"{"code":"x"}"#
        client.send(
            "POST /api/account/\(account)/app/default/authenticate?v=2.0 HTTP/1.1\r\nHost: localhost\r\n"
                + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        await aside { silence.accept() }
        try await Self.stop(server, folder)
    }

    @Test(.timeLimit(.minutes(30))) func `a second signal ends it at once, and nothing is left behind`() async throws {
        let folder = try TemporaryFolder()
        let server = try await Self.start(["--grace", "3600", "--fault", "liveperson.DomainLookup.* STALL"], folder)
        let account = try #require(try await server.get(Self.root + "tenants/liveperson").json?["accountId"]?.string)
        let client = try RawClient(port: Int(server.ready["port"]?.integer ?? 0))
        client.send("GET /api/account/\(account)/service/idp/baseURI.json?version=1.0 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        while try await server.get(Self.root + "faults").json?["faults"]?.array?.first?["hits"] == 0 {}
        server.signal(SIGTERM)
        // It takes no more connections: the stop has begun.
        while (try? RawClient(port: Int(server.ready["port"]?.integer ?? 0))) != nil {}
        try await Self.stop(server, folder, status: 143)
    }
}

/// Takes connections and never says anything.
private final class SilentServer: Sendable {
    let port: Int
    private let descriptor: Int32

    init() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.descriptor = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(descriptor, generic, size) == 0 && listen(descriptor, 8) == 0 && getsockname(descriptor, generic, &size) == 0
            }
        }
        guard bound else { throw CocoaError(.fileNoSuchFile) }
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    /// Returns when somebody has connected.
    func accept() { _ = Glibc.accept(descriptor, nil, nil) }

    deinit { close(descriptor) }
}

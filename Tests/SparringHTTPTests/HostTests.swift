import HTTPTypes
import SparringHTTP
import SparringJournal
import Support
import Testing

/// The host that a request means.
@Suite struct HostTests {
    private static func head(_ method: HTTPRequest.Method, _ target: String, host: String?) -> RequestHead {
        RequestHead(method: method, target: target, headers: host.map { [.host: $0] } ?? [:], arrival: .now)
    }

    @Test(arguments: [
        ("/path", "a:8080", "a:8080"), ("*", "a", "a"), ("/http://b/", "a", "a"), ("/a?b=http://c", nil, nil),
        ("http://evil.com/__admin/health", "localhost", "evil.com"), ("HTTPS://b:1?q", "a", "b:1"), ("http://b#f", nil, "b"),
        ("ws+x://[::1]:8080/", "a", "[::1]:8080"), ("?://b", "a", "a"), ("1x://b", "a", "a"),
        ("http://[::1]:80", "a", "[::1]:80"), ("a", "b", "b"), ("", nil, nil),
    ])
    func `a target in absolute form says the host, before Host does`(target: String, host: String?, authority: String?) {
        #expect(Self.head(.get, target, host: host).authority == authority)
    }

    @Test func `the target of CONNECT is the host`() { #expect(Self.head(.connect, "b:443", host: "a").authority == "b:443") }

    /// - Returns: the defect that the server sees in a request with this Host.
    private func defect(_ host: String) async throws -> String? {
        let handler = ScriptedHandler(receive: { head in head.defect == nil ? .read(limit: 100) : .refuse(Response(status: 400)) })
        return try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            client.send("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            let status = try await client.answer().status
            let head = try #require(handler.heads.first)
            #expect(status == (head.defect == nil ? 200 : 400))
            return head.defect
        }
    }

    @Test(arguments: [
        "", "a", "a.localhost", "my_sandbox.localhost:8080", "127.0.0.1", "127.0.0.1:80", "[::1]", "[::1]:8080", "[::ffff:1.2.3.4]:1", "a:",
        "%C3%A9.localhost", "[v1.x:y]:2", "xn--bcher-kva.example:65535", "a,b",
    ])
    func `a sound Host is taken`(host: String) async throws { #expect(try await defect(host) == nil) }

    @Test(arguments: [
        "localhost:evil.com", "[localhost", "x/.localhost", "a:80:80", "a:-1", "a:123456", ":8080", "user@a", "a b", "[::1", "[::1]8080",
        "[::g]", "[]", "[127.0.0.1]", "[v1]", "%zz.localhost", "a%4", "é.localhost", "a\\b", "a?b", "<a>",
    ])
    func `a malformed Host is a defect`(host: String) async throws {
        #expect(try await defect(host)?.hasPrefix("Host '\(host)' is not a host") == true)
    }
}

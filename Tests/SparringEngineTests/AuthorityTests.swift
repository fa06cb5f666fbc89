import HTTPTypes
@testable import SparringEngine
import SparringHTTP
import SparringJournal
import Testing

/// RFC 3986 §3.2 and RFC 9110 §7.2, as far as hosts are compared.
@Suite struct AuthorityTests {
    @Test(
        arguments: [
            ("localhost", "localhost", nil), ("LocalHost:1", "LocalHost", 1), ("127.0.0.1:65535", "127.0.0.1", 65_535),
            ("[::1]:8080", "::1", 8080), ("[::ffff:127.0.0.1]", "::ffff:127.0.0.1", nil), ("a_b.localhost:", "a_b.localhost", nil),
        ] as [(String, String, Int?)])
    func `an authority is a host, perhaps with a port`(_ text: String, _ host: String, _ port: Int?) throws {
        let authority = try #require(Authority(text))
        #expect(authority.host == host && authority.port == port)
    }

    @Test(arguments: [
        "", ":80", "localhost:evil.example", "localhost:80:90", "localhost:65536", "localhost:-1", "localhost:+1",
        "localhost:99999999999999999999", "[localhost", "[localhost]", "[]", "[::1]evil.example", "[::1", "::1", "evil.example/.localhost",
        "user@localhost", "localhost ", " localhost", "localhost\t", "localhost,evil.example", "lo%63alhost", "løcalhost", "localhost?",
    ])
    func `what is none is not taken for the part that looks like one`(_ text: String) { #expect(Authority(text) == nil) }

    @Test func `the base URL of a call is that of the host it was sent to`() {
        let addresses = Addresses(port: 8080, tlsPort: nil, hosts: ["localhost"], advertise: nil)
        func base(_ target: String, _ host: String) -> String {
            addresses.base(of: RequestHead(method: .get, target: target, headers: [.init("Host")!: host], connection: 1, arrival: .now))
        }
        #expect(base("/a", "shop.localhost:8080") == "http://shop.localhost:8080")
        #expect(base("http://shop.localhost/a", "evil.example") == "http://shop.localhost:8080")
        #expect(base("/a", "[::1]:8080") == "http://[::1]:8080")
        #expect(base("/a", "localhost:8080/evil") == "http://127.0.0.1:8080")
    }
}

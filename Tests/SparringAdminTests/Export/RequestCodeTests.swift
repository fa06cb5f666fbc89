import SparringEngine
import SparringJSON
import Testing

@testable import SparringAdmin

/// Code that sends a request again sends it to this server, whatever the client wrote.
@Suite struct RequestCodeTests {
    private static let addresses = Addresses(
        port: 8080, tlsPort: 8443, tlsDefects: ["expired": 8444], hosts: ["localhost", "127.0.0.1", "sparring.test"], advertised: nil)

    @Test func `a message on a socket is no HTTP call`() {
        let request: JSON = ["method": "MESSAGE", "target": "/a", "headers": [:]]
        #expect(RequestCode.isMessage(["number": 1, "kind": "message", "request": request]))
        #expect(!RequestCode.isMessage(["number": 1, "kind": "exchange", "request": request]))
        #expect(!RequestCode.isMessage(["number": 1, "kind": "configuration"]))
    }

    @Test(arguments: [
        ("/a?b", "127.0.0.1:8080", "http://127.0.0.1:8080/a?b", nil), ("/a", "shop.localhost:8443", "https://shop.localhost:8443/a", nil),
        ("/a", "localhost:8444", "https://localhost:8444/a", nil),
        ("/a", "127.0.0.1:9999", "http://127.0.0.1:8080/a", "127.0.0.1:9999"),
        ("/a", "x.localhost:9999", "http://127.0.0.1:8080/a", "x.localhost:9999"),
        ("/a", "api.example.com", "http://127.0.0.1:8080/a", "api.example.com"),
        ("/a", "shop.localhost", "http://127.0.0.1:8080/a", "shop.localhost"),
        ("http://evil.example/a?b", "localhost:8080", "http://127.0.0.1:8080/a?b", "evil.example"),
        ("gopher://127.0.0.1:70/a", "localhost:8080", "http://127.0.0.1:8080/a", "127.0.0.1:70"),
        ("https://sparring.test:8443/a", "x", "https://sparring.test:8443/a", nil),
        ("http://evil.example", "a", "http://127.0.0.1:8080/", "evil.example"),
        ("http://evil.example?a", "a", "http://127.0.0.1:8080/?a", "evil.example"), ("*", "127.0.0.1:8080", "http://127.0.0.1:8080/", nil),
        ("evil.example:443", "evil.example:443", "http://127.0.0.1:8080/", "evil.example:443"),
        ("/a", "a b", "http://127.0.0.1:8080/a", nil),
    ])
    func `it goes to this server's own address`(_ target: String, _ host: String, _ url: String, _ beside: String?) throws {
        let entry: JSON = ["number": 1, "request": ["method": "GET", "target": .string(target), "headers": ["Host": .string(host)]]]
        let code = try #require(RequestCode(entry, Self.addresses))
        #expect(code.url == url)
        #expect(code.headers.first { $0.name == "Host" }?.value == beside)
    }
}

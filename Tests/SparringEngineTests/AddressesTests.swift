import HTTPTypes
import SparringContract
@testable import SparringEngine
import SparringHTTP
import SparringJournal
import Testing

/// The URLs that are handed out, by what clients used.
@Suite struct AddressesTests {
    @Test func `the base URL of a call is that of the host it was sent to`() {
        let addresses = Addresses(port: 8080, tlsPort: nil, hosts: ["localhost"], advertised: nil)
        func base(_ target: String, _ host: String) -> String {
            addresses.base(of: RequestHead(method: .get, target: target, headers: [.init("Host")!: host], connection: 1, arrival: .now))
        }
        #expect(base("/a", "shop.localhost:8080") == "http://shop.localhost:8080")
        #expect(base("http://shop.localhost/a", "evil.example") == "http://shop.localhost")
        #expect(base("/a", "[::1]:8080") == "http://[::1]:8080")
        #expect(base("/a", "localhost:8080/evil") == "http://127.0.0.1:8080")
    }

    /// A server behind a port mapping is reached by a port other than the one it listens on.
    @Test(arguments: [
        (false, "localhost:9080", "http://localhost:9080", "localhost:8443"),
        (true, "localhost:9443", "https://localhost:9443", "localhost:9443"),
        (true, "mock.test", "https://mock.test", "mock.test"), (false, "[::1]", "http://[::1]", "[::1]:8443"),
    ])
    func `behind a port mapping URLs have the port that the client used`(isTLS: Bool, host: String, base: String, service: String) {
        let addresses = Addresses(port: 8080, tlsPort: 8443, hosts: ["localhost", "mock.test", "::1"], advertised: nil)
        let head = RequestHead(method: .get, target: "/a", headers: [.init("Host")!: host], isTLS: isTLS, connection: 1, arrival: .now)
        #expect(addresses.base(of: head) == base)
        #expect(addresses.serviceHost(of: base) == service)
        #expect((isTLS ? addresses.reached(by: head).tlsBaseURL : addresses.reached(by: head).baseURL) == base)
        // As an issuer's name it is this server's; it is not called there, since it may be another's.
        #expect(addresses.ownTarget(of: base + "/identity/x", anyPort: true) == "/identity/x")
        #expect(addresses.ownTarget(of: base + "/identity/x") == nil)
    }

    @Test(arguments: [
        ("https://api.vendor.example/x?y", "/x?y"), ("http://API.vendor.example:81", "/"), ("https://vendor.example/x", nil),
        ("https://login.brand.example/keys", "/keys"), ("https://localhost:9/x", nil), ("https://localhost:8443/x", "/x"),
    ])
    func `what the forward proxy emulates is this server's, whatever the port`(url: String, target: String?) throws {
        var addresses = Addresses(port: 8080, tlsPort: 8443, hosts: ["localhost"], advertised: nil)
        #expect(addresses.ownTarget(of: "https://api.vendor.example/x") == nil)
        addresses.proxyPort = 8899
        addresses.emulated = [try #require(ServerHost("*.vendor.example")), try #require(ServerHost("login.brand.example"))]
        #expect(addresses.ownTarget(of: url) == target)
        #expect(addresses.serviceHost(of: "http://api.vendor.example") == "api.vendor.example")
        #expect(addresses.serves(host: "api.vendor.example", port: 1) && addresses.serves(host: "localhost", port: 8899))
        #expect(!addresses.serves(host: "localhost", port: 9) && !addresses.isOwn(host: "api.vendor.example"))
    }

    @Test func `what is remembered of a client's host is forgotten with the addresses`() {
        let book = AddressBook(Addresses(port: 8080, tlsPort: nil, hosts: ["localhost"], advertised: nil))
        func base(_ host: String, isTLS: Bool = false) -> String {
            book.base(
                of: RequestHead(method: .get, target: "/a", headers: [.init("Host")!: host], isTLS: isTLS, connection: 1, arrival: .now)
            ).url
        }
        for _ in 0..<2 {
            #expect(base("shop.localhost:8080") == "http://shop.localhost:8080")
            #expect(base("no host") == "http://127.0.0.1:8080")
        }
        book.change(to: Addresses(port: 9090, tlsPort: 9443, hosts: ["localhost"], advertised: nil))
        #expect(base("no host") == "http://127.0.0.1:9090")
        #expect(base("shop.localhost") == "http://shop.localhost" && base("shop.localhost", isTLS: true) == "https://shop.localhost")
    }
}

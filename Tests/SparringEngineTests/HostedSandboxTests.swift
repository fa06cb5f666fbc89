import HTTPTypes
import SparringEngine
import SparringHTTP
import SparringJournal
import Testing

/// The sandbox that a host names.
@Suite struct HostedSandboxTests {
    @Test(
        arguments: [
            ("shop.localhost", nil, "shop"), ("shop.sparring.localhost", nil, "shop"), ("default.localhost", nil, "default"),
            ("localhost", nil, nil), ("127.0.0.1", nil, nil), ("shop.example", nil, nil), ("Shop.LOCALHOST", nil, "shop"),
            // A node whose own name ends as others' names of sandboxes do.
            ("s1.localhost", "s1.localhost", nil), ("shop.s1.localhost", "s1.localhost", "shop"),
            ("other.localhost", "s1.localhost", "other"),
            ("a.sparring.test", "a.sparring.test", nil), ("shop.a.sparring.test", "A.sparring.test", "shop"),
            ("shop.b.sparring.test", "a.sparring.test", nil), ("build-host.localhost", nil, nil),
        ] as [(String, String?, String?)])
    func `a host names a sandbox before a name of the server's`(_ host: String, _ advertised: String?, _ sandbox: String?) throws {
        let addresses = Addresses(
            port: 8080, tlsPort: nil,
            hosts: Set(
                ["localhost", "127.0.0.1", "default.localhost", "*.localhost", "build-host.localhost"]
                    + [advertised?.lowercased()].compactMap { $0 }),
            advertised: try AdvertisedAddress(advertised.map { [$0] } ?? []))
        #expect(addresses.sandbox(in: host) == sandbox)
        #expect(addresses.isOwn(host: host) == !["shop.example", "shop.b.sparring.test"].contains(host))
    }

    /// DNS rebinding: anybody's name may lead here.
    @Test(arguments: [nil, "a.sparring.test"])
    func `what a client calls this server is not the server's name for that`(_ advertised: String?) throws {
        let own = Addresses(
            port: 8080, tlsPort: nil, hosts: ["localhost"], advertised: try AdvertisedAddress(advertised.map { [$0] } ?? []))
        let head = RequestHead(method: .get, target: "/", headers: [.init("Host")!: "evil.example"], arrival: .now)
        let reached = own.reached(by: head)
        for host in ["evil.example", "shop.evil.example"] {
            #expect(!reached.isOwn(host: host) && reached.sandbox(in: host) == nil)
        }
    }

    @Test(
        arguments: [
            (nil, nil, "https://localhost:8443"), ("expired", nil, "https://localhost:9001"),
            ("self-signed", nil, "https://localhost:8443"),
            ("expired", "https://a.sparring.test:443", "https://a.sparring.test:9001"),
        ] as [(String?, String?, String)])
    func `a sandbox that is met on a port with a TLS defect names that port`(_ defect: String?, _ advertised: String?, _ url: String) throws
    {
        let own = Addresses(
            port: 8080, tlsPort: 8443, tlsDefects: ["expired": 9001], hosts: ["localhost"],
            advertised: try AdvertisedAddress(advertised.map { [$0] } ?? []))
        let met = own.meeting(tlsDefect: defect)
        #expect(met.tlsBaseURL == url && met.baseURL == own.baseURL)
    }
}

import SparringContract
import Testing

/// The names of vendors' servers.
@Suite struct ServerHostTests {
    @Test(arguments: [
        ("a.example", ["a.example", "A.Example"], ["b.a.example", "a.example.org", "a"]),
        ("*.a.example", ["b.a.example", "c.b.a.example"], ["a.example", "xa.example", ".a.example"]),
        ("{any}.A.example", ["b.a.example"], ["a.example"]),
        ("api-{region}.a.example", ["api-eu.a.example"], ["api-.a.example", "api.a.example"]),
        ("api-{region}.{domain}", ["api-eu.a.example"], ["api-", "xapi-eu.a.example"]),
    ])
    func `one part of a name may vary`(pattern: String, fitting: [String], others: [String]) throws {
        let host = try #require(ServerHost(pattern))
        for name in fitting { #expect(host.matches(host: name), "\(name)") }
        for name in others { #expect(!host.matches(host: name), "\(name)") }
    }

    @Test(arguments: ["", "*", "*.example", "{a}", "a b", "a.example:443", "https://a.example", "*.a.example/x", "{}.example"])
    func `what is no name, or nearly any, is none`(pattern: String) { #expect(ServerHost(pattern) == nil) }
}

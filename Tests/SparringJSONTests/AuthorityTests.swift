import SparringJSON
import Testing

/// RFC 3986 §3.2 and RFC 9110 §7.2.
@Suite struct AuthorityTests {
    @Test(
        arguments: [
            ("localhost", "localhost", nil), ("LocalHost:1", "LocalHost", 1), ("127.0.0.1:65535", "127.0.0.1", 65_535),
            ("[::1]:8080", "::1", 8080), ("[::ffff:127.0.0.1]", "::ffff:127.0.0.1", nil), ("a_b.localhost:", "a_b.localhost", nil),
        ] as [(String, String, Int?)])
    func `an authority is a host, perhaps with a port`(_ text: String, _ host: String, _ port: Int?) throws {
        let authority = try #require(Authority(text))
        #expect(authority.host == host && authority.port == port)
        #expect(Authority.isSound(text))
    }

    @Test(arguments: [
        "", ":80", "localhost:evil.example", "localhost:80:90", "localhost:-1", "localhost:+1", "localhost:99999999999999999999",
        "[localhost",
        "[localhost]", "[]", "[::1]evil.example", "[::1", "::1", "evil.example/.localhost", "user@localhost", "localhost ", " localhost",
        "localhost\t", "løcalhost", "localhost?", "[::g]", "%zz", "a%4", "a\\b",
    ])
    func `what is none is not taken for the part that looks like one`(_ text: String) {
        #expect(Authority(text) == nil)
        #expect(!Authority.isSound(text))
    }

    @Test(arguments: ["localhost,evil.example", "lo%63alhost", "[v1.x:y]:2", "localhost:65536", "~"])
    func `what only the grammar has cannot be called`(_ text: String) {
        #expect(Authority.isSound(text))
        #expect(Authority(text) == nil)
    }

    @Test(arguments: ["[127.0.0.1]", "[:::::]", "[1:2]:80"])
    func `brackets without an IPv6 address are not sound`(_ text: String) throws {
        #expect(!Authority.isSound(text))
        let host = Authority(text)?.host
        #expect(host.map { text.hasPrefix("[\($0)]") } == true)
    }

    @Test(arguments: [
        ("http://a", "http", "a", ""), ("HTTPS://[::1]:8080/x?y=://z#f", "HTTPS", "[::1]:8080", "/x?y=://z#f"),
        ("ws+x.1-2://a?b", "ws+x.1-2", "a", "?b"),
        ("http://#f", "http", "", "#f"), ("http:///x", "http", "", "/x"), ("h://user@a:b/", "h", "user@a:b", "/"),
        ("http://é/\u{301}", "http", "é", "/\u{301}"),
    ])
    func `an absolute URI is taken apart`(_ text: String, _ scheme: String, _ authority: String, _ rest: String) throws {
        let parts = try #require(URIParts(text))
        #expect(parts.scheme == scheme && parts.authority == authority && parts.rest == rest)
    }

    @Test(arguments: [
        "", "*", "/a?b=http://c", "a", "//a/b", "://a", "?://b", "1a://b", "a:b://c", "http:/a", "http:a", "é://a", "mailto:a@b",
    ])
    func `any other text is not`(_ text: String) { #expect(URIParts(text) == nil) }
}

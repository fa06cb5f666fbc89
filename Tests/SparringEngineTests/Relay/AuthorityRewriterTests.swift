import Testing

@testable import SparringEngine

/// A vendor's addresses in texts.
@Suite struct AuthorityRewriterTests {
    private static let known: Set = ["api.vendor.example", "127.0.0.1:9001", "va.idp.vendor.example:443"]

    @Test(
        arguments: [
            (#"{"baseURI":"api.vendor.example"}"#, #"{"baseURI":"own:8443"}"#),
            (#"{"a":"https://api.vendor.example/x?y=1","b":2}"#, #"{"a":"http://own:80/x?y=1","b":2}"#),
            (#""wss://127.0.0.1:9001/s""#, #""ws://own:80/s""#), (#"https:\/\/api.vendor.example\/x"#, #"http:\/\/own:80\/x"#),
            ("//api.vendor.example/x", "//own:80/x"), ("go to api.vendor.example.", "go to own:8443."),
            ("https://va.idp.vendor.example:443/", "http://own:80/"),
            ("https://api.vendor.example.evil.test/", "https://api.vendor.example.evil.test/"),
            ("https://other.example/?to=https%3A%2F%2Fapi.vendor.example%2Fx", "https://other.example/?to=http%3A%2F%2Fown%3A80%2Fx"),
            ("iss=http%3a%2f%2f127.0.0.1%3a9001%2fb", "iss=http%3a%2f%2fown%3A80%2fb"), ("127.0.0.1:90011", "127.0.0.1:90011"),
            ("x-api.vendor.example", "x-api.vendor.example"), ("", ""), ("é api.vendor.example é", "é own:8443 é"),
        ])
    func `an address is replaced where it is one`(_ text: String, _ expected: String) {
        let rewriter = AuthorityRewriter(replaces: { Self.known.contains($0) }, isTLS: false, authority: "own:80", bare: "own:8443")
        #expect(rewriter.rewrite(text) == expected)
    }
}

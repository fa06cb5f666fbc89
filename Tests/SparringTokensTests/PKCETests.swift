import SparringTokens
import Testing

@Suite struct PKCETests {
    private let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

    @Test func `S256 gives the challenge of RFC 7636 appendix B`() {
        #expect(PKCE.challenge(for: verifier, method: .s256) == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test func `plain gives the verifier itself`() { #expect(PKCE.challenge(for: verifier, method: .plain) == verifier) }

    @Test(arguments: [
        (String(repeating: "a", count: 42), false), (String(repeating: "a", count: 43), true), (String(repeating: "Z", count: 128), true),
        (String(repeating: "a", count: 129), false), (String(repeating: "a", count: 39) + "-._~", true),
        (String(repeating: "a", count: 42) + "+", false), (String(repeating: "a", count: 42) + "ä", false), ("", false),
    ])
    func `a verifier has 43 to 128 unreserved characters`(text: String, isVerifier: Bool) {
        #expect(PKCE.isVerifier(text) == isVerifier)
    }
}

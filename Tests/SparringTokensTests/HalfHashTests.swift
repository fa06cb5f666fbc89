import SparringTokens
import Testing

@Suite struct HalfHashTests {
    /// The access token and the `at_hash` of the example in OpenID Connect Core, appendix A.3.
    @Test(arguments: SigningAlgorithm.allCases)
    func `the hash of an access token is that of OpenID Connect Core, appendix A`(_ algorithm: SigningAlgorithm) {
        #expect(algorithm.halfHash(of: "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y") == "77QmUPtjPfzWtF2AnpK9RQ")
    }

    /// 16 bytes in base64url, without padding.
    @Test(arguments: ["", "a", String(repeating: "x", count: 4096)]) func `it has 22 characters`(_ credential: String) {
        #expect(SigningAlgorithm.rs256.halfHash(of: credential).utf8.count == 22)
    }
}

import SparringJSON
import SparringTokens
import Testing

@Suite struct KeySetTests {
    @Test func `a set survives its JSON and finds keys by kid`() throws {
        let (rsa, ec) = (try TestKeys.pool.rsa(0), try TestKeys.pool.ec(0))
        let set = try KeySet(parsing: KeySet(keys: [rsa.verificationKey, ec.verificationKey]).json)
        #expect(set.keys(rsa.kid, for: .rs256).map(\.thumbprint) == [rsa.kid])
        #expect(set.keys(ec.kid, for: .es256).map(\.thumbprint) == [ec.kid])
        #expect(set.keys(ec.kid, for: .rs256).isEmpty && set.objection(to: ec.kid, for: .rs256) != nil)
        #expect(set.keys("another", for: .rs256).isEmpty && set.objection(to: "another", for: .rs256) == nil)
        #expect(set.objection(to: rsa.kid, for: .rs256) == nil && set.kids == [rsa.kid, ec.kid])
    }

    @Test func `shared secrets are not published`() throws {
        #expect(KeySet(keys: [try TestKeys.key(.hs256).verificationKey]).json == ["keys": []])
    }

    @Test(arguments: [
        #"{"kty":"OKP","crv":"Ed25519","x":"AA"}"#, #"{"kty":"EC","crv":"P-521"}"#, #"{"kty":"RSA","use":"enc"}"#,
        #"{"kty":"RSA","alg":"PS256"}"#, #"{"kty":"RSA","key_ops":["sign"]}"#, #"{"kty":"RSA","n":"?"}"#, #"{"kid":"x"}"#,
    ])
    func `keys for other purposes, and malformed ones, are skipped`(foreign: String) throws {
        let own = try #require(try TestKeys.pool.rsa(0).verificationKey.jwk)
        #expect(try KeySet(parsing: ["keys": [JSON(parsing: foreign), own]]).keys.count == 1)
    }

    @Test(arguments: [
        ("[]", "JWKS: no object with a member 'keys'"), ("{}", "JWKS: no object with a member 'keys'"),
        (#"{"keys":{}}"#, "JWKS: keys is object instead of array"), (#"{"keys":[1]}"#, "JWKS: keys[0]: JWK: integer instead of an object"),
    ])
    func `a malformed set is refused with the place`(text: String, reason: String) {
        #expect(refusal { _ = try KeySet(parsing: JSON(parsing: text)) } == reason)
    }
}

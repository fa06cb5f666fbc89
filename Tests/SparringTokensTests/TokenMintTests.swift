import OrderedCollections
import SparringJSON
import SparringTokens
import Testing

@Suite struct TokenMintTests {
    private static let now: Int64 = 1_760_000_000
    private let claims = TokenClaims(
        issuer: "https://idp.brand.test", subject: "ada", audience: "acc:1", issuedAt: now, lifetime: 600,
        extra: ["email": "ada@brand.test"])

    @Test(arguments: SigningAlgorithm.allCases)
    func `a sound token has nothing to object to`(algorithm: SigningAlgorithm) throws {
        let mint = try mint(algorithm)
        let token = try mint.mint(claims)
        #expect(try objections(to: token.compact, from: mint) == [])
        #expect(token.expiry == Self.now + 600)
        #expect(
            try JWS(parsing: token.compact).payload.text
                == #"{"iss":"https://idp.brand.test","sub":"ada","aud":"acc:1","iat":1760000000,"exp":1760000600,"email":"ada@brand.test"}"#
        )
    }

    @Test(arguments: SigningAlgorithm.allCases, TokenDefect.allCases)
    func `a token has the defect it was asked for and no other`(algorithm: SigningAlgorithm, defect: TokenDefect) throws {
        let mint = try mint(algorithm)
        #expect(try objections(to: mint.mint(claims, defect: defect).compact, from: mint) == [defect])
    }

    @Test func `the expiry is that of the token`() throws {
        let mint = try mint(.rs256)
        #expect(try mint.mint(claims, defect: .expired).expiry == Self.now - 3600)
        #expect(try mint.mint(claims, defect: .notYetValid).expiry == Self.now + 3600 + 600)
        #expect(try mint.mint(claims, defect: .claimMissing).expiry == Self.now + 600)
        #expect(try mint.mint(.init(issuer: "i", subject: "s", issuedAt: .max, lifetime: .max), defect: .notYetValid).expiry == .max)
    }

    @Test(arguments: ["iss", "sub", "aud", "iat", "exp", "email"])
    func `the missing claim can be chosen`(claim: String) throws {
        let payload = try JWS(parsing: mint(.rs256).mint(claims, defect: .claimMissing, missingClaim: claim).compact).payload
        #expect(payload[claim] == nil)
        #expect(payload.object?.count == 5)
    }

    @Test(arguments: [nil] + TokenDefect.allCases.map(Optional.some))
    func `a nested token has its defect inside a sound JWE`(defect: TokenDefect?) throws {
        let key = try DecryptionKey(TestKeys.pool.rsa(5))
        let mint = try TokenMint(
            signingKey: TestKeys.pool.rsa(0), stranger: TestKeys.pool.rsa(1),
            recipient: .init(key: key.encryptionKey, algorithm: .rsaOAEP, encryption: .a256GCM))
        let jwe = try JWE(parsing: mint.mint(claims, defect: defect).compact)
        #expect(jwe.header["cty"] == "JWT")
        #expect(jwe.kid == key.encryptionKey.kid)
        let inner = String(decoding: try jwe.decrypt(with: key), as: UTF8.self)
        #expect(try objections(to: inner, from: mint) == Set([defect].compactMap(\.self)))
    }

    @Test func `the stranger is another key of the same algorithm`() throws {
        let rsa = try TestKeys.pool.rsa(0)
        #expect(refusal { _ = try TokenMint(signingKey: rsa, stranger: rsa) } == "the stranger's key is the signing key")
        #expect(
            refusal { _ = try TokenMint(signingKey: rsa, stranger: TestKeys.pool.ec(0)) } == "the stranger's key is ES256 instead of RS256")
    }

    private func mint(_ algorithm: SigningAlgorithm) throws -> TokenMint {
        try TokenMint(signingKey: TestKeys.key(algorithm), stranger: TestKeys.key(algorithm, 1))
    }

    /// Everything a careful reader of the token would object to.
    private func objections(to token: String, from mint: TokenMint) throws -> Set<TokenDefect> {
        let jws = try JWS(parsing: token)
        let keys = KeySet(keys: [mint.signingKey.verificationKey])
        var objections: Set<TokenDefect> = []
        if jws.header["alg"] == "none" {
            #expect(jws.signature.isEmpty)
            objections.insert(.algNone)
        } else if let key = jws.kid.flatMap({ keys.keys($0, for: mint.signingKey.algorithm).first }) {
            if !jws.verify(with: key) { objections.insert(jws.verify(with: mint.stranger.verificationKey) ? .wrongKey : .tampered) }
        } else {
            #expect(jws.verify(with: mint.signingKey.verificationKey))
            objections.insert(.unknownKid)
        }
        let claims = jws.payload
        if ["iss", "sub", "aud", "iat", "exp"].contains(where: { claims[$0] == nil }) { objections.insert(.claimMissing) }
        if claims["iss"]?.string != self.claims.issuer { objections.insert(.wrongIssuer) }
        if claims["aud"]?.string != self.claims.audience { objections.insert(.wrongAudience) }
        if let expiry = claims["exp"]?.integer, expiry <= Self.now { objections.insert(.expired) }
        if let start = claims["nbf"]?.integer, let issued = claims["iat"]?.integer, start > Self.now, issued > Self.now {
            objections.insert(.notYetValid)
        }
        return objections
    }
}

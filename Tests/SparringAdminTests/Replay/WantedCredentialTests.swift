import HTTPTypes
import SparringJSON
import SparringJournal
import Testing

@testable import SparringAdmin

/// The wish for a credential in place of one that a recorded client brought.
@Suite struct WantedCredentialTests {
    private static let now: Int64 = 1_767_225_600

    private static func wanted(_ claims: JSON, algorithm: JSON = "RS256") throws -> WantedCredential {
        let header: JSON = ["alg": algorithm, "typ": "JWT"]
        let token = "\(Base64URL.encode(header.bytes)).\(Base64URL.encode(claims.bytes)).«jwt:1»"
        let found = WantedCredential.all([.authorization: "Bearer \(token)"], "/a", [])
        #expect(found.first?.recorded == token)
        return try #require(found.first)
    }

    @Test func `a JWT is wanted with its claims and times, but for those that its issuer sets`() throws {
        let wanted = try Self.wanted([
            "iss": "https://id.brand.example", "aud": "shop", "jti": "1", "sub": "ada", "iat": .integer(Self.now), "nonce": "n",
            "exp": .integer(Self.now + 600), "given_name": "Ada",
        ])
        #expect(
            wanted.form == [
                "form": "jwt", "subject": "ada",
                "claims": ["iat": .integer(Self.now), "nonce": "n", "exp": .integer(Self.now + 600), "given_name": "Ada"],
            ])
    }

    @Test func `a user's JWT of the app is wanted with its claims and times, and without those that it lacks`() throws {
        let wanted = try Self.wanted(
            ["scope": "appUser", "userId": "ann", "givenName": "Ann", "iat": .integer(Self.now), "jti": "1"], algorithm: "HS256")
        #expect(
            wanted.form == [
                "form": "app-jwt", "subject": "ann",
                "claims": ["scope": "appUser", "givenName": "Ann", "iat": .integer(Self.now), "platform": .null, "exp": .null],
            ])
    }

    @Test(
        arguments: [
            (["iat": -60, "exp": 60], false), (["iat": -60, "exp": 0], true), (["iat": 1, "exp": 60], true),
            (["nbf": 60, "exp": 600], true),
            (["iat": 0], false), ([:], false),
        ] as [([String: Int64], Bool)])
    func `times say whether a refusal needs another reason`(_ times: [String: Int64], _ isOut: Bool) throws {
        var claims: JSON = ["sub": "ada"]
        for (name, distance) in times { claims[name] = .integer(Self.now + distance) }
        #expect(try Self.wanted(claims).isOutOfTime(at: Timestamp(seconds: Self.now)) == isOut)
    }

    @Test(arguments: [(0, 0), (2, 2), (3, 0), (-5, 0)] as [(Int64, Int64)])
    func `a clock that is two seconds ahead is no reason to refuse`(_ ahead: Int64, _ shift: Int64) throws {
        let (begin, end) = (Self.now + ahead, Self.now + ahead + 600)
        let claims = try Self.wanted(["sub": "ada", "iat": .integer(begin), "exp": .integer(end)])
            .form(begunBy: Timestamp(seconds: Self.now))["claims"]
        #expect(claims == ["iat": .integer(begin - shift), "exp": .integer(end - shift)])
    }
}

import HTTPTypes
import SparringJSON
import SparringTokens
import Support
import Testing

/// The choice among a brand's keys for the check of a token (RFC 7517 §4.1 to §4.5), and the keys that can be configured.
@Suite struct KeyChoiceTests {
    private static let own = Brand.keySet["keys"]?.array?.first ?? .null

    private static func own(_ changes: JSON.Object) -> JSON { own.merging(.object(changes)) }

    private static let ec: JSON = {
        var key = try! Brand.pool.ec(0).verificationKey.jwk!
        key["kid"] = .string(Brand.kid)
        return key
    }()

    private static let stranger: JSON = {
        var key = try! Brand.pool.rsa(6).verificationKey.jwk!
        key["kid"] = .string(Brand.kid)
        return key
    }()

    /// The keys that a brand publishes, and why none of them checks its token; nil where one does.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let keys: [JSON]
        let objection: String?

        static let all = [
            Row(testDescription: "an EC key of the same kid first", keys: [ec, own], objection: nil),
            Row(testDescription: "another RSA key of the same kid first", keys: [stranger, own], objection: nil),
            Row(testDescription: "a malformed key first", keys: [["kty": "RSA", "kid": "x", "n": "?"], own], objection: nil),
            Row(testDescription: "a key for encryption first", keys: [own(["use": "enc"]), own], objection: nil),
            Row(testDescription: "an EC key only", keys: [ec], objection: "its kty is for ES256, not for RS256"),
            Row(testDescription: "use is enc", keys: [own(["use": "enc"])], objection: "its use is 'enc', not sig"),
            Row(testDescription: "alg is RS512", keys: [own(["alg": "RS512"])], objection: "its alg is 'RS512', not RS256"),
            Row(
                testDescription: "key_ops without verify", keys: [own(["key_ops": ["encrypt"]])],
                objection: "its key_ops have no 'verify'"),
            Row(testDescription: "malformed", keys: [own(["n": "?"])], objection: "JWK: n is not base64url"),
            Row(testDescription: "alg of another kty", keys: [own(["alg": "ES256"])], objection: "does not fit kty 'RSA'"),
            Row(
                testDescription: "two, neither fit", keys: [ec, own(["use": "enc"])],
                objection: "its kty is for ES256, not for RS256; its use is 'enc', not sig"),
            Row(testDescription: "another kid", keys: [own(["kid": "other"])], objection: "has 'other'"),
            Row(testDescription: "no keys", keys: [], objection: "has none"),
        ]
    }

    @Test(arguments: Row.all)
    func `a published key is chosen by kid, type, use and algorithm, and a refusal gives the reason if none fits`(_ row: Row) async throws {
        let keys: JSON = ["keys": .array(row.keys)]
        try await ScriptedServer.run({ _ in .answer(200, keys.text) }) { brand in
            let issuer = Brand.configured(["certificate": "jwks", "jwksURI": .string(brand.url("/keys"))])
            try await TestServer.run(.pipeline, tenants: ["liveperson": ["issuers": [issuer]]]) { server in
                let scene = try await Scene(server)
                let answer = try await scene.signIn(.v2, token: Brand.token())
                guard let objection = row.objection else {
                    #expect(answer.status == 200, "\(answer.text)")
                    return
                }
                let entry = try await scene.entry("liveperson.authenticateV2")
                #expect(entry?.answerName == "unknown-key" && entry?.cause.contains(objection) == true, "\(entry?.cause ?? "")")
                #expect(entry?.cause.hasPrefix("kid is 'brand-key-1', ") == true)
            }
        }
    }

    @Test(arguments: [
        "-----BEGIN PUBLIC KEY-----\\n\(Brand.publicKey)\\n-----END PUBLIC KEY-----\\n",
        "-----BEGIN PUBLIC KEY-----\\r\\n\(Brand.publicKey.prefix(64))\\r\\n\(Brand.publicKey.dropFirst(64))\\r\\n-----END PUBLIC KEY-----",
    ])
    func `a PEM with escaped line breaks is read`(_ text: String) async throws {
        let issuer = Brand.configured(["publicKey": .string(text)])
        try await TestServer.run(.pipeline, tenants: ["liveperson": ["issuers": [issuer]]]) { server in
            let scene = try await Scene(server)
            #expect(try await scene.signIn(.v2, token: Brand.token()).status == 200)
        }
    }

    @Test(arguments: ["liveperson", "cxone", "asapp"])
    func `a P-256 key is refused where an RSA key is documented`(_ vendor: String) async throws {
        let key = try #require(try Brand.pool.ec(0).publicKeyBase64)
        let patch: JSON = ["issuers": [Brand.configured(["publicKey": .string(key)])]]
        try await TestServer.run(.pipeline) { server in
            let answer = try await server.send(
                .patch, "/__admin/sandboxes/default/tenants/\(vendor)", headers: [.contentType: "application/json"], body: patch.bytes)
            #expect(answer.status == 422 && answer.text.contains("issuers/0/publicKey"), "\(answer.text)")
            #expect(answer.text.contains("a P-256 key; tokens are signed with RS256: an RSA key"), "\(answer.text)")
        }
    }

    /// Such a provider's keys are looked up, as there is no RSA key to configure.
    @Test func `a vendor that trusts a provider with P-256 keys refuses its tokens by their algorithm`() async throws {
        try await TestServer.run(.pipeline, tenants: ["identity": ["algorithm": "ES256"]]) { server in
            let scene = try await Scene(server)
            #expect(scene.liveperson["issuers"]?.array?.first?["certificate"] == "jwks")
            _ = try await scene.signIn(.v2, token: scene.mint(["form": "jwt"]))
            #expect(try await scene.entry("liveperson.authenticateV2")?.cause == "alg is 'ES256', only RS256 is accepted")
        }
    }
}

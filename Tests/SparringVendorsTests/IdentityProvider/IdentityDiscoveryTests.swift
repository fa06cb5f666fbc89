import HTTPTypes
import JWTKit
import SparringEngine
import SparringJSON
import SparringTokens
import Support
import Testing

/// Discovery and keys, against OpenID Connect Discovery 1.0, RFC 8414 and RFC 7517.
@Suite struct IdentityDiscoveryTests {
    @Test(arguments: TestServer.Speed.usual, ["openid-configuration", "oauth-authorization-server"])
    func `the metadata leads to every endpoint`(_ speed: TestServer.Speed, _ document: String) async throws {
        try await TestServer.run(speed) { server in
            let scene = try await Scene(server)
            let answer = try await server.send(.get, "\(scene.provider)/.well-known/\(document)")
            #expect(answer.status == 200 && answer.headers[.contentType] == "application/json")
            let metadata = try #require(answer.json)
            // OpenID Connect Discovery §4.3: the issuer is the URL that the document was asked for under.
            let base = server.addresses.baseURL
            #expect(metadata["issuer"] == .string(base + scene.provider))
            #expect(metadata["authorization_endpoint"] == .string(base + scene.provider + "/authorize"))
            #expect(metadata["token_endpoint"] == .string(base + scene.provider + "/token"))
            #expect(metadata["jwks_uri"] == .string(base + scene.provider + "/jwks.json"))
            #expect(metadata["response_types_supported"]?.strings.isSuperset(of: ["code", "id_token", "id_token token"]) == true)
            #expect(metadata["grant_types_supported"]?.strings.isSuperset(of: ["authorization_code", "implicit", "refresh_token"]) == true)
            #expect(metadata["response_modes_supported"]?.strings == ["query", "fragment", "form_post"])
            #expect(metadata["subject_types_supported"]?.strings == ["public"])
            #expect(metadata["token_endpoint_auth_methods_supported"]?.strings == ["client_secret_basic", "client_secret_post"])
            #expect(metadata["code_challenge_methods_supported"]?.strings == ["S256", "plain"])
            #expect(metadata["scopes_supported"]?.strings.contains("openid") == true)
            // RS256 must be among them (§3).
            #expect(metadata["id_token_signing_alg_values_supported"]?.strings.contains("RS256") == true)
        }
    }

    @Test func `the issuer is the server by the name that the client used`() async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            let base = "http://localhost:\(server.addresses.port)"
            let headers: HTTPFields = [.init("Host")!: "localhost:\(server.addresses.port)"]
            let metadata = try await server.send(.get, "\(scene.provider)/.well-known/openid-configuration", headers: headers).json
            #expect(metadata?["issuer"] == .string(base + scene.provider))
            #expect(metadata?["token_endpoint"] == .string(base + scene.provider + "/token"))
        }
    }

    @Test func `a configured issuer stands in the metadata and in the tokens`() async throws {
        let tenants: JSON.Object = ["identity": ["issuer": "https://login.brand.example"]]
        try await TestServer.run(tenants: tenants) { server in
            let scene = try await Scene(server)
            let metadata = try await server.send(.get, "\(scene.provider)/.well-known/openid-configuration").json
            #expect(metadata?["issuer"] == "https://login.brand.example")
            let token = try await scene.mint(["form": "jwt"])
            #expect(try Brand.claims(of: token)["iss"] == "https://login.brand.example")
            #expect(try await scene.signIn(.v2, token: token).status == 200)
        }
    }

    @Test(arguments: SigningAlgorithm.allCases)
    func `id tokens verify by jwt-kit with what is published`(_ algorithm: SigningAlgorithm) async throws {
        let tenants: JSON.Object = [
            "identity": ["algorithm": .string(algorithm.rawValue), "clientSecret": "a secret of thirty-two bytes or more"]
        ]
        try await TestServer.run(tenants: tenants) { server in
            let scene = try await Scene(server)
            let answer = try await scene.redeem(code: scene.code(["nonce": "n-0S6_WzA2Mj"]))
            let claims = try await Brand.claims(of: try #require(answer.json?["id_token"]?.string), verifiedWith: keys(scene, algorithm))
            #expect(claims["jti"]?.string?.count == 36)
            let access = try #require(answer.json?["access_token"]?.string)
            #expect(
                claims == [
                    "jti": claims["jti"] ?? .null, "iss": .string(scene.issuer), "sub": "ada", "aud": .string(scene.clientId),
                    "iat": .integer(Scene.now),
                    "exp": .integer(Scene.now + 3600), "nonce": "n-0S6_WzA2Mj", "at_hash": .string(algorithm.halfHash(of: access)),
                ])
            let metadata = try await server.send(.get, "\(scene.provider)/.well-known/openid-configuration").json
            #expect(metadata?["id_token_signing_alg_values_supported"]?.strings.contains(algorithm.rawValue) == true)
        }
    }

    @Test(arguments: [SigningAlgorithm.rs256, .es256])
    func `keys are published with what RFC 7517 asks for and nothing private`(_ algorithm: SigningAlgorithm) async throws {
        try await TestServer.run(tenants: ["identity": ["algorithm": .string(algorithm.rawValue)]]) { server in
            let scene = try await Scene(server)
            let published = try #require(try await server.send(.get, "\(scene.provider)/jwks.json").json?["keys"]?.array)
            #expect(published.count == 1)
            let key = try #require(published.first?.object)
            let members: Set =
                algorithm == .rs256 ? ["kty", "use", "alg", "kid", "n", "e"] : ["kty", "use", "alg", "kid", "crv", "x", "y"]
            #expect(Set(key.keys) == members)
            #expect(key["alg"] == .string(algorithm.rawValue) && key["use"] == "sig" && key["kid"] == scene.identity["kid"])
            let token = try await scene.mint(["form": "jwt"])
            #expect(try JWS(parsing: token).kid == key["kid"]?.string)
        }
    }

    @Test func `a shared secret is never published`() async throws {
        try await TestServer.run(tenants: ["identity": ["algorithm": "HS256"]]) { server in
            let scene = try await Scene(server)
            let answer = try await server.send(.get, "\(scene.provider)/jwks.json")
            #expect(answer.status == 200 && answer.text == #"{"keys":[]}"#)
        }
    }

    // MARK: Rotation

    @Test(arguments: [SigningAlgorithm.rs256, .es256])
    func `each rotation brings a new key and the older ones stay published`(_ algorithm: SigningAlgorithm) async throws {
        try await TestServer.run(tenants: ["identity": ["algorithm": .string(algorithm.rawValue)]]) { server in
            var scene = try await Scene(server)
            var tokens = [try await scene.mint(["form": "jwt"])]
            for _ in 1...2 {
                let kid = try await server.admin(.post, "tenants/identity/keys/rotate")["kid"]
                scene = try await Scene(server)
                #expect(kid == scene.identity["kid"])
                tokens.append(try await scene.mint(["form": "jwt"]))
            }
            let kids = try tokens.map { try #require(try JWS(parsing: $0).kid) }
            #expect(Set(kids).count == 3, "\(kids)")
            let published = try await server.send(.get, "\(scene.provider)/jwks.json")
            let names = published.json?["keys"]?.array?.compactMap { $0["kid"]?.string } ?? []
            #expect(names == kids.reversed())
            for token in tokens { _ = try await Brand.claims(of: token, verifiedWith: keys(scene, algorithm)) }
        }
    }

    @Test(arguments: 0..<3)
    func `a rotation never brings back the key that signed before`(_ key: Int) async throws {
        try await TestServer.run(tenants: ["identity": ["algorithm": "ES256", "key": .integer(Int64(key))]]) { server in
            var before = try await Scene(server).identity["kid"]
            for _ in 1...5 {
                let kid = try await server.admin(.post, "tenants/identity/keys/rotate")["kid"]
                #expect(kid != before)
                before = kid
            }
        }
    }

    @Test func `after a rotation an account with the old public key refuses, one with the key set does not`() async throws {
        try await TestServer.run { server in
            let scene = try await Scene(server)
            #expect(try await scene.signIn(.v2, token: scene.mint(["form": "jwt"])).status == 200)
            let old = try await scene.mint(["form": "jwt"])
            try await server.admin(.post, "tenants/identity/keys/rotate")
            let answer = try await scene.signIn(.v2, token: scene.mint(["form": "jwt"]))
            #expect(answer.status == 500 && answer.text == #"{"internalErrorCode":"9007"}"#)
            #expect(
                try await scene.entry("liveperson.authenticateV2")?.cause
                    == "the signature does not verify with the public key configured for Brand")
            #expect(try await scene.signIn(.v2, token: old).status == 200)

            var issuer = try #require(scene.liveperson["issuers"]?.array?.first)
            issuer["certificate"] = "jwks"
            let trusting = try await scene.configure("liveperson", ["issuers": [issuer]])
            #expect(try await trusting.signIn(.v2, token: scene.mint(["form": "jwt"])).status == 200)
            #expect(try await trusting.signIn(.v2, token: old).status == 200)
        }
    }

    @Test func `an account's key set is read again for a kid it does not know, and only then`() async throws {
        try await TestServer.run { server in
            var scene = try await Scene(server)
            var issuer = try #require(scene.liveperson["issuers"]?.array?.first)
            issuer["certificate"] = "jwks"
            scene = try await scene.configure("liveperson", ["issuers": [issuer]])
            for _ in 1...3 { #expect(try await scene.signIn(.v2, token: scene.mint(["form": "jwt"])).status == 200) }
            #expect(try await server.journal("?operation=identity.readKeys").count == 1)
            try await server.admin(.post, "tenants/identity/keys/rotate")
            for _ in 1...3 { #expect(try await scene.signIn(.v2, token: scene.mint(["form": "jwt"])).status == 200) }
            #expect(try await server.journal("?operation=identity.readKeys").count == 2)
        }
    }

    private func keys(_ scene: Scene, _ algorithm: SigningAlgorithm) async throws -> JWTKeyCollection {
        let keys = JWTKeyCollection()
        if algorithm == .hs256 {
            await keys.add(hmac: HMACKey(from: scene.clientSecret), digestAlgorithm: .sha256)  // OpenID Connect Core §10.1
        } else {
            try await keys.add(jwksJSON: scene.server.send(.get, "\(scene.provider)/jwks.json").text)
        }
        return keys
    }
}

extension JSON {
    /// The strings of an array.
    var strings: Set<String> { Set(array?.compactMap(\.string) ?? []) }
}

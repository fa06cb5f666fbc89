import HTTPTypes
import SparringJSON
import SparringTokens
import Support
import Testing

/// A provider's configuration: what is refused, what stands where nothing is said.
@Suite struct IdentitySettingsTests {
    /// Configurations, and why they are refused: after `tenants.identity`.
    private static let unsound: [(JSON, String)] = [
        (["tenantIdx": 1], ".tenantIdx: unknown member 'tenantIdx' (did you mean 'tenantId'?)"),
        (["clientId": 7], ".clientId: 7 is not a string"),
        (["clientId": ""], ".clientId: '' is shorter than 1 character"),
        (["clientSecret": ""], ".clientSecret: '' is shorter than 1 character"),
        (["clientAuthentication": "public"], ".clientAuthentication: 'public' is not one of 'secret', 'none'"),
        (["redirectURIs": "app:/done"], #".redirectURIs: "app:/done" is not a list"#),
        (["redirectURIs": []], ".redirectURIs: 0 items, at least 1 expected"),
        (["redirectURIs": [7]], ".redirectURIs[0]: 7 is not a string"),
        (
            ["redirectURIs": ["app:/done", "/done"]],
            ".redirectURIs[1]: '/done' is not an absolute URI without a fragment (RFC 6749 §3.1.2), such as myapp://signed-in"
        ),
        (
            ["postLogoutRedirectURIs": ["app:/bye#now"]],
            ".postLogoutRedirectURIs[0]: 'app:/bye#now' is not an absolute URI without a fragment (RFC 6749 §3.1.2), such as myapp://signed-in"
        ),
        (["clients": [["clientSecret": "x"]]], ".clients[0].clientId: required member 'clientId' is missing"),
        (["clients": [[:]]], ".clients[0].clientId: required member 'clientId' is missing"),
        (["clients": [["clientId": "a", "id": "a"]]], ".clients[0].id: unknown member 'id'"),
        (["clients": [["clientId": ""]]], ".clients[0].clientId: '' is shorter than 1 character"),
        (["clients": [["clientId": "brand-app"]]], ".clients[0].clientId: it is another client's already"),
        (["clients": [["clientId": "a"], ["clientId": "a"]]], ".clients[1].clientId: 'a' is that of item 0 already"),
        (
            ["clients": [["clientId": "a", "clientSecret": ""]]],
            ".clients[0].clientSecret: '' is not a secret; a public client has none: leave the member out"
        ),
        (
            ["clients": [["clientId": "a", "redirectURIs": ["/x"]]]],
            ".clients[0].redirectURIs[0]: '/x' is not an absolute URI without a fragment (RFC 6749 §3.1.2), such as myapp://signed-in"
        ),
        (["clients": [["clientId": "a", "redirectURIs": []]]], ".clients[0].redirectURIs: 0 items, at least 1 expected"),
        (["errorDialect": "livepersn"], ".errorDialect: 'livepersn' is not one of 'rfc6749', 'liveperson' (did you mean 'liveperson'?)"),
        (["algorithm": "none"], ".algorithm: 'none' is not one of 'RS256', 'ES256', 'HS256'"),
        (
            ["clientAuthentication": "none", "algorithm": "HS256"],
            ".algorithm: HS256 is keyed with the client's secret: it needs exactly one client, with a secret (OpenID Connect Core §10.1)"
        ),
        (
            ["clients": [["clientId": "a"]], "algorithm": "HS256"],
            ".algorithm: HS256 is keyed with the client's secret: it needs exactly one client, with a secret (OpenID Connect Core §10.1)"
        ),
        (["encryption": ["publicKey": "no key"]], ".encryption.publicKey: PEM: not base64"),
        (["encryption": ["kid": "k"]], ".encryption.publicKey: member 'publicKey' is required where 'kid' is present"),
        (["encryption": ["alg": "RSA1_5"]], ".encryption.alg: 'RSA1_5' is not one of 'RSA-OAEP-256', 'RSA-OAEP'"),
        (["key": "1"], #".key: "1" is not a whole number"#),
        (["key": 4], ".key: 4 is greater than the maximum 3"),
        (["previousKeys": [0, -1]], ".previousKeys[1]: -1 is less than the minimum 0"),
        (["subjects": ["ada": "Ada"]], #".subjects.ada: "Ada" is not an object"#),
        (
            ["issuer": "https://a.example?x"],
            ".issuer: 'https://a.example?x' is not a URL without query and fragment, such as https://login.brand.example "
                + "(OpenID Connect Discovery §3)"
        ),
        (["appKey": ["id": "app_1"]], ".appKey.secret: required member 'secret' is missing"),
    ]

    @Test(arguments: unsound)
    func `a configuration that cannot be is refused with its place and the reason`(_ configuration: JSON, _ reason: String) async throws {
        try await TestServer.run(.pipeline) { server in
            let problem = try await server.problem(.post, "/__admin/sandboxes", ["tenants": ["identity": configuration]])
            #expect(problem.status == 422 && problem.detail == "tenants.identity" + reason, "\(problem)")
        }
    }

    @Test(
        arguments: [
            (["redirectURIs": ["/done"]], "/redirectURIs/0", "'/done' is not an absolute URI"),
            (["clients": [["clientId": "brand-app"]]], "/clients/0/clientId", "it is another client's already"),
            (["clients": [["clientId": "a"], ["clientId": "a"]]], "/clients/1/clientId", "'a' is that of item 0 already"),
            (["appKey": ["secret": .null]], "/appKey/secret", "required member 'secret' is missing"),
        ] as [(JSON, String, String)])
    func `a change to what cannot be is refused`(_ patch: JSON, _ place: String, _ reason: String) async throws {
        try await TestServer.run(.pipeline) { server in
            let before = try await server.admin(.get, "tenants/identity")
            let problem = try await server.problem(.patch, "/__admin/sandboxes/default/tenants/identity", patch)
            #expect(problem.words == "422 configuration-invalid \(place)" && problem.detail.contains(reason), "\(problem)")
            #expect(try await server.admin(.get, "tenants/identity") == before)
        }
    }

    @Test func `what is not configured is as the contract says, and null restores that`() async throws {
        try await TestServer.run(.pipeline, tenants: ["identity": ["encryption": ["enc": "A256GCM"], "pkce": .null]]) { server in
            let tenant = try await server.admin(.get, "tenants/identity")
            #expect(tenant["encryption"] == ["enc": "A256GCM", "alg": "RSA-OAEP-256"])
            #expect(tenant["pkce"] == "optional" && tenant["clientId"] == "brand-app" && tenant["tokenLifetime"] == "1h")
            #expect(tenant["redirectURIs"] == ["https://liveperson.net"] && tenant["postLogoutRedirectURIs"] == nil)
            let changed = try await server.admin(.patch, "tenants/identity", ["tokenLifetime": "5m", "redirectURIs": ["app:/done"]])
            #expect(changed["tokenLifetime"] == "5m" && changed["redirectURIs"] == ["app:/done"])
            let restored = try await server.admin(.patch, "tenants/identity", ["tokenLifetime": .null, "redirectURIs": .null])
            #expect(restored["tokenLifetime"] == "1h" && restored["redirectURIs"] == ["https://liveperson.net"])
        }
    }

    @Test func `a rotation changes the keys and nothing else`() async throws {
        try await TestServer.run(.pipeline, tenants: ["identity": ["key": 3, "previousKeys": [0, 2]]]) { server in
            var before = try await server.admin(.get, "tenants/identity")
            try await server.admin(.post, "tenants/identity/keys/rotate")
            let after = try await server.admin(.get, "tenants/identity")
            (before["key"], before["previousKeys"]) = (0, [3, 2])
            #expect(after["key"] == 0 && after["previousKeys"] == [3, 2])
            for member in ["clientId", "clientSecret", "subjects", "encryption", "redirectURIs", "appKey"] {
                #expect(after[member] == before[member], "\(member)")
            }
        }
    }

    @Test func `tokens are encrypted for the key that is configured, under its id`() async throws {
        let key = try Brand.pool.rsa(5)
        let encryption: JSON = .members(["publicKey": key.publicKeyBase64.map { .string($0) }, "kid": "of the app", "alg": "RSA-OAEP"])
        try await TestServer.run(.pipeline, tenants: ["identity": ["encryption": encryption]]) { server in
            let token = try JWE(parsing: try await Scene(server).mint(["form": "jwe"]))
            #expect(token.header["kid"] == "of the app" && token.header["alg"] == "RSA-OAEP" && token.header["enc"] == "A128CBC-HS256")
            #expect(try token.decrypt(with: DecryptionKey(key)).isEmpty == false)
        }
    }

    @Test func `a client's null secret makes it a public client`() async throws {
        let clients: JSON = [["clientId": "my-app", "clientSecret": .null, "redirectURIs": .null]]
        try await TestServer.run(.pipeline, tenants: ["identity": ["clients": clients]]) { server in
            let scene = try await Scene(server)
            #expect(scene.identity["clients"] == [["clientId": "my-app", "redirectURIs": ["https://liveperson.net"]]])
        }
    }
}

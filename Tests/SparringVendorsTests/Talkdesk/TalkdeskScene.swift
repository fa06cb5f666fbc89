import Foundation
import HTTPTypes
import SparringEngine
import SparringJSON
import SparringTokens
import Support
import Testing

/// An account at Talkdesk, a client of Talkdesk ID, and an app. Paths stand here as the reference has them, not as the contract does.
struct TalkdeskScene: Sendable {
    let server: TestServer
    var account = Self.account
    var client = Self.client
    var sandbox = "default"
    static let account = "acme"
    static let client = "3f1c2a7be9d84c05a6b1d2e3f4a5b6c7"
    static let secret = "talkdesk-secret"
    static let callback = "https://brand.example/talkdesk/callback"

    /// - Parameter members: further members of the client's configuration.
    static func clients(_ members: JSON.Object = [:]) -> JSON {
        let key = (try? Brand.pool.ec(4))?.publicKeyBase64 ?? ""
        let client: JSON = [
            "id": .string(client), "secret": .string(secret), "keys": [["kid": "key-1", "publicKey": .string(key)]],
            "redirectURIs": [.string(callback)],
        ]
        return [client.merging(.object(members))]
    }

    static func tenants(_ members: JSON.Object = [:]) -> JSON.Object {
        let own: JSON = ["account": .string(account), "clients": clients()]
        return ["talkdesk": own.merging(.object(members)), "identity": ["tenantId": "brand"]]
    }

    static func run(
        _ members: JSON.Object = [:], _ speed: TestServer.Speed = .pipeline, _ body: (TalkdeskScene) async throws -> Void
    ) async throws {
        try await TestServer.run(speed, tenants: tenants(members)) { server in
            try await body(TalkdeskScene(server: server))
            // Nothing that the vendor answers breaks its contract.
            let found = try await server.journal("?kind=finding")
            #expect(found.isEmpty, "\(found.map(\.text))")
        }
    }

    func advance(_ by: String) async throws { try await server.admin(.post, "clock/advance", ["by": .string(by)], sandbox: sandbox) }

    @discardableResult
    func act(_ name: String, _ body: JSON) async throws -> JSON {
        try await server.admin(.post, "acts", ["operation": .string(name), "vendor": "talkdesk", "with": body], sandbox: sandbox)
    }

    func entry(_ operation: String) async throws -> JSON {
        try #require(try await server.journal("?operation=talkdesk.\(operation)", sandbox: sandbox).last, "no entry of \(operation)")
    }

    /// The name of the last answer to an operation, and what was wrong with its request.
    func answer(to operation: String) async throws -> String { try await entry(operation)["answer"]?["name"]?.string ?? "" }
    func findings(of operation: String) async throws -> [String] {
        try await entry(operation)["findings"]?.array?.compactMap { $0["code"]?.string } ?? []
    }

    // MARK: Talkdesk ID

    static func basic(_ user: String, _ password: String) -> String { "Basic " + Data("\(user):\(password)".utf8).base64EncodedString() }

    /// - Parameter basic: of the client; nil: it is left out.
    func token(_ form: [String: String], basic: String? = Self.basic(Self.client, Self.secret)) async throws -> TestAnswer {
        var headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        headers[.authorization] = basic
        let body = form.sorted { $0.key < $1.key }.map { "\(Form.encoded($0.key))=\(Form.encoded($0.value))" }.joined(separator: "&")
        return try await server.send(.post, "/oauth/token", headers: headers, body: Array(body.utf8))
    }

    /// The form of `private_key_jwt` as the vendor's Ruby sample sends it.
    static func form(_ assertion: String, of client: String = Self.client) -> [String: String] {
        [
            "grant_type": "client_credentials", "scope": "visual-sessions:execute", "client_id": client,
            "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer", "client_assertion": assertion,
        ]
    }

    /// An assertion as it should be, but for what is said.
    ///
    /// - Parameter claims: in place of the usual ones; null: the claim is left out.
    func assertion(_ claims: JSON.Object = [:], kid: String? = "key-1", key: Int = 4, alg: String = "ES256") async throws -> String {
        let now = try await now()
        var payload: JSON = [
            "jti": .string(UUID().uuidString), "sub": .string(client), "iss": .string(client),
            "aud": "https://\(account).talkdeskid.com/oauth/token", "iat": .integer(now), "exp": .integer(now + 300),
        ]
        for (name, value) in claims { payload[name] = value.isNull ? nil : value }
        return JWS.sign(
            exactly: .members(["kid": kid.map { .string($0) }, "alg": .string(alg)]), payload: payload, with: try Brand.pool.ec(key))
    }

    func now() async throws -> Int64 {
        let text = try await server.admin(.get, "clock", sandbox: sandbox)["now"]?.string ?? ""
        return Int64(try Date(text, strategy: .iso8601.year().month().day().time(includingFractionalSeconds: true)).timeIntervalSince1970)
    }

    /// A code for somebody who signs in.
    func code(_ person: String = "ada", scope: String = "openid visual-sessions:execute") async throws -> String {
        let answer = try await authorize(["scope": scope, "login_hint": person])
        let location = try #require(answer.headers[.location], "\(answer.status)")
        return try #require(URLComponents(string: location)?.queryItems?.first { $0.name == "code" }?.value, "\(location)")
    }

    func authorize(_ parameters: [String: String?]) async throws -> TestAnswer {
        var all: [String: String?] = [
            "client_id": client, "redirect_uri": Self.callback, "response_type": "code", "state": "s1", "login_hint": "ada",
        ]
        for (name, value) in parameters { all[name] = value }
        let query = all.compactMap { name, value in value.map { "\(name)=\(Form.encoded($0))" } }.sorted().joined(separator: "&")
        return try await server.send(.get, "/oauth/authorize?\(query)")
    }

    func redeem(_ code: String, _ uri: String = Self.callback) async throws -> TestAnswer {
        try await token(["grant_type": "authorization_code", "code": code, "redirect_uri": uri])
    }

    func refresh(_ token: String) async throws -> TestAnswer {
        try await self.token(["grant_type": "refresh_token", "refresh_token": token])
    }

    // MARK: The backend and what tokens open

    /// - Parameter session: of the brand's identity provider.
    func access(session: String? = nil) async throws -> TestAnswer {
        var headers: HTTPFields = [:]
        headers[.authorization] = session.map { "Bearer \($0)" }
        return try await server.send(.get, "/access?account=\(account)", headers: headers)
    }

    func session(_ person: String) async throws -> String {
        let minted = try await server.admin(
            .post, "credentials", ["form": "access-token", "subject": .string(person)], sandbox: sandbox)
        return try #require(minted["credential"]?.string, "\(minted.text)")
    }

    /// Somebody who is signed in and has an access token.
    func person(_ name: String) async throws -> TalkdeskPerson {
        let answer = try await access(session: session(name))
        try #require(answer.status == 200, "\(answer.text)")
        return TalkdeskPerson(scene: self, name: name, token: answer.text)
    }

    /// Does something that leaves rows in each of the vendor's tables.
    func leaveRowsEverywhere() async throws {
        let ada = try await person("ada")
        _ = try await ada.send("hello", in: try await ada.start())
        let client = try await server.admin(.get, "tenants/talkdesk", sandbox: sandbox)["clientId"]?.string ?? ""
        let other = TalkdeskScene(server: server, account: account, client: client, sandbox: sandbox)
        let basic = Self.basic(client, Self.secret)
        let form = ["grant_type": "authorization_code", "code": try await other.code(), "redirect_uri": Self.callback]
        let token = try await other.token(form, basic: basic).json?["access_token"]?.string ?? ""
        #expect(!token.isEmpty)
        let all = try await other.token(["grant_type": "client_credentials"], basic: basic).json?["access_token"]?.string ?? ""
        let created = try await TalkdeskPerson(scene: other, name: client, token: all).call(
            .post, "/digital-connect/conversations", ["touchpoint_id": "19db026c7f9244e19789e3ea4bb84359"], key: "k-1")
        #expect(created.status == 201, "\(created.text)")
    }
}

/// Somebody with an access token.
struct TalkdeskPerson: Sendable {
    let scene: TalkdeskScene
    let name: String
    var token: String

    func call(_ method: HTTPRequest.Method, _ path: String, _ body: JSON? = nil, key: String? = nil) async throws -> TestAnswer {
        let path = path.hasPrefix("/visual-sessions") ? "/gateway/\(scene.account)\(path)" : path
        var headers: HTTPFields = [.authorization: "Bearer \(token)"]
        if let key { headers[HTTPField.Name("x-idempotency-key")!] = key }
        if let body { return try await scene.server.send(method, path, headers: headers, json: body) }
        return try await scene.server.send(method, path, headers: headers)
    }

    /// Starts an interaction, and returns its id.
    func start() async throws -> String {
        let answer = try await call(.post, "/visual-sessions/interactions", ["app_id": "example-app-ios", "intention": "support"])
        return try #require(answer.json?["id"]?.string, "\(answer.text)")
    }

    func send(_ text: String, in interaction: String) async throws -> TestAnswer {
        try await call(.post, "/visual-sessions/interactions/\(interaction)/messages", ["text": .string(text)])
    }

    func read(_ interaction: String) async throws -> TestAnswer { try await call(.get, "/visual-sessions/interactions/\(interaction)") }
    func end(_ interaction: String) async throws -> TestAnswer { try await call(.delete, "/visual-sessions/interactions/\(interaction)") }
}

extension TestAnswer {
    /// `401 invalid_client`, or `401 0040101`.
    var talkdeskWords: String { "\(status) \(json?["error"]?.string ?? json?["code"]?.string ?? "")" }
}

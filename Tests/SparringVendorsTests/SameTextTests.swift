import HTTPTypes
import SparringJSON
import Support
import Testing

/// To Swift's `==` the Kelvin sign is a K, and an `é` is one however it is made up. To what checks a secret, an id or a URI it is not.
@Suite struct SameTextTests {
    private static let kelvin = "\u{212A}"

    @Test(arguments: [
        ("Kay", "Ke\u{E9}", 200), ("\u{212A}ay", "Ke\u{E9}", 401), ("Kay", "\u{212A}e\u{E9}", 401), ("Kay", "Kee\u{301}", 401),
    ])
    func `a client's id and secret are taken as they were given only`(_ id: String, _ secret: String, _ status: Int) async throws {
        try await TestServer.run(.pipeline, tenants: ["identity": ["clientId": "Kay", "clientSecret": "Ke\u{E9}"]]) { server in
            let scene = try await Scene(server)
            let code = try await scene.code()
            let form: KeyValuePairs<String, String?> = [
                "grant_type": "authorization_code", "code": code, "redirect_uri": Scene.redirectURI,
            ]
            let answer = try await scene.redeem(form, basic: .some((id, secret)))
            #expect(answer.status == status, "\(answer.text)")
            let inBody = try await scene.redeem(
                [
                    "grant_type": "authorization_code", "code": try await scene.code(), "redirect_uri": Scene.redirectURI,
                    "client_id": id, "client_secret": secret,
                ], basic: .some(nil))
            #expect(inBody.status == status, "\(inBody.text)")
        }
    }

    @Test func `nobody is sent to a redirect URI that only looks like a registered one`() async throws {
        let registered = "https://a.example/K"
        let tenants: JSON.Object = ["identity": ["clientId": "Kay", "redirectURIs": [.string(registered)]]]
        try await TestServer.run(.pipeline, tenants: tenants) { server in
            let scene = try await Scene(server)
            let looksLikeIt = registered.replacing("K", with: Self.kelvin)
            for parameters in [["redirect_uri": looksLikeIt], ["redirect_uri": registered, "client_id": "\(Self.kelvin)ay"]] {
                let answer = try await scene.authorize(
                    ["redirect_uri": parameters["redirect_uri"], "client_id": parameters["client_id"] ?? scene.clientId])
                #expect(answer.status == 400 && answer.headers[.location] == nil, "\(answer.status) \(answer.text)")
            }
            let code = try await scene.code(["redirect_uri": registered])
            for (uri, status) in [(looksLikeIt, 400), (registered, 200)] {
                let answer = try await scene.redeem(["grant_type": "authorization_code", "code": code, "redirect_uri": uri])
                #expect(answer.status == status, "\(answer.text)")
            }
        }
    }

    @Test(arguments: [("K-bot", "K3y", 200), ("\u{212A}-bot", "K3y", 401), ("K-bot", "\u{212A}3y", 401)])
    func `an app's id and secret are taken as they were given only`(_ id: String, _ secret: String, _ status: Int) async throws {
        let account: JSON = ["accountId": "acme", "appInstallations": [["id": "app-1", "clientId": "K-bot", "clientSecret": "K3y"]]]
        try await TestServer.run(.pipeline, tenants: ["liveperson": account]) { server in
            let answer = try await server.send(
                "/sentinel/api/account/acme/app/token?v=1.0&grant_type=client_credentials",
                form: ["client_id": id, "client_secret": secret])
            #expect((answer.status == 200) == (status == 200), "\(answer.text)")
            if status != 200 { #expect(answer.json?["error"] == "invalid_client", "\(answer.text)") }
        }
    }

    @Test(
        arguments: [
            (["username": "alex", "password": "Key"], 200), (["username": "alex", "password": "\u{212A}ey"], 401),
            (["jwt": "dummy", "assertion": "saml-K"], 200), (["jwt": "dummy", "assertion": "saml-\u{212A}"], 401),
            (["username": "alex", "appKey": "K", "secret": "K", "accessToken": "K", "accessTokenSecret": "K"], 200),
            (["username": "alex", "appKey": "K", "secret": "\u{212A}", "accessToken": "K", "accessTokenSecret": "K"], 401),
            (["username": "alex", "appKey": "K", "secret": "K", "accessToken": "K", "accessTokenSecret": "\u{212A}"], 401),
        ] as [(JSON, Int)])
    func `an agent's credentials are taken as they were given only`(_ body: JSON, _ status: Int) async throws {
        let agent: JSON = [
            "userId": "55", "loginName": "alex", "password": "Key", "assertion": "saml-K",
            "apiKey": ["appKey": "K", "secret": "K", "accessToken": "K", "accessTokenSecret": "K"],
        ]
        let account: JSON = ["accountId": "acme", "agents": [agent]]
        try await TestServer.run(.pipeline, tenants: ["liveperson": account]) { server in
            let answer = try await server.send(.post, MessagingScene.login, json: body)
            #expect(answer.status == status, "\(answer.text)")
        }
    }

    @Test(arguments: [("acmeK", 200), ("acme%E2%84%AA", 404)])
    func `an account is found by its own id only`(_ account: String, _ status: Int) async throws {
        try await TestServer.run(.pipeline, tenants: ["liveperson": ["accountId": "acmeK"]]) { server in
            let answer = try await server.send(.get, "/api/account/\(account)/service/idp/baseURI.json?version=1.0")
            #expect(answer.status == status, "\(answer.text)")
        }
    }
}

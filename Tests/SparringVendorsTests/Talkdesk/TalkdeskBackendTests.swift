import HTTPTypes
import SparringJSON
import SparringTokens
import Support
import Testing

/// The brand's backend that Sparring plays, in both documented forms (Authorization; Talkdesk reference 3.3), and what its tokens open.
@Suite struct TalkdeskBackendTests {
    /// The path, the credentials, and the answer: status, media type and name.
    @Test(
        arguments: [
            ("/token/example-app-ios", TalkdeskScene.basic("user", "pwd"), "201 application/json", "token-given"),
            ("/token/example-app-ios/", TalkdeskScene.basic("user", "pwd"), "201 application/json", "token-given"),
            ("/token/example-app-ios", TalkdeskScene.basic("user", "wrong"), "401 text/plain", "app-credentials-refused"),
            ("/token/example-app-ios", nil, "401 text/plain", "app-credentials-refused"),
            ("/token/example-app-ios", "Bearer nonsense", "401 text/plain", "app-credentials-refused"),
            ("/token/example-app-web", TalkdeskScene.basic("user", "pwd"), "404 application/json", "app-unknown"),
        ] as [(String, String?, String, String)])
    func `the form of the published samples`(_ path: String, _ basic: String?, _ words: String, _ name: String) async throws {
        try await TalkdeskScene.run { scene async throws in
            var headers: HTTPFields = [.accept: "application/json"]
            headers[.authorization] = basic
            let answer = try await scene.server.send(.post, path, headers: headers)
            #expect("\(answer.status) \(answer.headers[.contentType] ?? "")" == words)
            let entry = try #require(try await scene.server.journal().last { $0["operation"]?.string?.hasPrefix("talkdesk.fetch") == true })
            #expect(entry["answer"]?["name"]?.string == name)
            #expect((answer.json?["auth_token"]?.string != nil) == (answer.status == 201))
        }
    }

    @Test func `the form of the guide: 200 and the raw token, by a real call to Talkdesk ID each time`() async throws {
        try await TalkdeskScene.run { scene async throws in
            let first = try await scene.access()
            let second = try await scene.access()
            #expect(first.status == 200 && first.headers[.contentType] == "text/plain" && first.text != second.text)
            let calls = try await scene.server.journal("?operation=talkdesk.issueToken")
            #expect(calls.count == 2 && calls.allSatisfy { $0["causedBy"] != nil && $0["answer"]?["name"] == "token-issued" })
            // The second one had no need.
            #expect(try await scene.findings(of: "fetchAccess") == ["token-still-good"])
            try await scene.advance("9m")
            _ = try await scene.access()
            #expect(try await scene.findings(of: "fetchAccess").isEmpty, "a token may be renewed in its last minute")
        }
    }

    /// The fault that is armed, and the backend's answer.
    @Test(arguments: [
        ("assertion defect=wrong-key", "500 talkdesk-refused", "assertion-bad-signature"),
        ("assertion defect=unknown-kid", "500 talkdesk-refused", "assertion-key-unknown"),
        ("assertion defect=wrong-audience", "500 talkdesk-refused", "assertion-audience-mismatch"),
        ("assertion defect=expired", "500 talkdesk-refused", "assertion-expired"),
        ("assertion defect=reused", "500 talkdesk-refused", "assertion-reused"),
    ])
    func `a defective assertion is really refused, and the app learns no more than that`(
        _ fault: String, _ words: String, _ name: String
    ) async throws {
        try await TalkdeskScene.run { scene async throws in
            _ = try await scene.access()
            _ = try await scene.server.arm("talkdesk.fetchAccess \(fault)")
            let answer = try await scene.access()
            #expect(try await "\(answer.status) \(scene.answer(to: "fetchAccess"))" == words)
            #expect(answer.json == ["error": "internal_server_error"])
            #expect(try await scene.answer(to: "issueToken") == name)
        }
    }

    @Test func `who is signed in at the brand is whose token it is, and the business may say no`() async throws {
        try await TalkdeskScene.run(["backend": ["requiresSession": true, "denied": ["mallory"]]]) { scene async throws in
            #expect(try await scene.access().json == ["error": "session_required"])
            #expect(try await scene.access(session: "nonsense").status == 401)
            #expect(try await scene.answer(to: "fetchAccess") == "session-unknown")
            #expect(try await scene.access(session: scene.session("mallory")).status == 403)
            let session = try await scene.session("ada")
            let ada = TalkdeskPerson(scene: scene, name: "ada", token: try await scene.access(session: session).text)
            let interaction = try await ada.start()
            let kept = try await scene.server.admin(.get, "talkdesk/conversations/\(interaction)")
            #expect(kept["consumer"] == "ada" && kept["status"] == "started")
            #expect(try await scene.entry("startInteraction")["lane"] == "ada")
            try await scene.advance("2h")
            #expect(try await scene.access(session: session).status == 401)
            #expect(try await scene.answer(to: "fetchAccess") == "session-expired")
        }
    }

    @Test func `the backend may prove itself by Basic`() async throws {
        try await TalkdeskScene.run(["backend": ["authentication": "client_secret_basic"]]) { scene async throws in
            #expect(try await scene.access().status == 200)
            let sent = try await scene.entry("issueToken")["request"]
            #expect(sent?["headers"]?.text.contains("Basic ") == true && sent?["body"]?.text.contains("client_assertion") == false)
        }
    }

    @Test func `secrets of the backend that come from an app are found`() async throws {
        try await TalkdeskScene.run { scene async throws in
            _ = try await scene.server.send(
                .get, "/access", headers: [.authorization: TalkdeskScene.basic(scene.client, TalkdeskScene.secret)])
            #expect(try await scene.findings(of: "fetchAccess").contains("client-secret-sent"))
            let refused = try await scene.server.send(
                .post, "/token/example-app-ios", headers: [.authorization: TalkdeskScene.basic(scene.client, TalkdeskScene.secret)])
            #expect(refused.status == 401)
            #expect(try await scene.findings(of: "fetchAppToken") == ["client-secret-sent"])
            #expect(try await scene.server.send(.get, "/access?account=typo").status == 404)
            let ada = try await scene.person("ada")
            #expect(try await scene.findings(of: "fetchAccess").isEmpty)
            _ = try await ada.send("-----BEGIN PRIVATE KEY-----", in: try await ada.start())
            #expect(try await scene.findings(of: "sendToInteraction") == ["client-secret-sent"])
        }
    }

    @Test(
        arguments: [
            ["clients": [["id": "a"], ["id": "a"]]], ["clients": [["id": "a", "keys": [["kid": "k", "publicKey": "nonsense"]]]]],
            ["clients": [["id": "a", "grantTypes": ["password"]]]], ["backend": ["client": "nobody"]], ["backend": ["apps": ["a/b"]]],
            ["backend": ["authentication": "tls"]], ["tokenLifetime": "soon"], ["agents": [["name": "no id"]]], ["tokenForm": "xml"],
            ["agents": [["id": "1", "script": [["do": ["act": "join"]]]]]], ["unknown": 1],
        ] as [JSON])
    func `a configuration that cannot be is refused, and nothing changes`(_ change: JSON) async throws {
        try await TalkdeskScene.run { scene async throws in
            let before = try await scene.server.admin(.get, "tenants/talkdesk")
            let answer = try await scene.server.send(.patch, "/__admin/sandboxes/default/tenants/talkdesk", json: change)
            #expect(answer.status == 422 && answer.json?["violations"]?.array?.isEmpty == false, "\(answer.text)")
            #expect(try await scene.server.admin(.get, "tenants/talkdesk") == before)
        }
    }

    @Test func `the private key is published with its own public key only`() async throws {
        for (key, isPublished) in [(4, true), (2, false)] {
            let keys: JSON = [["kid": "key-1", "publicKey": .string(try Brand.pool.ec(key).publicKeyBase64 ?? "")]]
            try await TalkdeskScene.run(["clients": TalkdeskScene.clients(["keys": keys])]) { scene async throws in
                let published = try await scene.server.admin(.get, "")["tenants"]?["talkdesk"]
                #expect((published?["privateKey"] != nil) == isPublished && published?["keyId"] == "key-1")
            }
        }
    }
}

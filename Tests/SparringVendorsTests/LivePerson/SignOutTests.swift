import HTTPTypes
import SparringJSON
import SparringTokens
import Support
import Testing

@testable import LivePersonVendor

/// Consumers who are signed out from LivePerson's side, and the tokens they had.
@Suite struct SignOutTests {
    private static let invalid = "Identity token is invalid"

    private func signOut(_ consumer: String, _ reason: String, _ scene: MessagingScene) async throws -> [String] {
        let answer = try await scene.server.admin(.post, "liveperson/sign-out", ["consumer": .string(consumer), "reason": .string(reason)])
        return (answer["done"]?.array ?? []).compactMap(\.string)
    }

    /// The pusher's answer to a bearer.
    private func pusher(_ token: String, _ scene: MessagingScene) async throws -> TestAnswer {
        try await scene.server.send(
            .get, "/mock/pusher/account/acme/unread?appId=test.brand.app", headers: [.authorization: "Bearer \(token)"])
    }

    private func initConnection(_ token: String, _ scene: MessagingScene) async throws -> SocketClient {
        let socket = try await scene.socket(token: nil)
        socket.send([
            "kind": "req", "id": "0", "type": "InitConnection",
            "headers": [["type": ".ams.headers.ConsumerAuthentication", "jwt": .string(token)]],
        ])
        return socket
    }

    /// Whether the socket, after anything else that it still has to send, is closed with this code.
    private func isRefused(_ socket: SocketClient, _ code: Int) async throws -> Bool {
        try await socket.end() == .closed(code: code, reason: Self.invalid)
    }

    @Test(arguments: ["revoked", "another-device"])
    func `their sockets are closed, their tokens refused everywhere until they sign in again, and nothing is lost`(_ reason: String)
        async throws
    {
        try await MessagingScene.run { scene in
            let credential = try await scene.server.admin(.post, "credentials", ["form": "jwt", "subject": "ada"])["credential"] ?? .null
            func signIn() async throws -> String {
                let answer = try await scene.server.send(.post, "/api/account/acme/authenticate", json: ["authCode": credential])
                return try #require(answer.json?["jwt"]?.string, "\(answer)")
            }
            let old = try await signIn()
            let (phone, tablet) = (try await scene.socket(token: old), try await initConnection(old, scene))
            #expect(try await tablet.request("KeepAlive")["code"] == 200)
            let eveToken = try await scene.token("eve")
            let eve = try await scene.socket(token: eveToken)
            let id = try await scene.conversation(phone)
            for text in ["one", "two"] { _ = try await scene.say(text, in: id, on: phone) }

            let done = try await signOut("ada", reason, scene)
            #expect(done == ["socket 1 closed with 4401", "socket 2 closed with 4401", "tokens given out before are refused"])
            for socket in [phone, tablet] { #expect(try await isRefused(socket, 4401)) }
            #expect(try await isRefused(try await scene.socket(token: old), 4401), "the old token opens no socket")
            #expect(try await isRefused(try await initConnection(old, scene), 4401))
            let refused = try await pusher(old, scene)
            #expect(refused.status == 401 && refused.json == ["error": "mock-token-revoked"], "\(refused.text)")
            #expect(try await pusher(eveToken, scene).status == 200)
            #expect(try await eve.isAlive(), "somebody else stays")
            #expect(try await scene.socket(token: eveToken).isAlive())

            try await scene.agentSays("three", in: id)
            // The brand's token may be used again until it expires (LivePerson reference 13); what it is traded for is a new one.
            let new = try await signIn()
            #expect(new != old)
            let again = try await scene.socket(token: new)
            _ = try await again.request("ms.SubscribeMessagingEvents", ["dialogId": .string(id), "fromSeq": 0])
            let changes = try await again.notification(MessagingScene.events)["body"]?["changes"]?.array ?? []
            #expect(changes.compactMap { $0["event"]?["message"]?.string } == ["one", "two", "three"])
            #expect(try await pusher(new, scene).status == 200)
            #expect(try await isRefused(try await scene.socket(token: old), 4401), "another device still has the old one")

            let entry = try #require(try await scene.server.journal("?kind=configuration").last { $0.cause.contains("signed out") })
            #expect(entry["lane"] == "ada" && entry.cause == "ada was signed out: \(done.joined(separator: "; "))")
            let closings = try await scene.server.journal("?kind=socket").filter { $0["causedBy"]?["operation"] == "liveperson.signOut" }
            #expect(
                closings.map(\.cause) == Array(repeating: "closing with 4401 '\(Self.invalid)': ada was signed out: \(reason)", count: 2))
            #expect(try await scene.server.journal("?kind=finding") == [])
        }
    }

    @Test func `it outlives a restart`() async throws {
        try await TemporaryFolder.database { database in
            var tokens: [String] = []
            try await MessagingScene.run(database: database) { scene in
                tokens.append(try await scene.token("ada"))
                _ = try await signOut("ada", "revoked", scene)
                tokens.append(try await scene.token("ada"))
                _ = try await signOut("ada", "revoked", scene)
            }
            try await MessagingScene.run(database: database) { scene in
                for token in tokens {
                    let socket = try await scene.socket(token: token)
                    #expect(try await isRefused(socket, 4401))
                    #expect(try await pusher(token, scene).status == 401)
                }
                let again = try await scene.socket("ada")
                #expect(try await again.isAlive())
            }
        }
    }

    @Test func `an account that refuses tokens at the upgrade does so here too`() async throws {
        var tenants = MessagingScene.tenants
        tenants["liveperson"] = ["accountId": "acme", "messaging": ["tokenRefusal": "httpStatus"]]
        try await MessagingScene.run(tenants: tenants) { scene in
            let token = try await scene.token("ada")
            _ = try await signOut("ada", "revoked", scene)
            let refused = await #expect(throws: SocketClient.Refused.self) { try await scene.socket(token: token) }
            #expect(refused?.answer.status == 401)
            let cause = try await scene.server.journal("?operation=liveperson.openConsumerSocket").last?.cause
            #expect(cause == "ada was signed out meanwhile")
        }
    }

    @Test(arguments: [false, true])
    func `an anonymous consumer is asked to extend the identity, and does`(_ isTraded: Bool) async throws {
        try await MessagingScene.run { scene in
            func trade(_ token: String) async throws -> String {
                guard isTraded else { return token }
                let answer = try await scene.server.send(
                    .post, "/api/account/acme/app/\(Scene.connector)/authenticate?v=3.0", json: ["id_token": .string(token)])
                return try #require(answer.json?["token"]?.string, "\(answer)")
            }
            let external = try await scene.anonymousToken()
            let token = try await trade(external)
            let socket = try await scene.socket(token: token)
            let consumer = try #require(try Brand.claims(of: external)["sub"]?.string)
            let done = try await signOut(consumer, "revoked", scene)
            #expect(done.contains("socket 1 closed with 4407"), "\(done)")
            #expect(try await isRefused(socket, 4407))
            #expect(try await isRefused(try await scene.socket(token: token), 4407))
            let answer = try await scene.server.send(
                .post, "/api/account/acme/anonymous/authorize", json: ["id_token": .string(external)])
            let extended = try #require(answer.json?["token"]?.string, "\(answer)")
            #expect(try Brand.claims(of: extended)["sub"]?.string == consumer)
            #expect(try await scene.socket(token: try await trade(extended)).isAlive())
        }
    }

    @Test func `a log-out unregisters from pushes and leaves the tokens alone`() async throws {
        try await MessagingScene.run { scene in
            let (ada, eve) = (
                try await Phone(try await Scene(scene.server)), try await Phone(try await Scene(scene.server), "eve", device: "phone-2")
            )
            for phone in [ada, eve] { try await phone.register() }
            let socket = try await scene.socket(token: ada.token)
            #expect(
                try await signOut("ada", "log-out", scene) == [
                    "socket 1 closed with 4401", "unregistered test.brand.app from device phone-1",
                ])
            #expect(try await isRefused(socket, 4401))
            #expect(try await ada.isRegistered() == false)
            #expect(try await eve.isRegistered() == true)
            #expect(try await scene.socket(token: ada.token).isAlive())
            #expect(try await ada.proactive() == ["the consumer has no registered device: no push"])
        }
    }

    @Test func `the other reasons leave the pushes alone`() async throws {
        try await MessagingScene.run { scene in
            let phone = try await Phone(try await Scene(scene.server))
            try await phone.register()
            #expect(try await signOut("ada", "revoked", scene) == ["no socket was open", "tokens given out before are refused"])
            let again = try await Phone(try await Scene(scene.server))
            #expect(try await again.isRegistered() == true)
        }
    }

    @Test func `consumers are listed with their open sockets`() async throws {
        try await MessagingScene.run { scene in
            #expect(try await scene.server.admin(.get, "consumers") == ["consumers": []])
            let token = try await scene.token("ada")
            let sockets = [try await scene.socket(token: token), try await scene.socket(token: token)]
            _ = try await scene.anonymousToken()
            for socket in sockets { #expect(try await socket.isAlive()) }
            let listed = try await scene.server.admin(.get, "consumers")["consumers"]?.array ?? []
            let ada = try #require(listed.first { $0["consumer"] == "ada" })
            #expect(ada["sockets"] == 2 && ada["signIns"] == 1 && ada["signOuts"] == 0 && ada["anonymous"] == false)
            #expect(ada["id"]?.string == (try Brand.claims(of: token)["sub"]?.string))
            #expect(listed.count == 2 && listed.contains { $0["anonymous"] == true && $0["sockets"] == 0 })
            _ = try await signOut("ada", "revoked", scene)
            for socket in sockets { _ = try await socket.end() }
            let now = try await scene.server.admin(.get, "consumers")["consumers"]?.array?.first { $0["consumer"] == "ada" }
            #expect(now?["signOuts"] == 1)
        }
    }

    @Test func `without a name the only one who has signed in is signed out, and of several none`() async throws {
        try await MessagingScene.run { scene in
            func unnamed() async throws -> (status: Int, text: String) {
                let answer = try await scene.server.send(
                    .post, "/__admin/sandboxes/default/liveperson/sign-out", json: ["reason": "revoked"])
                return (answer.status, answer.json?["detail"]?.string ?? answer.text)
            }
            let early = try await unnamed()
            #expect(early.status == 422 && early.text.hasPrefix("consumer: no consumer has signed in"), "\(early)")
            // Who came without signing in does not count beside ada.
            _ = try await scene.anonymousToken()
            let socket = try await scene.socket("ada")
            let done = try await unnamed()
            #expect(done.status == 200 && done.text.contains("socket 1 closed with 4401"), "\(done)")
            #expect(try await isRefused(socket, 4401))
            _ = try await scene.token("eve")
            let several = try await unnamed()
            #expect(several.status == 422 && several.text.hasPrefix("consumer: 2 consumers have signed in, such as 'ada'"), "\(several)")
        }
    }

    @Test(
        arguments: [
            (["consumer": "adda", "reason": "revoked"], 422, "consumer: no consumer 'adda' has signed in (did you mean 'ada'?)"),
            (["consumer": "somebody-else", "reason": "revoked"], 422, "consumer: no consumer 'somebody-else' has signed in"),
            (["consumer": "ada", "reason": "bored"], 400, "body.reason: 'bored' is not one of 'another-device', 'log-out', 'revoked'"),
            (["consumer": "ada", "reason": "revoked", "why": "x"], 400, "body.why: unknown member 'why'"),
            (["consumer": "ada"], 400, nil), (["consumer": "", "reason": "revoked"], 400, nil),
            (["consumer": "ada", "reason": "revoked", "vendor": "livepersn"], 400, "body.vendor: unknown member 'vendor'"),
        ] as [(JSON, Int, String?)])
    func `what cannot be done is refused, and nobody is signed out`(_ row: (request: JSON, status: Int, detail: String?)) async throws {
        try await MessagingScene.run { scene in
            let socket = try await scene.socket("ada")
            let answer = try await scene.server.send(.post, "/__admin/sandboxes/default/liveperson/sign-out", json: row.request)
            #expect(answer.status == row.status, "\(answer.text)")
            let detail = answer.json?["detail"]?.string ?? ""
            #expect(row.detail.map { detail.hasPrefix($0) } != false, "\(detail)")
            #expect(try await socket.isAlive())
            #expect(try await scene.server.admin(.get, "consumers")["consumers"]?.array?.first?["signOuts"] == 0)
        }
    }

    @Test(arguments: [Int64.max, .min, -1, 1_000_000_000_000])
    func `an end that is no time makes a token incomplete`(_ end: Int64) async throws {
        try await MessagingScene.run { scene in
            // The keys are public: anyone can sign as LivePerson.
            let claims: JSON = [
                "sub": "ada", "iss": "https://idp.liveperson.net", "aud": "acc:acme", "iat": .integer(Scene.now), "exp": .integer(end),
            ]
            let token = JWS.sign(payload: claims, with: try Brand.pool.rsa(4))
            #expect(try await isRefused(try await scene.socket(token: token), 4401))
            #expect(try await pusher(token, scene).json == ["error": "token_invalid"])
        }
    }
}

import HTTPTypes
import SparringJSON
import SparringSandbox
import Support
import Testing

/// Requests that LivePerson's own public clients and samples send, and that were once refused. The names are those of the review.
@Suite struct ReviewedClientTests {
    private static let tenants: JSON.Object = [
        "liveperson": [
            "accountId": "acme", "appInstallations": [["id": "app-1", "clientId": "bot", "clientSecret": "s3 cret"]],
            "agents": [["userId": "55", "loginName": "alex", "password": "agent-secret"]],
        ], "identity": ["tenantId": "brand"],
    ]

    @Test(
        arguments: [
            ("?v=1.0&grant_type=client_credentials&client_id=bot&client_secret=s3%20cret", [:], nil, 200),
            ("?v=2.0", ["grant_type": "client_credentials", "client_id": "bot", "client_secret": "s3 cret"], nil, 200),
            ("?v=1.0&grant_type=client_credentials", ["client_id": "bot", "client_secret": "s3 cret"], nil, 200),
            // "bot:s3%20cret"
            ("", ["grant_type": "client_credentials"], "Basic Ym90OnMzJTIwY3JldA==", 200),
            ("?grant_type=client_credentials&client_id=bot", [:], nil, 400), ("?client_id=bot&client_secret=s3%20cret", [:], nil, 400),
            ("?grant_type=client_credentials&client_id=bot&client_secret=x", [:], nil, 401),
        ] as [(String, KeyValuePairs<String, String>, String?, Int)])
    func `D2 an AppJWT is had by credentials wherever they stand`(
        query: String, form: KeyValuePairs<String, String>, authorization: String?, status: Int
    ) async throws {
        try await MessagingScene.run(tenants: Self.tenants) { scene in
            let answer = try await scene.server.send(
                "/sentinel/api/account/acme/app/token\(query)", headers: authorization.map { [.authorization: $0] } ?? [:], form: form)
            #expect(answer.status == status, "\(answer.text)")
        }
    }

    @Test(arguments: ["", "?v=1.1", "?v=1.2", "?v=1.3"])
    func `D3, D8 an agent signs in, extends the session and signs out in every version that clients use`(_ version: String) async throws {
        try await MessagingScene.run(tenants: Self.tenants) { scene in
            func call(_ path: String, _ body: JSON?, _ cookie: String? = nil) async throws -> TestAnswer {
                let (target, headers): (String, HTTPFields) = ("/api/account/acme/\(path)\(version)", cookie.map { [.cookie: $0] } ?? [:])
                guard let body else { return try await scene.server.send(.post, target, headers: headers) }
                return try await scene.server.send(.post, target, headers: headers, json: body)
            }
            let login = try await call("login", ["username": "alex", "password": "agent-secret"])
            #expect(login.status == 200, "\(login.text)")
            let cookie = try #require(login.headers[.setCookie]?.split(separator: ";").first.map(String.init))
            let csrf: JSON = ["csrf": login.json?["csrf"] ?? .null]
            #expect(try await call("refresh", csrf, cookie).status == 200)
            #expect(try await call("logout", ["csrf": "another"], cookie).json?["error"]?["internalCode"] == 10)
            #expect(try await call("logout", nil).status == 401, "there is no session without its cookie")
            #expect(try await call("logout", csrf, cookie).status == 200)
            #expect(try await call("refresh", csrf, cookie).status == 401)
            #expect(try await call("logout", nil, cookie).status == 401)
            let entries = try await scene.server.journal("")
            #expect(entries.allSatisfy { $0["findings"] == nil })
        }
    }

    @Test(arguments: ["/api/account/acme/signup.jsonp", "/csdr/account/acme/service/idp/baseURI.lpCsds?version=1.0"])
    func `D4 a script whose function nobody names is a call of one all the same`(_ target: String) async throws {
        try await MessagingScene.run(tenants: Self.tenants) { scene in
            let answer = try await scene.server.send(.get, target)
            #expect(answer.status == 200 && answer.text.hasPrefix("callback({") && answer.text.hasSuffix(");"), "\(answer.text)")
        }
    }

    @Test(
        arguments: [
            ("/csdr/account/acme/service/baseURI.lpCsds?version=1.0&cb=f", #"f({"ResultSet":{"lpData":{"baseURIs":[{"service":"#),
            (
                "/csdr/account/nobody/service/idp/baseURI.lpCsds?version=1.0&cb=f",
                #"f({"ResultSet":{"lpCallError":"mock-account-unknown"}});"#
            ),
            ("/csdr/account/nobody/service/baseURI.lpCsds?version=1.0&cb=f", #"f({"ResultSet":{"lpCallError":"mock-account-unknown"}});"#),
            (
                "/csdr/account/acme/service/idq/baseURI.lpCsds?version=1.0&cb=f",
                #"f({"ResultSet":{"lpCallError":"mock-service-unknown"}});"#
            ),
        ])
    func `D4 a script answer calls its function for all services, and for unknown accounts and services`(
        _ target: String, _ text: String
    ) async throws {
        try await MessagingScene.run(tenants: Self.tenants) { scene in
            let answer = try await scene.server.send(.get, target)
            #expect(answer.status == 200 && answer.text.hasPrefix(text), "\(answer.text)")
        }
    }

    @Test(
        arguments: [
            (#""""#, "application/json"), ("null", "application/json"), ("[]", "application/json"), ("{}", "application/json"),
            ("a=b", "application/x-www-form-urlencoded"), ("", nil),
        ] as [(String, String?)])
    func `D5 nothing in the body of a sign-up means anything`(body: String, type: String?) async throws {
        try await MessagingScene.run(tenants: Self.tenants) { scene in
            let answer = try await scene.server.send(
                .post, "/api/account/acme/signup", headers: type.map { [.contentType: $0] } ?? [:], body: Array(body.utf8))
            #expect(answer.status == 200 && answer.json?["jwt"] != nil, "\(answer.text)")
        }
    }

    @Test func `D1 a request of a type that nothing is known of is refused, and the socket goes on`() async throws {
        try await MessagingScene.run(tenants: Self.tenants) { scene in
            let consumer = try await scene.socket("ada")
            let bearer = try await scene.server.send(.post, MessagingScene.login, json: ["username": "alex", "password": "agent-secret"])
            let agent = try await scene.agentSocket(bearer: try #require(bearer.json?["bearer"]?.string))
            for (socket, type, known) in [
                (agent, ".ams.ms.token.SomethingNew", ".ams.routing.SubscribeRoutingTasks"),
                (consumer, "ms.SomethingNew", "GetClock"),
            ] {
                let refused = try await socket.request(type, [:])
                #expect(refused["code"] == 400 && refused["kind"] == "resp", "\(refused)")
                #expect(try await socket.request(known, [:])["code"] == 200)
            }
            let findings = try await scene.server.journal("?kind=finding")
            #expect(findings.count == 2)
            let report = try await scene.server.admin(.post, "verdicts", [:])
            #expect(report["contract"]?["counts"]?["notEmulated"] == 2, "\(report["contract"] ?? .null)")
        }
    }

    @Test func `what is not emulated breaks no contract, and says so`() async throws {
        try await MessagingScene.run(tenants: Self.tenants) { scene in
            let targets: [(HTTPRequest.Method, String)] = [
                (.get, "/api/account/acme/configuration/setting/properties?v=3.0"),
                (.get, "/api/account/acme/configuration/app-install/installations/7?v=1.0"),
                (.post, "/messaging_history/api/account/acme/conversations/search?limit=10"),
                (.post, "/api/account/acme/app/engagement/visitors?v=1.0"), (.post, "/api/account/acme/app/engagement/visitors/?v=1.0"),
                (.post, "/api/account/acme/app/engagement/visitors/A2N2?v=1.0&sid=s"),
                (.put, "/api/account/acme/app/engagement/visitors/A2N2?v=1.0&sid=s"),
                (.get, "/api/account/acme/shift-status"), (.get, "/api/account/acme/skills/7/shift-status-skill"),
                (.get, "/operations/api/account/acme/msgqueuehealth/current/?skillIds=7&v=1"),
                (.get, "/operations/api/account/acme/msgqueuehealth/current?v=1"),
                (.post, "/messaging_history/api/account/acme/agent-view/status?limit=10"),
                (.post, "/messaging_history/api/account/acme/agent-view/summary"),
                (.post, "/interaction_history/api/account/acme/interactions/search?offset=0&limit=10"),
                (.put, "/api/account/acme/monitoring/visitors/A2N2/visits/current/events?v=1&sid=s"),
                (.post, "/api/account/acme/monitoring/visitors/A2N2/visits/current/events?v=1&sid=s"),
                (.put, "/messaging/v1/consumers/c"), (.post, "/messaging/v1/consumers/c/conversations"),
                (.patch, "/messaging/v1/conversations/c"), (.post, "/messaging/v1/conversations/c/dialogs/d/messages"),
            ]
            for (method, target) in targets {
                #expect(try await scene.server.send(method, target, json: ["start": 0]).status == 501, "\(target)")
            }
            let findings = try await scene.server.journal("?kind=exchange").flatMap { $0["findings"]?.array ?? [] }
            #expect(findings.map { $0["code"] } == targets.map { _ in "not-emulated" }, "\(findings)")
        }
    }

    @Test func `an agent's requests may have empty headers and metadata, and name a stage`() async throws {
        try await MessagingScene.run(tenants: Self.tenants) { scene in
            let login = try await scene.server.send(.post, MessagingScene.login, json: ["username": "alex", "password": "agent-secret"])
            let agent = try await scene.agentSocket(bearer: try #require(login.json?["bearer"]?.string))
            let answer = try await agent.request(
                ".ams.aam.SubscribeExConversations", ["convState": ["OPEN", "CLOSE"], "stage": ["OPEN"]],
                members: ["headers": .null, "metadata": []])
            #expect(answer["code"] == 200)
            #expect(try await scene.server.journal("").allSatisfy { $0["findings"] == nil })
        }
    }

    @Test(arguments: ["ONLINE", "OCCUPIED", "BACK_SOON", "AWAY", "OFFLINE"])
    func `D9 an agent has any of the states of LivePerson's schema`(_ state: String) async throws {
        try await MessagingScene.run(tenants: Self.tenants) { scene in
            let login = try await scene.server.send(.post, MessagingScene.login, json: ["username": "alex", "password": "agent-secret"])
            let agent = try await scene.agentSocket(bearer: try #require(login.json?["bearer"]?.string))
            let body: JSON = ["availability": .string(state), "channels": ["MESSAGING"], "agentUserId": "acme.55"]
            let answer = try await agent.request(".ams.routing.SetAgentState", body)
            #expect(answer["code"] == 200, "\(answer)")
        }
    }

    @Test func `E7 an app whose user was signed out from outside unregisters with the token it has`() async throws {
        try await MessagingScene.run { scene in
            let token = try await scene.token("ada")
            let headers: HTTPFields = [.authorization: "Bearer \(token)"]
            let target = "/mock/pusher/account/acme/registrations/test.brand.app"
            let registered = try await scene.server.send(
                .put, target, headers: headers, json: ["deviceToken": .string(String(repeating: "ab", count: 32)), "pushType": "APNS"])
            #expect(registered.status == 201, "\(registered.text)")
            try await scene.server.admin(.post, "liveperson/sign-out", ["consumer": "ada", "reason": "another-device"])
            let unread = try await scene.server.send(.get, "/mock/pusher/account/acme/unread?appId=test.brand.app", headers: headers)
            #expect(unread.status == 401)
            #expect(try await scene.server.send(.delete, target, headers: headers).status == 204)
            #expect(try await scene.server.send(.delete, target, headers: [.authorization: "Bearer x"]).status == 401)
        }
    }

    @Test(arguments: ["agent", "manager", "administrator"])
    func `D10, D3 a manager closes conversations of others, and an administrator's login says isAdmin`(_ profile: String) async throws {
        var tenants = Self.tenants
        tenants["liveperson"]?["agents"] = [
            ["userId": "55", "loginName": "alex", "password": "agent-secret", "profile": .string(profile)]
        ]
        try await MessagingScene.run(tenants: tenants) { scene in
            let login = try await scene.server.send(.post, MessagingScene.login, json: ["username": "alex", "password": "agent-secret"])
            #expect(login.json?["config"]?["isAdmin"] == .bool(profile == "administrator"))
            let agent = try await scene.agentSocket(bearer: try #require(login.json?["bearer"]?.string))
            let conversation = try await scene.conversation(try await scene.socket("ada"))
            let closed = try await agent.request(
                ".ams.cm.UpdateConversationField",
                [
                    "conversationId": .string(conversation),
                    "conversationField": [["field": "ConversationStateField", "conversationState": "CLOSE"]],
                ])
            #expect(closed["code"] == (profile == "agent" ? 403 : 200), "\(closed)")
        }
    }

    @Test func `D11 a survey bot enriches an answer, and updates a dialog for the sake of its metadata alone`() async throws {
        try await MessagingScene.run { scene in
            let agent = try await scene.agentSocket(bearer: try await scene.bearer())
            let conversation = try await scene.conversation(try await scene.socket("ada"))
            let update = ".ams.cm.UpdateConversationField"
            func change(_ field: JSON) async throws -> JSON {
                try await agent.request(update, ["conversationId": .string(conversation), "conversationField": [field]])
            }
            #expect(try await change(MessagingScene.joining)["code"] == 200)
            let dialog: JSON = ["field": "DialogChange", "type": "UPDATE", "dialog": ["dialogId": .string(conversation)]]
            #expect(try await change(dialog)["code"] == 200)
            let enriched = try await agent.request(
                ".ams.ms.PublishEvent",
                [
                    "dialogId": .string(conversation),
                    "event": ["type": "AcceptStatusEvent", "status": "ENRICH", "sequenceList": [0]],
                ], members: ["metadata": [["type": "InvalidAnswer"]]])
            #expect(enriched["code"] == 200, "\(enriched)")
            #expect(try await scene.detail(conversation)["dialogs"]?.array?.first?["state"] == "OPEN")
        }
    }

    @Test func `D14 an advance leaves sockets open where it is asked to, and what is dead is not closed again`() async throws {
        try await MessagingScene.run { scene in
            let ada = try await scene.socket("ada")
            try await scene.server.admin(.post, "clock/advance", ["by": "61m", "keepSockets": true])
            #expect(try await ada.end() == .closed(code: 4401, reason: "Identity token is invalid"))
            let eve = try await scene.socket("eve")
            try await scene.server.admin(.post, "clock/advance", ["by": "61m"])
            #expect(try await eve.end() == .ended(.closed), "no close frame: 1006 to the client")
            let causes = try await scene.server.journal("").map(\.cause).filter { $0.contains("4401") }
            #expect(causes.allSatisfy { !$0.contains("eve") }, "\(causes)")
        }
    }

    @Test func `a proactive message stands in the conversation that its tap opens, once and in its time`() async throws {
        try await MessagingScene.run { scene in
            let ada = try await scene.socket("ada")
            func push(_ text: String, _ lookBack: Int64? = nil) async throws {
                let body = JSON.members(["consumer": "ada", "text": .string(text), "lookBackPeriod": lookBack.map { .integer($0) }])
                try await scene.server.admin(.post, "liveperson/push", body)
            }
            func opened() async throws -> [String] {
                let id = try await scene.conversation(ada)
                let words = try await scene.transcript(id)
                _ = try await scene.update(id, MessagingScene.close(id), on: ada)
                return words.map { $0.split(separator: ": ", maxSplits: 1).last.map(String.init) ?? $0 }
            }
            try await push("Your parcel waits")
            try await push("Only for a second", 1000)
            try await push("Will you fetch it?", 60_000)
            try await scene.advance("2s")
            #expect(try await opened() == ["Your parcel waits", "Will you fetch it?"])
            #expect(try await opened() == [])
            let refused = try await scene.server.send(
                .post, "/__admin/sandboxes/default/liveperson/push", json: ["consumer": "ada", "text": "x", "lookBackPeriod": "soon"])
            #expect(refused.status == 400 && refused.text.contains("/lookBackPeriod"), "\(refused.text)")
        }
    }

    @Test func `D12 a subscriber gets the last message and its sender's client properties`() async throws {
        try await MessagingScene.run(tenants: Self.tenants) { scene in
            let consumer = try await scene.socket("ada", features: ["RICH_CONTENT"])
            let context: JSON = ["type": "MobileAppContext", "lang": "en-US"]
            let opened = try await consumer.request("cm.ConsumerRequestConversation", ["conversationContext": context])
            let id = try #require(opened["body"]?["conversationId"]?.string)
            func follow(_ socket: SocketClient, _ request: String, _ notification: String) async throws -> JSON {
                _ = try await socket.request(request, ["convState": ["OPEN"]])
                return try #require(try await socket.notification(notification)["body"]?["changes"]?.array?.first?["result"])
            }
            let silent = try await follow(consumer, "cqm.SubscribeExConversations", "cqm.ExConversationChangeNotification")
            #expect(silent["lastContentEventNotification"] == nil)
            let hello: JSON = ["type": "ContentEvent", "contentType": "text/plain", "message": "Hello"]
            _ = try await consumer.request("ms.PublishEvent", ["dialogId": .string(id), "event": hello])
            _ = try await consumer.request(
                "ms.PublishEvent",
                ["dialogId": .string(id), "event": ["type": "AcceptStatusEvent", "status": "READ", "sequenceList": [0]]])
            let agent = try await Agent("alex", scene)
            _ = try await agent.socket.request(
                ".ams.cm.UpdateConversationField",
                [
                    "conversationId": .string(id),
                    "conversationField": [["field": "ParticipantsChange", "type": "ADD", "role": "ASSIGNED_AGENT"]],
                ])
            let seen = try await follow(agent.socket, ".ams.aam.SubscribeExConversations", Agent.conversations)
            let details = seen["conversationDetails"]
            #expect(details?["context"]?["clientProperties"]?["os"] == "IOS" && details?["context"]?["lang"] == "en-US")
            #expect(details?["conversationHandlerDetails"] == ["accountId": "acme", "skillId": "-1"])
            let last = try #require(seen["lastContentEventNotification"])
            #expect(last["event"] == hello && last["sequence"] == 0 && last["originatorPId"] == last["originatorId"], "\(last)")
            #expect(last["originatorClientProperties"]?["os"] == "IOS")
            #expect(last["originatorMetadata"]?["clientProperties"] == last["originatorClientProperties"])

            _ = try await agent.say("Wait, who is this?", in: id, audience: "AGENTS_AND_MANAGERS")
            let another = try await Agent("alex", scene)
            let inside = try await follow(another.socket, ".ams.aam.SubscribeExConversations", Agent.conversations)
            #expect(inside["lastContentEventNotification"]?["event"]?["message"] == "Wait, who is this?")
            #expect(inside["lastContentEventNotification"]?["originatorClientProperties"] == nil)
            let other = try await scene.socket("ada")
            let outside = try await follow(other, "cqm.SubscribeExConversations", "cqm.ExConversationChangeNotification")
            #expect(outside["lastContentEventNotification"]?["event"] == hello)
        }
    }
}

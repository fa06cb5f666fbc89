import HTTPTypes
import SparringEngine
import SparringJSON
import SparringSandbox
import Support
import Testing

/// Incidents of CXone's clients.
extension Incident {
    /// The outcome of a sign-in on the socket with a fresh code.
    private static func signIn(_ scene: ChatScene) async throws -> String {
        let chatter = try await scene.open(.single, "ada")
        let answer = try await chatter.authorize(["authorizationCode": .string(try await scene.code("ada"))])
        return answer.errorWords ?? (answer["status"] == "success" ? "ok" : answer.text)
    }

    private static func refusedOnce(_ scenario: String, as name: String) -> Incident {
        Incident(scenario, .socket) { stage async throws in
            for expected in ["ConsumerAuthorizationFailed mock-\(name)", "ok"] {
                #expect(try await signIn(stage.chat) == expected)
            }
        }
    }

    /// Rows of prepared calls: statuses, one after the other.
    private static func statuses(_ count: Int, _ call: () async throws -> TestAnswer) async throws -> [Int] {
        var statuses: [Int] = []
        for _ in 0..<count { statuses.append((try? await call())?.status ?? 0) }
        return statuses
    }

    private static func event(_ stage: Stage) async throws -> TestAnswer {
        let event: JSON = [
            "id": "f1c0a9b8-7d6e-4f5a-9c4b-3a2d1e0f9a8b", "type": "VisitorVisit", "visitId": "5e4d3c2b-1a0f-4e9d-8c7b-6a5f4e3d2c1b",
            "destination": ["id": "4d3c2b1a-0f9e-4d8c-9b7a-6f5e4d3c2b1a"], "createdAtWithMilliseconds": "2026-11-21T02:56:53.123Z",
        ]
        return try await stage.server.send(
            .post, "/web-analytics/1.0/tenants/\(ChatScene.brand)/visitors/\(ChatScene.visitor("ada"))/events", json: event)
    }

    static let chats = chatPreparations + chatSockets + chatThreads

    private static let chatPreparations = [
        Incident("configuration-fails") { stage async throws in
            #expect(try await statuses(3) { try await stage.chat.channel(.single) } == [503, 503, 200])
        },
        Incident("visitor-update-cut") { stage async throws in
            #expect(try await statuses(6) { try await stage.chat.prepare("ada") } == [0, 0, 0, 0, 0, 200])
        },
        Incident("live-chat-offline") { stage async throws in
            #expect(try await stage.chat.channel(.live).json?["availability"]?["status"] == "offline")
        },
        Incident("sdk-version-refused") { stage async throws in
            #expect(try await stage.chat.channel(.multi).json?["error"]?["errorCode"] == "SdkVersionNotSupported")
        },
        Incident("analytics-down") { stage async throws in
            #expect(try await statuses(3) { try await event(stage) } == [503, 503, 503])
            #expect(try await stage.chat.prepare("ada").status == 200)
        },
        Incident("background-during-prepare", .socket) { stage async throws in
            #expect(try await stage.held("3s") { try await stage.chat.channel(.single) }.status == 200)
            #expect(try await stage.chat.channel(.single).status == 200)
        },
        Incident("visit-expires") { stage async throws in
            #expect(try await event(stage).status == 200)
            try await stage.advance("40m")
            #expect(try await event(stage).status == 200)
        },
        refusedOnce("code-reused-at-authorize", as: "code-reused"), refusedOnce("code-expired-at-authorize", as: "code-expired"),
        refusedOnce("wrong-key-at-authorize", as: "bad-signature"),
    ]

    private static let chatSockets = [
        Incident("token-expires-before-a-message", .socket) { stage async throws in
            let chatter = try await stage.chat.open(.single, "ada")
            let data = try await chatter.authorize(["authorizationCode": .string(try await stage.chat.code("ada"))])["postback"]?["data"]
            let token: JSON.Object = ["accessToken": ["token": data?["accessToken"]?["token"] ?? .null]]
            #expect(try await chatter.say("hello", 1, token).object?.count == 1)
            try await stage.advance("40s")
            #expect(try await chatter.say("still there?", 2, token).errorWords == "InconsistentData mock-access-token-expired")
        },
        Incident("heartbeat-unanswered", .socket) { stage async throws in
            let chatter = try await stage.chat.open(.single, "ada")
            for _ in 0..<4 { chatter.socket.send(["action": "heartbeat"]) }
            for _ in 0..<3 { #expect(try await chatter.socket.next() == .message("pong")) }
            #expect(
                try await stage.server.journal("?operation=cxone.heartbeat").map { $0["faults"] != nil } == [false, false, true, false])
        },
        Incident("quiet-sockets-are-closed", .socket) { stage async throws in
            let chatter = try await stage.chat.open(.single, "ada")
            try await stage.advance("41s")
            #expect(try await chatter.socket.end() == .closed(code: 1001, reason: "Going away"))
        },
        Incident("gateway-drops-during-a-message", .socket) { stage async throws in
            let chatter = try await stage.chat.chatter(.single, "ada")
            await #expect(throws: RawClient.Failed.self) { try await chatter.say("hello", 1) }
            #expect(try await stage.chat.chatter(.single, "ada").say("hello", 1).object?.count == 1)
        },
        Incident("transaction-token-expires", .socket) { stage async throws in
            let body: JSON = ["customerIdentity": ["idOnExternalPlatform": "ada"]]
            func open(_ token: String?) async throws -> Chatter {
                try await stage.chat.open(.single, "ada", more: "&transactionToken=\(token ?? "")")
            }
            let token = try await stage.chat.token(.single, "ada", body).json?["accessToken"]?.string
            let chatter = try await open(token)
            try await stage.advance("30s")
            #expect(try await chatter.socket.end() == .closed(code: 1001, reason: ""))
            await #expect(throws: SocketClient.Refused.self) { try await open(token) }
            let fresh = try await stage.chat.token(.single, "ada", body).json?["accessToken"]?.string
            #expect(try await open(fresh).socket.isAlive())
        },
    ]

    private static let chatThreads = [
        Incident("recover-failed-is-no-failure", .socket) { stage async throws in
            let chatter = try await stage.chat.chatter(.single, "ada")
            _ = try await chatter.begin()
            #expect(try await chatter.send("RecoverThread").errorWords == "RecoveringThreadFailed mock-thread-not-found")
            #expect(try await chatter.send("RecoverThread")["postback"]?["eventType"] == "ThreadRecovered")
        },
        Incident("large-event-fetched", .socket) { stage async throws in
            let chatter = try await stage.chat.chatter(.single, "ada")
            _ = try await chatter.say(String(repeating: "long ", count: 500), 1)
            #expect(try await stage.fetchLargeEvent(chatter).status == 200)
        },
        Incident("large-event-404", .socket) { stage async throws in
            let chatter = try await stage.chat.chatter(.single, "ada")
            _ = try await chatter.say(String(repeating: "long ", count: 500), 1)
            #expect(try await stage.fetchLargeEvent(chatter).status == 404)
        },
        Incident("thread-closed-by-the-agent", .socket) { stage async throws in
            let chatter = try await stage.chat.chatter(.live, "ada")
            _ = try await chatter.begin()
            try await stage.chat.act("close", ["consumer": "ada"])
            #expect(try await chatter.pushed("CaseStatusChanged")["data"]?["case"]?["status"] == "closed")
        },
        Incident("welcome-before-the-first-message", .socket) { stage async throws in
            let chatter = try await stage.chat.chatter(.multi, "ada")
            let action = try await chatter.pushed("FireProactiveAction")["data"]?["proactiveAction"]?["action"]
            #expect(action?["actionType"] == "WelcomeMessage")
        },
        Incident("form-before-the-first-message") { stage async throws in
            let form = try await stage.chat.channel(.live).json?["preContactForm"]
            #expect(form?["customFields"]?.array?.map { $0["isRequired"] } == [true, false])
        },
        Incident("end-contact", .socket) { stage async throws in
            let chatter = try await stage.chat.chatter(.live, "ada")
            let contact = try await chatter.begin()["id"] ?? .null
            #expect(try await chatter.send("EndContact", ["contact": ["id": contact]]).object?.count == 1)
        },
        Incident("end-contact-refused", .socket) { stage async throws in
            let chatter = try await stage.chat.chatter(.live, "ada")
            let contact = try await chatter.begin()["id"] ?? .null
            for isRefused in [true, false] {
                #expect((try await chatter.send("EndContact", ["contact": ["id": contact]])["error"] != nil) == isRefused)
            }
        },
        Incident("message-refused", .socket) { stage async throws in
            let chatter = try await stage.chat.chatter(.multi, "ada")
            #expect(try await chatter.say("hello", 1).errorWords == "SendingMessageFailed mock-message-not-sent")
            #expect(try await chatter.say("hello", 1).object?.count == 1)
        },
        Incident("two-threads", .socket) { stage async throws in
            let chatter = try await stage.chat.chatter(.multi, "ada")
            for number in 1...2 { _ = try await chatter.begin("hello", number, in: number) }
            #expect(try await chatter.send("FetchThreadList")["postback"]?["data"]?["threads"]?.array?.count == 2)
        },
    ]
}

extension Stage {
    var chat: ChatScene { ChatScene(server: server) }

    /// Fetches what the next large event says is there.
    fileprivate func fetchLargeEvent(_ chatter: Chatter) async throws -> TestAnswer {
        let event = try await chatter.pushed("EventInS3")
        let url = try #require(event["data"]?["s3Object"]?["url"]?.string)
        return try await server.send(.get, String(url.dropFirst(server.addresses.baseURL.count)))
    }
}

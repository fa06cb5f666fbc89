import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// The limits of what the official SDKs can read and may send: the SDKs for iOS 3.3.1, Android 3.2.2 and Web 3.3.0.
@Suite struct ChatReadingTests {
    /// The SDK for Android has a closed list of the types that may lie at a URL (EventInS3.kt:56).
    @Test(
        arguments: [
            ("web", ["CaseToRoutingQueueAssignmentChanged", "MessageSent"]), ("ios", []), ("android", []), ("Android", []),
        ] as [(String, [String])])
    func `what only the Web SDK knows lies at a URL for no other`(_ platform: String, _ types: [String]) async throws {
        try await ChatScene.run(brand: ["largestFrame": 4000]) { scene in
            let chatter = try await scene.chatter(.single, "ada", as: platform)
            _ = try await chatter.begin()
            try await scene.act("say", ["consumer": "ada", "text": .string(String(repeating: "long ", count: 600))])
            let fields = JSON.array((1...3).map { ["ident": "f\($0)", "value": .string(String(repeating: "x", count: 1000))] })
            let data: JSON = ["thread": Chatter.thread(1), "customFields": fields]
            #expect(try await chatter.send("SetContactCustomFields", data).object?.count == 1)
            try await scene.act("transfer", ["consumer": "ada", "queue": "q-2"])
            let urls = try await scene.server.journal("?operation=cxone.eventInS3").map(\.text)
            #expect(urls.contains { $0.contains("MessageCreated") }, "both mobile SDKs read this one")
            let webOnly = ["CaseToRoutingQueueAssignmentChanged", "ContactRecipientsChanged", "MessageSent"]
            #expect(webOnly.filter { type in urls.contains { $0.contains(type) } } == types)
        }
    }

    /// CustomFieldDTO.swift:45 and CustomFieldModel.kt:32 need all three members.
    @Test func `the fields of an offer are complete`() async throws {
        let complete: JSON = [
            "customFields": [
                ["ident": "h", "value": "hv", "updatedAt": "2026-01-01T00:00:00+00:00"],
                ["ident": "i", "value": "", "updatedAt": "2025-12-31T22:00:00+00:00"],
            ]
        ]
        let handover: JSON = [
            ["ident": "h", "value": "hv"], ["ident": "i", "value": "", "updatedAt": "2026-01-01T00:00:00.123+02:00"],
        ]
        try await ChatScene.run(["proactiveActions": [["on": "connected", "bodyText": "x", "handover": handover]]]) { scene in
            let chatter = try await scene.chatter(.single, "ada")
            try await scene.act("offer", ["consumer": "ada", "bodyText": "y", "handover": handover])
            for text in ["x", "y"] {
                let data = try await chatter.pushed("FireProactiveAction")["data"]?["proactiveAction"]?["action"]?["data"]
                #expect(data?["content"]?["bodyText"]?.string == text && data?["handover"] == complete)
            }
        }
    }

    /// AgentDTO.swift:36 and AgentModel.kt:38 need what the channel hides.
    @Test(arguments: [("ios", true), ("android", true), ("web", false)])
    func `the journal says which SDK cannot read agents without personal information`(_ platform: String, _ isBlind: Bool) async throws {
        try await ChatScene.run(["hidesPersonalInformation": true]) { scene in
            _ = try await scene.open(.single, "ada", as: platform)
            let opening = try await scene.server.journal("?operation=cxone.openGateway").first
            #expect(opening?["cause"]?.string?.contains("cannot read its agents") == isBlind)
        }
    }

    // MARK: Values over a limit

    private static let long = String(repeating: "x", count: 1025)

    @Test(
        arguments: [
            ("SetContactCustomFields", ["thread": Chatter.thread(1), "customFields": [["ident": "k", "value": .string(long)]]]),
            ("SetCustomerCustomFields", ["customFields": [["ident": "k", "value": .string(long)]]]),
            ("SetCustomerCustomFields", ["customFields": [["ident": "", "value": "x"]]]),
            ("SendMessage", ["contact": ["customFields": [["ident": "k", "value": .string(long)]]]]),
            ("SendMessage", ["consumer": ["customFields": [["ident": "k", "value": .string(long)]]]]),
            ("SendOutbound", ["consumerContact": ["customFields": [["ident": "k", "value": .string(long)]]]]),
            ("SendMessage", ["idOnExternalPlatform": .string(String(long.prefix(201)))]),
            ("SendMessage", ["thread": ["idOnExternalPlatform": .string(String(long.prefix(201)))]]),
        ] as [(String, JSON)])
    func `a value over the limit is refused when it is sent, and not blamed on Sparring later`(_ event: String, _ data: JSON) async throws {
        try await ChatScene.run { scene in
            let chatter = try await scene.chatter(.multi, "ada")
            _ = try await chatter.begin()
            let isMessage = event.hasPrefix("Send")
            let answer = isMessage ? try await chatter.say("x", 2, data.object ?? [:], as: event) : try await chatter.send(event, data)
            #expect(answer.errorWords == "InconsistentData mock-inconsistent-data")
            try await scene.act("say", ["consumer": "ada", "text": "Yes?"])
            try await scene.act("close", ["consumer": "ada"])
            let recovered = try await chatter.send("RecoverThread", ["thread": Chatter.thread(1)])["postback"]?["data"]
            #expect(recovered?["messages"]?.array?.count == 2)
            #expect(recovered?["contact"]?["customFields"] == [] && recovered?["customer"]?["customFields"] == [])
        }
    }

    @Test func `a value at the limit is taken, and shown`() async throws {
        try await ChatScene.run { scene in
            let chatter = try await scene.chatter(.multi, "ada")
            let field: JSON = ["ident": "k", "value": .string(String(Self.long.dropLast()))]
            _ = try await chatter.say("x", 1, ["contact": ["customFields": [field]]])
            let shown = try await chatter.pushed("CaseCreated")["data"]?["case"]?["customFields"]?.array?.first
            #expect(shown?["value"] == field["value"])
        }
    }

    @Test func `what a client sends in place of texts comes back as texts, and its event's id as it was`() async throws {
        try await ChatScene.run { scene in
            let chatter = try await scene.chatter(.single, "ada")
            let attachments: JSON = [["url": "https://brand.example/a.png", "friendlyName": 7, "mimeType": .null]]
            _ = try await chatter.say("x", 1, ["attachments": attachments])
            let shown = try await chatter.pushed("MessageCreated")["data"]?["message"]?["attachments"]?.array?.first
            #expect(shown?["friendlyName"] == "a.png" && shown?["mimeType"] == "application/octet-stream")
            let id = String(Self.long.prefix(300))
            chatter.socket.send(chatter.event("RecoverThread", nil, id: id))
            let answer = try await chatter.socket.message("the answer") { $0["eventId"]?.string == id }
            #expect(answer["postback"]?["eventType"] == "ThreadRecovered")
        }
    }

    @Test(arguments: [(256, nil), (257, "InconsistentData mock-inconsistent-data")])
    func `an anonymous customer's id has a limit`(_ length: Int, _ refusal: String?) async throws {
        try await ChatScene.run { scene in
            let socket = try await scene.open(.single, "ada").socket
            let chatter = Chatter(socket: socket, mode: .single, name: String(Self.long.prefix(length)), channel: "chat_single")
            #expect(try await chatter.authorize().errorWords == refusal)
        }
    }

    // MARK: Threads

    /// The Web SDK's guide has getThread('my-thread-id'); the SDK for iOS has strings since 3.1.3.
    @Test(arguments: ["my-thread-id", "my thread 1", "Ünï", "ABC"])
    func `a thread's id is any text`(_ id: String) async throws {
        try await ChatScene.run(brand: ["historyPage": 1]) { scene in
            let chatter = try await scene.chatter(.multi, "ada", as: "web")
            let thread: JSON = ["idOnExternalPlatform": .string(id)]
            for number in 1...2 {
                #expect(try await chatter.say("hello", number, ["thread": thread]).object?.count == 1)
                #expect(try await scene.entry("sendMessage")["findings"] == nil)
            }
            #expect(try await chatter.pushed("MessageCreated")["data"]?["thread"]?["idOnExternalPlatform"]?.string == id)
            let page = try await chatter.send("RecoverThread", ["thread": thread])["postback"]?["data"]
            let token = page?["messagesScrollToken"] ?? .null
            let more = try await chatter.send("LoadMoreMessages", ["scrollToken": token, "thread": thread])["postback"]?["data"]
            #expect(more?["messages"]?.array?.count == 1 && more?["scrollToken"] == "")
            for operation in ["recoverThread", "loadMoreMessages"] {
                #expect(try await scene.entry(operation)["findings"] == nil)
            }
        }
    }

    // MARK: Signing in

    /// The SDK for iOS up to 2.x sends empty codes for anonymous customers (AuthorizeCustomerEventDataDTO.swift:54 of 2.0.0), the Web SDK null.
    @Test(
        arguments: [
            ["authorizationCode": "", "codeVerifier": ""], ["authorizationCode": .null], ["authorizationCode": "", "codeVerifier": .null],
            [:],
        ] as [JSON])
    func `an empty code is no code, on the socket and at the token service`(_ authorization: JSON) async throws {
        let (code, verifier) = (authorization["authorizationCode"] ?? .null, authorization["codeVerifier"] ?? .null)
        let thirdParty: JSON = ["grant_type": "authorization_code", "authorization_code": code, "code_verifier": verifier]
        try await ChatScene.run { scene in
            try await scene.prepare("ada")
            for _ in 1...2 {
                let chatter = try await scene.open(.single, "ada")
                #expect(try await chatter.authorize(authorization)["status"] == "success")
                #expect(try await scene.entry("authorizeCustomer")["findings"] == nil)
                chatter.socket.close(1000)
            }
            let judged = Judged(try await scene.server.admin(.post, "verdicts", ["timeBasis": "sandbox"]))
            let rules: Set = ["brings-a-code-once", "takes-another-verifier-each-time", "signs-in-with-another-code"]
            #expect(judged.broken.isDisjoint(with: rules))
        }
        try await ChatScene.run(["securedSessions": true]) { scene in
            let body: JSON = ["customerIdentity": ["idOnExternalPlatform": "ada"], "thirdParty": thirdParty]
            let answer = try await scene.token(.single, "ada", body)
            #expect(answer.status == 200, "\(answer.text)")
        }
        try await ChatScene.run(["securedSessions": true, "authorization": "oauth"]) { scene in
            let answer = try await scene.token(.single, "ada", ["thirdParty": thirdParty])
            #expect(answer.status == 401 && answer.json?["error"]?["errorCode"] == "mock-code-missing")
        }
    }

    /// SDK for iOS 3.3.1, EventErrorCode.swift:21-33.
    @Test func `the newer spellings of the errors are faults`() async throws {
        try await ChatScene.run(["authorization": "oauth"]) { scene in
            try await scene.arm("cxone.authorizeCustomer customer-authorization-failed times=1")
            try await scene.arm("cxone.reconnectCustomer customer-reconnection-failed times=1")
            let code: JSON = ["authorizationCode": .string(try await scene.code("ada"))]
            let refused = try await scene.open(.single, "ada").authorize(code)
            #expect(refused.errorWords == "CustomerAuthorizationFailed mock-customer-authorization-failed")
            let authorized = try await scene.open(.single, "ada").authorize(code)["postback"]?["data"]
            let token: JSON = ["accessToken": ["token": authorized?["accessToken"]?["token"] ?? .null]]
            for expected in ["CustomerReconnectionFailed mock-customer-reconnection-failed", nil] {
                #expect(try await scene.open(.single, "ada").send("ReconnectCustomer", token).errorWords == expected)
            }
        }
    }
}

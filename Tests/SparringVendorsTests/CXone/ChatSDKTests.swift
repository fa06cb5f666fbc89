import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// The differences between the official SDKs in what they send and read.
@Suite struct ChatSDKTests {
    private func open(_ scene: ChatScene, _ mode: ChatScene.Mode, as platform: String, more: String = "") async throws -> Chatter {
        let target =
            "/?brandId=\(ChatScene.brand)&channelId=\(mode.channel)&visitorId=\(ChatScene.visitor("ada"))&sdkPlatform=\(platform)&sdkVersion=3.2.2"
            + more
        let socket = try await SocketClient(port: scene.server.addresses.port, target: target)
        return Chatter(socket: socket, mode: mode, name: "ada", channel: mode.channel)
    }

    @Test func `Android breaks the lines of a file's Base64`() async throws {
        try await ChatScene.run { scene in
            let body: JSON = ["content": "aGVsbG8g\nd29ybGQ=\n", "fileName": "a.txt", "mimeType": "text/plain"]
            let uploaded = try await scene.server.send(.post, "/chat/1.0/brand/1386/channel/chat_single/attachment", json: body)
            #expect(uploaded.status == 200 && uploaded.json?["fileUrl"] != nil, "\(uploaded)")
        }
    }

    @Test(
        arguments: [
            ("ios", nil), ("android", ["messagesScrollToken": ""]), ("web", ["messages": [], "contactHistory": []]),
        ] as [(String, JSON?)])
    func `the answer where there is no live chat is one that each SDK can read`(_ platform: String, _ data: JSON?) async throws {
        try await ChatScene.run { scene in
            let chatter = try await open(scene, .live, as: platform)
            _ = try await chatter.authorize()
            let postback = try await chatter.send("RecoverLivechat")["postback"]
            #expect(postback?["eventType"] == "LivechatRecovered" && postback?["data"] == data)
        }
    }

    /// The Web SDK 1.x sends a visitor without an id in each event, and the customer in the socket's URL.
    @Test func `a visitor whose id is null and a consumerId are taken`() async throws {
        try await ChatScene.run { scene in
            let chatter = try await scene.open(.single, "ada", as: "web", more: "&consumerId=ada")
            #expect(try await scene.entry("openGateway")["findings"] == nil)
            let events: [(String, String, JSON)] = [
                ("AuthorizeConsumer", "authorizeCustomer", .null), ("FetchThreadList", "fetchThreadList", .null),
                ("FetchThreadList", "fetchThreadList", 7),
            ]
            for (type, operation, visitor) in events {
                let id = chatter.socket.freshID()
                let action = type == "FetchThreadList" ? "chatWindowEvent" : "register"
                var event = chatter.event(type, [:], id: id, action: action)
                event["payload"]?["visitor"] = ["id": visitor]
                chatter.socket.send(event)
                let answer = try await chatter.socket.message("the answer to \(type)") { $0["eventId"]?.string == id }
                #expect(answer["postback"]?["data"] != nil, "\(answer.text)")
                #expect(try await scene.entry(operation)["findings"]?.array?.count == (visitor == .null ? nil : 1))
            }
        }
    }

    /// The Web SDK up to 1.20.2 names its platform in AuthorizeCustomer alone; without lists in the answer it crashes.
    @Test(
        arguments: [
            ("", "web", lists), ("", "Web", lists), ("", nil, lists), ("", "ios", nil), ("", "android", ["messagesScrollToken": ""]),
            ("ios", "web", nil), ("web", "ios", lists),
        ] as [(String, String?, JSON?)])
    func `the platform is the one of the socket's URL, else that of AuthorizeCustomer`(_ url: String, _ event: String?, _ data: JSON?)
        async throws
    {
        try await ChatScene.run { scene in
            let told = url.isEmpty ? "" : "&sdkPlatform=\(url)"
            let target = "/?brandId=1386&channelId=chat_live&visitorId=\(ChatScene.visitor("ada"))&v=0\(told)"
            let socket = try await SocketClient(port: scene.server.addresses.port, target: target)
            let chatter = Chatter(socket: socket, mode: .live, name: "ada", channel: "chat_live")
            let members = JSON.members(["disableChannelInfo": true, "sdkPlatform": event.map { .string($0) }])
            _ = try await chatter.send("AuthorizeCustomer", members, action: "register")
            let postback = try await chatter.send("RecoverLivechat")["postback"]
            #expect(postback?["eventType"] == "LivechatRecovered" && postback?["data"] == data)
        }
    }

    private static let lists: JSON = ["messages": [], "contactHistory": []]

    @Test(arguments: [
        ("2026-01-01T10:00:00.123z", "2026-01-01T10:00:00+00:00"), ("2026-01-01T10:00:00.123Z", "2026-01-01T10:00:00+00:00"),
        ("2026-01-01T10:00:00+01:00", "2026-01-01T09:00:00+00:00"), ("2026-01-01T10:00:00.123+0000", "2026-01-01T10:00:00+00:00"),
        (nil, "2026-01-01T00:00:00+00:00"), ("yesterday", "2026-01-01T00:00:00+00:00"),
    ])
    func `iOS reads the time of a custom field, whichever SDK told it`(_ told: String?, _ shown: String) async throws {
        try await ChatScene.run { scene in
            let chatter = try await scene.chatter(.single, "ada")
            let field = JSON.members(["ident": "color", "value": "red", "updatedAt": told.map { .string($0) }])
            _ = try await chatter.say("hello", 1, ["contact": ["customFields": [field]]])
            let fields = try await chatter.pushed("CaseCreated")["data"]?["case"]?["customFields"]
            #expect(fields == [["ident": "color", "value": "red", "updatedAt": .string(shown)]])
        }
    }

    @Test(
        arguments: [
            ["messageContent": "hi"], ["messageContent": ["type": "TEXT"]], ["messageContent": ["payload": ["text": "x"]]],
            ["idOnExternalPlatform": ""], ["thread": [:]],
        ] as [JSON])
    func `a message that nobody could show is refused, and nothing is kept of it`(_ wrong: JSON) async throws {
        try await TestServer.run(tenants: ChatScene.tenants()) { server in
            let scene = ChatScene(server: server)
            let chatter = try await scene.chatter(.single, "ada")
            #expect(try await chatter.say("hello", 1, wrong.object ?? [:]).errorWords == "InconsistentData mock-inconsistent-data")
            #expect(try await chatter.send("RecoverThread").errorWords == "RecoveringThreadFailed mock-thread-not-found")
            #expect(try await server.journal("?operation=cxone.messageCreated") == [])
        }
    }

    @Test func `the Web SDK looks for older messages of one contact`() async throws {
        try await ChatScene.run(brand: ["historyPage": 1]) { scene in
            let chatter = try await scene.chatter(.live, "ada")
            _ = try await chatter.begin("one")
            try await scene.act("close", ["consumer": "ada"])
            let second = try await chatter.begin("two", 2)["id"] ?? .null
            _ = try await chatter.say("three", 3)
            let recovered = try await chatter.send("RecoverLivechat", ["thread": Chatter.thread(1)])["postback"]?["data"]
            func more(_ token: JSON?, _ contact: JSON?) async throws -> JSON? {
                let data = JSON.members([
                    "scrollToken": token ?? "", "thread": Chatter.thread(1), "oldestMessageDatetime": "2026-01-01T00:00:00+00:00",
                    "contact": contact.map { ["id": $0] },
                ])
                return try await chatter.send("LoadMoreMessages", data)["postback"]?["data"]
            }
            func texts(_ page: JSON?) -> [String] {
                (page?["messages"]?.array ?? []).compactMap { $0["messageContent"]?["payload"]?["text"]?.string }
            }
            let page = try await more(recovered?["messagesScrollToken"], second)
            #expect(texts(page) == ["two"] && page?["scrollToken"] == "")
            let all = try await more(recovered?["messagesScrollToken"], nil)
            let first = try await more(all?["scrollToken"], nil)
            #expect(texts(all) == ["two"] && texts(first) == ["one"])
        }
    }

    @Test(arguments: ["free", ["a", 1], ["key": "value"], .null] as [JSON])
    func `a custom event of a visitor has whatever data the app likes`(_ data: JSON) async throws {
        try await ChatScene.run { scene in
            let event: JSON = [
                "id": "f1c0a9b8-7d6e-4f5a-9c4b-3a2d1e0f9a8b", "type": "Custom", "visitId": "5e4d3c2b-1a0f-4e9d-8c7b-6a5f4e3d2c1b",
                "destination": ["id": "4d3c2b1a-0f9e-4d8c-9b7a-6f5e4d3c2b1a"], "createdAtWithMilliseconds": "2026-01-01T00:00:00.000Z",
                "data": data,
            ]
            let path = "/web-analytics/1.0/tenants/1386/visitors/\(ChatScene.visitor("ada"))/events"
            let answer = try await scene.server.send(.post, path, json: event)
            #expect(answer.status == 200)
        }
    }

    /// Whether the code of before comes again, by who brings it, where the brand says nothing of it.
    @Test(arguments: [("web", 200), ("ios", 401)])
    func `the Web SDK brings the code of before with each reconnect`(_ platform: String, _ status: Int) async throws {
        try await ChatScene.run(["authorization": "oauth", "securedSessions": true]) { scene in
            let body: JSON = [
                "thirdParty": ["grant_type": "authorization_code", "authorization_code": .string(try await scene.code("ada"))]
            ]
            let headers: HTTPFields = [HTTPField.Name("x-sdk-platform")!: platform, HTTPField.Name("x-sdk-version")!: "3.3.0"]
            #expect(try await scene.token(.single, "ada", body, headers: headers).status == 200)
            #expect(try await scene.token(.single, "ada", body, headers: headers).status == status)
        }
    }

    // MARK: Rules

    /// A habit of an official SDK that it is not failed for.
    @Test func `Android recovers its thread without an id, and asks twice`() async throws {
        try await ChatScene.run { scene in
            for _ in 1...2 {
                let chatter = try await open(scene, .single, as: "android")
                _ = try await chatter.authorize()
                for _ in 1...2 { _ = try await chatter.send("RecoverThread", ["thread": ["client_type": "no_thread_id"]]) }
                _ = try await chatter.say("hello", 1)
                chatter.socket.close(1000)
            }
            #expect(try await broken(scene) == [])
        }
    }

    @Test func `iOS may tell that the customer types before the first message, and sets fields after the contact was closed`() async throws
    {
        try await ChatScene.run { scene in
            let chatter = try await scene.chatter(.single, "ada")
            #expect(try await chatter.send("SenderTypingStarted", ["thread": Chatter.thread(1)]).object?.keys.elements == ["eventId"])
            let contact = try await chatter.begin()["id"] ?? .null
            try await scene.act("close", ["consumer": "ada"])
            let field: JSON = ["ident": "color", "value": "red", "updatedAt": "2026-01-01T00:00:00+00:00"]
            let data: JSON = ["thread": Chatter.thread(1), "contact": ["id": contact], "customFields": [field]]
            _ = try await chatter.send("SetContactCustomFields", data)
            _ = try await chatter.say("and then", 2)
            let second = try await chatter.pushed("CaseCreated")["data"]?["case"]?["id"] ?? .null
            let ended = try await chatter.send("EndContact", ["thread": Chatter.thread(1), "contact": ["id": second]])
            #expect(ended.errorWords != nil)
            #expect(try await broken(scene) == [])
        }
    }

    /// The SDKs open a live chat by a message of their own, and say the welcome then.
    @Test(
        arguments: [
            ("Begin Conversation", ["isInitialMessage": true], .live, []), ("Begin conversation", [:], .live, []),
            ("hello", [:], .live, ["welcome-late"]), ("Begin conversation", [:], .single, ["welcome-late"]),
        ] as [(String, JSON, ChatScene.Mode, [String])])
    func `a welcome comes before what the customer says, not before what opens the chat`(
        _ opener: String, _ parameters: JSON, _ mode: ChatScene.Mode, _ codes: [String]
    ) async throws {
        try await ChatScene.run { scene in
            let chatter = try await scene.chatter(mode, "ada")
            let content: JSON = ["type": "TEXT", "payload": ["text": .string(opener)], "parameters": parameters]
            _ = try await chatter.say(opener, 1, ["messageContent": content])
            _ = try await chatter.say("How can we help?", 2, as: "SendOutbound")
            let findings = try await scene.entry("sendOutbound")["findings"]?.array ?? []
            #expect(findings.compactMap { $0["code"]?.string } == codes)
        }
    }

    @Test func `a thread that began on another device is recovered without its id`() async throws {
        try await ChatScene.run { scene in
            _ = try await (try await scene.chatter(.single, "ada")).begin()
            let tablet = try await scene.open(.single, "bob")
            let there = Chatter(socket: tablet.socket, mode: .single, name: "ada", channel: tablet.channel, brand: tablet.brand)
            _ = try await there.authorize()
            #expect(try await there.send("RecoverThread")["postback"]?["eventType"] == "ThreadRecovered")
            #expect(try await scene.entry("recoverThread")["findings"] == nil)
        }
    }

    @Test func `fields of a live chat may be set after it was ended`() async throws {
        try await ChatScene.run { scene in
            let chatter = try await scene.chatter(.live, "ada")
            let contact = try await chatter.begin()["id"] ?? .null
            _ = try await chatter.send("EndContact", ["thread": Chatter.thread(1), "contact": ["id": contact]])
            let field: JSON = ["ident": "color", "value": "red", "updatedAt": "2026-01-01T00:00:00+00:00"]
            let data: JSON = ["thread": Chatter.thread(1), "contact": ["id": contact], "customFields": [field]]
            _ = try await chatter.send("SetContactCustomFields", data)
            #expect(try await broken(scene) == [])
        }
    }

    @Test func `a live chat that is offline keeps nobody from another channel`() async throws {
        try await ChatScene.run { scene in
            try await scene.server.admin(.patch, "tenants/cxone", ["channelDefaults": ["availability": "offline"]])
            for mode in ChatScene.Mode.allCases { _ = try await scene.channel(mode) }
            _ = try await scene.server.send(.get, "/chat/1.0/brand/1386/channel/chat_live/availability")
            _ = try await scene.chatter(.single, "ada")
            #expect(try await broken(scene) == [])
            _ = try await scene.open(.live, "ada")
            #expect(try await broken(scene) == ["opens-no-socket-while-offline"])
        }
    }

    /// The Web SDK's connect() fetches a token and opens the socket, and reads no channel (2.0.0 to 3.3.0, src/ChatSdk.ts).
    @Test(arguments: [("ios", true), ("android", true), ("web", false)])
    func `only the mobile SDKs read the channel before all else`(_ platform: String, _ isAsked: Bool) async throws {
        try await ChatScene.run(["securedSessions": true]) { scene in
            let headers: HTTPFields = [HTTPField.Name("x-sdk-platform")!: platform, HTTPField.Name("x-sdk-version")!: "3.3.0"]
            let body: JSON = ["customerIdentity": ["idOnExternalPlatform": "ada"]]
            let token = try await scene.token(.single, "ada", body, headers: headers).json?["accessToken"]?.string ?? ""
            _ = try await open(scene, .single, as: platform, more: "&transactionToken=\(token)")
            _ = try await scene.channel(.single, headers: headers)
            let judged = Judged(try await scene.server.admin(.post, "verdicts", ["timeBasis": "sandbox"]))
            #expect(judged.broken.contains("reads-the-channel-first") == isAsked)
        }
    }

    /// NICE's sample app of the Web SDK reports this when it opens its window (LivechatWindow.tsx); what the real server makes of it is not known.
    @Test(arguments: ["ios", "android", "web"])
    func `to see messages in a thread that has none is no failure of a web client`(_ platform: String) async throws {
        try await ChatScene.run { scene in
            let chatter = try await open(scene, .live, as: platform)
            _ = try await chatter.authorize()
            let event = platform == "web" ? "MessageSeenByConsumer" : "MessageSeenByCustomer"
            #expect(try await chatter.send(event, ["thread": Chatter.thread(1)]).errorWords == "InconsistentData mock-inconsistent-data")
            _ = try await chatter.say("hello", 1)
            let judged = Judged(try await scene.server.admin(.post, "verdicts", ["timeBasis": "sandbox"]))
            let rules: Set = ["sends-nothing-before-the-first-message", "reports-nothing-in-a-new-thread"]
            #expect(judged.broken.intersection(rules) == (platform == "web" ? [] : ["sends-nothing-before-the-first-message"]))
            #expect(judged.objected.intersection(rules).count == 1)
        }
    }

    private func broken(_ scene: ChatScene) async throws -> Set<String> {
        _ = try await scene.channel(.single)
        return Judged(try await scene.server.admin(.post, "verdicts", ["timeBasis": "sandbox"])).broken.subtracting([
            "reads-the-channel-first", "makes-the-visitor-known-before-the-chat",
        ])
    }
}

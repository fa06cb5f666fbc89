import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// Members of frames that apps read, although NICE's SDKs do not.
@Suite struct ChatAppTests {
    /// Recorded messages have it (SDK for iOS, tag 1.0.0, MessageAddedIntoCaseEvent.json). DEFRA's flood-webchat and NICE's own sample show nothing else.
    @Test func `each message has its text beside the payload, wherever it comes`() async throws {
        try await ChatScene.run(brand: ["historyPage": 1]) { scene in
            let chatter = try await scene.chatter(.multi, "ada", as: "web")
            func text(_ frame: JSON) -> JSON? { frame["data"]?["message"]?["messageContent"]?["text"] }
            _ = try await chatter.say("one", 1)
            #expect(text(try await chatter.pushed("MessageCreated")) == "one")
            try await scene.act("say", ["consumer": "ada", "text": "two"])
            #expect(text(try await chatter.pushed("MessageSent")) == "two")
            #expect(text(try await chatter.pushed("MessageCreated")) == "two")
            try await scene.act("read", ["consumer": "ada"])
            #expect(text(try await chatter.pushed("MessageReadChanged")) == "one")
            _ = try await chatter.send("MessageSeenByConsumer", ["thread": Chatter.thread(1)])
            #expect(text(try await chatter.pushed("MessageSeenChanged")) == "two")

            func load(_ event: String, _ members: JSON.Object = [:]) async throws -> JSON? {
                let data: JSON.Object = ["thread": Chatter.thread(1)]
                return try await chatter.send(event, .object(data.merging(members, uniquingKeysWith: { $1 })))["postback"]?["data"]
            }
            let recovered = try await load("RecoverThread")
            #expect(recovered?["messages"]?.array?.first?["messageContent"]?["text"] == "two")
            let more = try await load("LoadMoreMessages", ["scrollToken": recovered?["messagesScrollToken"] ?? .null])
            #expect(more?["messages"]?.array?.first?["messageContent"]?["text"] == "one")
            #expect(try await load("LoadThreadMetadata")?["lastMessage"]?["messageContent"]?["text"] == "two")
        }
    }

    /// The text of what is no text is the fallback; a recorded plugin has another one than its payload (CustomMessageCreatedEvent.json).
    @Test(
        arguments: [
            (["type": "QUICK_REPLIES", "payload": ["text": ["content": "Yes?"], "actions": []]], "Yes?"),
            (["type": "RICH_LINK", "payload": ["title": ["content": "x"]], "fallbackText": "See this"], "See this"),
            (["type": "PLUGIN", "payload": ["text": "CUSTOM", "elements": []], "fallbackText": "A message"], "A message"),
            (["type": "POSTBACK", "payload": ["text": "Today", "postback": "1"]], "Today"),
            (["type": "TEXT", "payload": ["text": ""], "fallbackText": "x"], ""),
            (["type": "TEXT", "payload": ["text": 7]], "Unsupported message content"),
            (["type": "FORM", "payload": [:], "text": "its own"], "its own"),
            (["type": "FORM", "payload": [:], "text": 7], "Unsupported message content"),
        ] as [(JSON, JSON)])
    func `content of any kind has a text`(_ content: JSON, _ text: JSON) async throws {
        try await ChatScene.run { scene in
            let chatter = try await scene.chatter(.single, "ada")
            _ = try await chatter.begin()
            try await scene.act("card", ["consumer": "ada", "content": content])
            #expect(try await chatter.pushed("MessageCreated")["data"]?["message"]?["messageContent"]?["text"] == text)
        }
    }

    // MARK: Contacts

    /// DEFRA's flood-webchat reads the customer's count of each message and of the live chat that it recovers (AppProvider.jsx).
    @Test func `a contact counts what either side has not seen, and a new one starts from zero`() async throws {
        try await ChatScene.run { scene in
            let chatter = try await scene.chatter(.live, "ada", as: "web")
            func unseen(_ contact: JSON?) -> [JSON?] {
                ["customerStatistics", "userStatistics"].map { contact?[$0]?["unseenMessagesCount"] }
            }
            #expect(unseen(try await chatter.begin()) == [0, 1])
            for count in 1...2 {
                try await scene.act("say", ["consumer": "ada", "text": "Yes?"])
                #expect(unseen(try await chatter.pushed("MessageCreated")["data"]?["case"]) == [JSON.integer(Int64(count)), 1])
            }
            _ = try await chatter.send("MessageSeenByConsumer", ["thread": Chatter.thread(1)])
            let recovered = try await chatter.send("RecoverLivechat", ["thread": Chatter.thread(1)])["postback"]?["data"]
            #expect(unseen(recovered?["contact"]) == [0, 1])
            try await scene.act("read", ["consumer": "ada"])
            try await scene.act("close", ["consumer": "ada"])
            let closed = try await chatter.socket.message("the end") { $0["data"]?["case"]?["status"] == "closed" }
            #expect(unseen(closed["data"]?["case"]) == [0, 0])
            #expect(unseen(try await chatter.begin("again", 2)) == [0, 1])
        }
    }

    /// Members of the Web SDK's type Contact (index.d.ts), with values as in recorded contacts.
    @Test func `a contact says whose it is, who has it and where it waits`() async throws {
        try await ChatScene.run { scene in
            let chatter = try await scene.chatter(.multi, "ada", as: "web")
            let new = try await chatter.begin()
            #expect(new["channelId"] == "chat_multi" && new["threadId"]?.string == "chat_multi_\(Chatter.threadId(1))")
            #expect(new["inboxAssignee"] == .null && new["inboxAssigneeUser"] == .null && new["ownerAssigneeUser"] == .null)
            #expect(new["endUser"]?["id"] == "chat_ada" && new["authorEndUserIdentity"]?["idOnExternalPlatform"] == "ada")
            #expect(new["recipients"]?.array?.map { $0["idOnExternalPlatform"] } == ["ada"])
            try await scene.act("join", ["consumer": "ada"])
            let assigned = try await chatter.pushed("CaseInboxAssigneeChanged")["data"]
            #expect(assigned?["case"]?["inboxAssignee"] == 12_328)
            #expect(assigned?["case"]?["inboxAssigneeUser"] == assigned?["inboxAssignee"])
            #expect(assigned?["case"]?["ownerAssigneeUser"] == assigned?["inboxAssignee"])
            let ids = ["contactId", "customerContactId", "interactionId"].compactMap { new[$0]?.string }
            #expect(
                Set(ids).count == 3
                    && ids == ["contactId", "customerContactId", "interactionId"].compactMap { assigned?["case"]?[$0]?.string })
            let other = try await chatter.begin("hello", 2, in: 2)
            #expect(other["contactId"] != new["contactId"])
            try await scene.act("transfer", ["conversation": new["id"] ?? .null, "queue": "q-2"])
            let moved = try await chatter.pushed("CaseToRoutingQueueAssignmentChanged")["data"]?["case"]
            #expect(moved?["routingQueueId"] == "q-2" && moved?["inboxAssigneeUser"] == .null)
        }
    }

    @Test func `a contact hides what its channel hides of agents`() async throws {
        try await ChatScene.run(["hidesPersonalInformation": true]) { scene in
            let chatter = try await scene.chatter(.single, "ada", as: "web")
            _ = try await chatter.begin()
            try await scene.act("join", ["consumer": "ada"])
            let user = try await chatter.pushed("CaseInboxAssigneeChanged")["data"]?["case"]?["inboxAssigneeUser"]
            #expect(user?["id"] == 12_328 && user?["emailAddress"] == nil && user?["loginUsername"] == nil)
        }
    }

    // MARK: The channel

    /// The Web SDK takes the kind of chat from it up to 1.18; apps look whether somebody is there.
    @Test(arguments: [nil, false, true] as [Bool?], ChatScene.Mode.allCases)
    func `who is signed in hears of the channel, unless they ask to leave it out`(_ isLeftOut: Bool?, _ mode: ChatScene.Mode) async throws {
        try await ChatScene.run(["availability": "offline"]) { scene in
            let chatter = try await scene.open(mode, "ada", as: "web")
            let data = JSON.members(["disableChannelInfo": isLeftOut.map { .bool($0) }, "authorization": [:]])
            let answer = try await chatter.send("AuthorizeConsumer", data, action: "register")
            let settings: JSON = [
                "isLivechat": .bool(mode == .live), "hasMultipleThreadsPerCustomer": .bool(mode == .multi), "isAuthorizationEnabled": false,
            ]
            let channel: JSON? = isLeftOut == true ? nil : ["availability": ["status": "offline"], "settings": settings]
            #expect(answer["status"] == "success" && answer["postback"]?["data"]?["channel"] == channel)
        }
    }

    // MARK: Signing in

    /// DEFRA's flood-webchat calls connect() of the Web SDK, which names the customer in the URL, and not authorize().
    @Test(arguments: ["customerId", "consumerId", nil])
    func `the journal says that a customer in the socket's URL is not signed in by that`(_ parameter: String?) async throws {
        try await ChatScene.run { scene in
            let chatter = try await scene.open(.single, "ada", as: "web", more: parameter.map { "&\($0)=q-1" } ?? "")
            #expect(try await chatter.say("hello", 1).errorWords == "InconsistentData mock-not-authorized")
            let cause = try await scene.entry("sendMessage")["cause"]?.string ?? ""
            #expect(cause.hasPrefix("the socket was not signed in") && cause.contains("'q-1'") == (parameter != nil), "\(cause)")
            _ = try await chatter.authorize()
            #expect(try await chatter.say("hello", 1).object?.keys.elements == ["eventId"])
        }
    }

    /// Queries of the SDKs for iOS 2.2.1 (ConnectionService.swift), Android 2.2.2 and 1.0.0 (SocketFactoryDefault.kt) and Web 1.20.0 (WebSocketClient.ts).
    @Test(arguments: [
        ("brand=1386&channelId=chat_single&applicationType=native&os=iOS&clientVersion=2.2.1", 404),
        ("brandId=1386&channelId=chat_single&applicationType=native&os=Android&clientVersion=2.2.2", 400),
        ("brandId=1386&channelId=chat_single&v=4.74", 400), ("brandId=1386&channelId=chat_single&consumerId=ada&v=0&visitorId=", 400),
    ])
    func `the socket of an SDK that names no visitor is refused`(_ query: String, _ status: Int) async throws {
        try await ChatScene.run { scene in
            let refused = await #expect(throws: SocketClient.Refused.self) {
                try await SocketClient(port: scene.server.addresses.port, target: "/?\(query)")
            }
            #expect(refused?.answer.status == status)
        }
    }
}

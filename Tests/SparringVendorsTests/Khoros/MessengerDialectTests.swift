import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// Public clients of the Smooch protocol: where their requests differ from those of the SDK for Android, and which members they read.
@Suite struct MessengerDialectTests {
    /// The role is the author's where the message has none, as iOS sends it (CLBMessage.m, serializeAppUserMessage).
    @Test(arguments: [(nil, 201), ("appUser", 201), ("appMaker", 400), ("", 400)] as [(JSON?, Int)])
    func `a message needs no role of its own, and a user's may have no other`(_ role: JSON?, _ status: Int) async throws {
        try await MessengerScene.run { scene async throws in
            let ann = try await scene.member("ann")
            let conversation = try await ann.begin("hello")
            let message = JSON.members(["type": "text", "text": "hi", "role": role])
            let sent = try await ann.send(message, in: conversation)
            #expect(sent.status == status, "\(sent.text)")
            guard status == 201 else { return }
            #expect(sent.json?["messages"]?.array?.first?["role"] == "appUser")
            let findings = try await scene.entry("sendMessage")["findings"]?.array ?? []
            #expect(findings.isEmpty, "\(findings)")
        }
    }

    @Test func `a client may say that a message has arrived, which nobody hears and nothing counts`() async throws {
        try await MessengerScene.run { scene async throws in
            let (phone, tablet) = (try await scene.member("ann"), try await scene.member("ann", MessengerScene.client("web")))
            let conversation = try await phone.begin("hello")
            let faye = try await tablet.listen()
            try await scene.act("say", ["consumer": "ann", "text": "Hi Ann"])
            let message = try await faye.event("message")["message"]?["_id"] ?? .null
            func report(_ id: JSON?) async throws -> String {
                let taken = try await phone.report(.members(["type": "message:delivery", "messageId": id]), in: conversation)
                let findings = try await scene.entry("reportActivity")["findings"]?.array ?? []
                return ([String(taken.status)] + findings.compactMap { $0["code"]?.string }).joined(separator: " ")
            }
            #expect(try await report(message) == "200")
            #expect(try await report("5f0c0e1a2b3c4d5e6f7081ff") == "200 message-unknown")
            #expect(try await report(nil) == "200 message-unknown")
            #expect(try await report("").hasPrefix("400"))
            #expect(try await phone.unread(conversation) == 1)
            // The next activity that the other device gets is this one.
            #expect(try await phone.report(["type": "conversation:read"], in: conversation).status == 200)
            #expect(try await faye.event("activity")["activity"]?["type"] == "conversation:read")
        }
    }

    /// A new user's body, and the texts in the conversation that it begins; nil: it begins none.
    @Test(
        arguments: [
            (#"{"intent":"conversation:start"}"#, []), (#"{"intent":"message:appUser"}"#, []), (#"{"intent":"proactiveMessaging"}"#, nil),
            ("{}", nil), (#"{"messages":[]}"#, nil), (#"{"conversation":{"type":"personal"}}"#, []),
            (#"{"intent":"conversation:start","messages":[{"type":"text","text":"one"}]}"#, ["one"]),
            (#"{"messages":[{"type":"text","text":"one"}]}"#, ["one"]),
            (#"{"conversation":{"messages":[{"text":"one"}]},"messages":[{"text":"two"}]}"#, ["one", "two"]),
        ] as [(String, [String]?)])
    func `a new user has the conversation that the intent needs`(_ begun: String, _ said: [String]?) async throws {
        try await MessengerScene.run { scene async throws in
            var body = try JSON(parsing: begun)
            body["client"] = MessengerScene.client("web")
            let made = try await scene.call(.post, "/appusers", body)
            #expect(made.status == 201, "\(made.text)")
            let conversations = made.json?["conversations"]?.array ?? []
            #expect(conversations.count == (said == nil ? 0 : 1), "\(made.text)")
            #expect(made.json?["appUser"]?["conversationStarted"]?.bool == (said != nil))
            guard let said, let id = conversations.first?["_id"]?.string else { return }
            let (user, token) = (made.json?["appUser"]?["_id"]?.string ?? "", made.json?["sessionToken"]?.string ?? "")
            let shown = try await scene.call(.get, "/conversations/\(id)/messages", by: "Basic " + Data64.encode("\(user):\(token)")).json
            #expect(shown?["messages"]?.array?.compactMap { $0["text"]?.string } == said, "\(shown?.text ?? "")")
        }
    }

    @Test func `when the business last read has the name that each SDK knows`() async throws {
        try await MessengerScene.run { scene async throws in
            let ann = try await scene.member("ann")
            let conversation = try await ann.begin("hello")
            let faye = try await ann.listen()
            func names(_ conversation: JSON?) -> [String] {
                ["appMakerLastRead", "businessLastRead"].filter { conversation?[$0] != nil }
            }
            // Nobody has read yet: iOS takes 0 for 1970, and a missing member too.
            let unread = try await ann.call(.get, "/conversations/\(conversation)")
            #expect(names(unread.json?["conversation"]) == [], "\(unread.text)")
            try await scene.act("read", ["consumer": "ann"])
            let told = try await faye.event("activity")
            #expect(names(told["conversation"]) == ["appMakerLastRead"], "\(told.text)")
            #expect(told["conversation"]?["appMakerLastRead"] == told["activity"]?["data"]?["lastRead"])
            for shown in [
                try await ann.call(.get, "/conversations/\(conversation)").json?["conversation"],
                try await ann.read().json?["conversations"]?.array?.first,
                try await ann.call(.get, "/appusers/\(ann.id)/conversations").json?["conversations"]?.array?.first,
            ] {
                #expect(names(shown) == ["appMakerLastRead", "businessLastRead"], "\(shown?.text ?? "")")
                #expect(shown?["appMakerLastRead"] == shown?["businessLastRead"])
                #expect(shown?["appMakerLastRead"] == told["conversation"]?["appMakerLastRead"])
            }
        }
    }

    /// A web client takes what comes over the socket for its own by the client's id and the tab's (Sunco.js, wasMessageSentFromThisTab).
    @Test func `a message names the client and the tab that sent it`() async throws {
        try await MessengerScene.run { scene async throws in
            let ann = try await scene.member("ann", MessengerScene.client("web"))
            let conversation = try await ann.begin("hello")
            let faye = try await ann.listen()
            let sent = try await ann.send(["type": "text", "text": "hi"], in: conversation, author: ["sessionId": "tab-1"])
            let heard = try await faye.event("message")["message"]
            for message in [sent.json?["messages"]?.array?.first, heard] {
                #expect(message?["source"]?["id"] == ann.client["id"] && message?["source"]?["sessionId"] == "tab-1", "\(sent.text)")
            }
            #expect(try await scene.entry("sendMessage")["findings"]?.array ?? [] == [])
            // Another tab, or an app, names none.
            #expect(try await ann.say("from elsewhere", in: conversation).status == 201)
            #expect(try await faye.event("message")["message"]?["source"]?["sessionId"] == nil)
            for (tab, told) in [("\"tab-2\"", "tab-2"), ("7", nil), ("null", nil)] as [(String, JSON?)] {
                let author = #"{"role":"appUser","client":{"id":"web-1"},"sessionId":\#(tab)}"#
                let uploaded = try await ann.upload(in: conversation, author: author)
                #expect(uploaded.status == 201, "\(uploaded.text)")
                #expect(try await faye.event("message")["message"]?["source"]?["sessionId"] == told)
            }
        }
    }

    @Test func `a form reaches the client, and its response comes back with its fields`() async throws {
        try await MessengerScene.run { scene async throws in
            let ann = try await scene.member("ann", MessengerScene.client("web"))
            let conversation = try await ann.begin("hello")
            let faye = try await ann.listen()
            let asked: JSON = [
                ["type": "text", "name": "order", "label": "Order"], ["_id": "f-2", "type": "email", "name": "mail", "label": "Mail"],
            ]
            try await scene.act("card", ["consumer": "ann", "type": "form", "fields": asked])
            let form = try await faye.event("message")["message"]
            let fields = form?["fields"]?.array ?? []
            #expect(fields.map { $0["name"] ?? .null } == ["order", "mail"] && fields.last?["_id"] == "f-2", "\(form?.text ?? "")")
            #expect(fields.first?["_id"]?.string?.isEmpty == false)

            let filled: JSON = [["type": "text", "name": "order", "label": "Order", "text": "1001"]]
            let response: JSON = ["role": "appUser", "type": "formResponse", "quotedMessageId": form?["_id"] ?? .null, "fields": filled]
            let sent = try await ann.send(response, in: conversation)
            let history = try await ann.call(.get, "/conversations/\(conversation)/messages").json?["messages"]?.array
            for message in [sent.json?["messages"]?.array?.first, try await faye.event("message")["message"], history?.last] {
                let field = message?["fields"]?.array?.first
                #expect(message?["type"] == "formResponse" && message?["quotedMessageId"] == form?["_id"], "\(sent.text)")
                #expect(field?["text"] == "1001" && field?["_id"]?.string?.isEmpty == false, "\(message?.text ?? "")")
            }
            #expect(try await scene.entry("sendMessage")["findings"]?.array ?? [] == [])
        }
    }

    /// Fields that are none: of a client, and of an act.
    @Test(arguments: ["7", "{}", "[7]", #"["order"]"#])
    func `fields are a list of objects`(_ fields: String) async throws {
        try await MessengerScene.run { scene async throws in
            let fields = try JSON(parsing: fields)
            let ann = try await scene.member("ann")
            let conversation = try await ann.begin("hello")
            #expect(try await ann.send(["type": "formResponse", "fields": fields], in: conversation).refusalWords == "400 bad_request")
            let act: JSON = ["consumer": "ann", "type": "form", "fields": fields]
            let refused = try await scene.server.problem(.post, "/__admin/sandboxes/default/khoros/agent/card", act)
            #expect(refused.words.hasPrefix("400 request-malformed /fields"), "\(refused)")
            #expect(try await ann.texts(of: conversation) == ["hello"])
        }
    }

    /// iOS says why with each conversation (CLBUserSynchronizer.m, createConversationWithParameters).
    @Test(arguments: [("conversation:start", 201), ("message:appUser", 201), (7, 400)] as [(JSON, Int)])
    func `a conversation may have its intent`(_ intent: JSON, _ status: Int) async throws {
        try await MessengerScene.run { scene async throws in
            let ann = try await scene.member("ann")
            let body: JSON = ["type": "personal", "intent": intent, "client": ann.client]
            let begun = try await ann.call(.post, "/appusers/\(ann.id)/conversations", body)
            #expect(begun.status == status, "\(begun.text)")
            let findings = try await scene.entry("createConversation")["findings"]?.array ?? []
            #expect(findings.isEmpty == (status == 201), "\(findings)")
            // One conversation, not a second one for the intent.
            #expect(try await ann.read().json?["conversations"]?.array?.count == (status == 201 ? 1 : 0))
        }
    }

    /// Zendesk's ConversationKit reads no answer that lacks one of these (AppUserDto, AppUserResponseDto, ConversationResponseDto, IntegrationDto), and its web
    /// widget takes the socket's address from the answer to the conversation that it starts.
    @Test func `answers have the members that further clients require`() async throws {
        try await MessengerScene.run { scene async throws in
            let id = MessengerScene.integrations["android"] ?? ""
            let integration = try await scene.config(id).json?["config"]?["integration"]
            #expect(integration == ["_id": .string(id), "canUserCreateMoreConversations": true, "canUserSeeConversationList": true])

            let ann = try await scene.member("ann")
            #expect(try await ann.read().json?["appUser"]?["conversationStarted"] == false)
            let body: JSON = ["type": "personal", "client": ann.client]
            let begun = try await ann.call(.post, "/appusers/\(ann.id)/conversations", body)
            let read = try await ann.read()
            let conversation = begun.json?["conversation"]?["_id"]?.string ?? ""
            let shown = try await ann.call(.get, "/conversations/\(conversation)")
            for answer in [begun, read, shown] {
                let user = answer.json?["appUser"]
                #expect(user?["_id"]?.string == ann.id && user?["pendingClients"] == [], "\(answer.text)")
                #expect(user?["conversationStarted"] == true && user?["clients"]?.array?.count == 1, "\(answer.text)")
                #expect(answer.json?["appUsers"] == .object([ann.id: user ?? .null]), "\(answer.text)")
                let socket = answer.json?["settings"]?["realtime"]?["baseUrl"]?.string ?? ""
                #expect(socket.hasSuffix("/faye/\(scene.app)"), "\(answer.text)")
            }
            let listed = try await ann.call(.get, "/appusers/\(ann.id)/conversations")
            #expect(listed.json?["appUsers"] == read.json?["appUsers"], "\(listed.text)")
        }
    }

    /// Linked channels and proactive messages (AppUsersApi.js of sunco-js-client, SunshineConversationsApi of ConversationKit).
    @Test(
        arguments: [
            (.get, "/appusers/USER/linkrequest?integrationIds=5f0c0e1a2b3c4d5e6f708194"), (.delete, "/appusers/USER/clients/other-1"),
            (.post, "/conversations/CONVERSATION/referral"),
        ] as [(HTTPRequest.Method, String)])
    func `what only further clients ask for is known and not emulated`(_ method: HTTPRequest.Method, _ path: String) async throws {
        try await MessengerScene.run { scene async throws in
            let ann = try await scene.member("ann")
            let conversation = try await ann.begin("hello")
            let path = path.replacing("USER", with: ann.id).replacing("CONVERSATION", with: conversation)
            let body: JSON? = method == .post ? ["author": ann.author, "intent": "proactiveMessaging"] : nil
            #expect(try await ann.call(method, path, body).refusalWords == "501 mock-not-emulated")
            let findings = try await scene.server.journal("?kind=exchange").last?["findings"]?.array ?? []
            let codes = findings.compactMap { $0["code"]?.string }
            #expect(codes.contains("not-emulated"), "\(findings)")
            var elsewhere = scene
            elsewhere.app = "nobody"
            #expect(try await elsewhere.call(method, path, body, by: "Bearer \(ann.jwt)").refusalWords == "404 not_found")
        }
    }

    @Test(arguments: ["", "/sdk", "/sc/sdk"])
    func `each call is served below the bases of web clients too`(_ base: String) async throws {
        try await MessengerScene.run(findings: 2) { scene async throws in
            var web = scene
            web.base = base
            let id = MessengerScene.integrations["web"] ?? ""
            let served = try await web.config(id).json?["config"]?["baseUrl"]?["web"]?.string ?? ""
            #expect(served.hasSuffix("/sdk/"), "\(served)")
            let ann = try await web.member("ann", MessengerScene.client("web"))
            let conversation = try await ann.begin("hello")
            #expect(try await ann.say("hi", in: conversation).status == 201)
            #expect(try await ann.texts(of: conversation) == ["hello", "hi"])
            // By the same names as everywhere: in the journal and for faults.
            #expect(try await scene.entry("sendMessage")["answer"]?["name"] == "message-sent")
            try await scene.arm("khoros.sendMessage internal-error times=1")
            #expect(try await ann.say("lost", in: conversation).refusalWords == "500 unhandled_error")
            #expect(try await ann.call(.delete, "/login").status == 405)
            #expect(try await ann.call(.get, "/appusers/nobody").refusalWords == "404 not_found")
            #expect(try await scene.server.send(.get, "/sdk\(base)/v2/apps/\(scene.app)/login/x").status == 404)
        }
    }
}

extension Member {
    /// Sends a picture, with an author as it stands in its part.
    fileprivate func upload(in conversation: String, author: String) async throws -> TestAnswer {
        let body = """
            --xyz\r\nContent-Disposition: form-data; name="author"\r\n\r\n\(author)\r\n--xyz\r
            Content-Disposition: form-data; name="source"; filename="a.png"\r\nContent-Type: image/png\r\n\r\nPNG\r\n--xyz--\r\n
            """
        return try await scene.server.send(
            .post, "/v2/apps/\(scene.app)/conversations/\(conversation)/files",
            headers: [.authorization: "Bearer \(jwt)", .contentType: "multipart/form-data; boundary=xyz"], body: Array(body.utf8))
    }
}

import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// Conversations, messages and the Bayeux socket at Khoros.
@Suite struct MessengerTalkTests {
    @Test func `what the business says is unread until the user reads it, on all devices`() async throws {
        try await MessengerScene.run { scene async throws in
            let (phone, tablet) = (try await scene.member("ann"), try await scene.member("ann", MessengerScene.client("android")))
            let conversation = try await phone.begin("hello")
            let (left, right) = (try await phone.listen(), try await tablet.listen())
            let said = try await scene.act("say", ["consumer": "ann", "text": "Hi Ann", "quickReplies": ["Yes", "No"]])
            #expect(said["delivery"] == "socket" && said["sequence"] == 2, "\(said.text)")
            for faye in [left, right] {
                let event = try await faye.event("message")
                #expect(event["conversation"]?["_id"]?.string == conversation && event["message"]?["text"] == "Hi Ann")
                #expect(event["message"]?["actions"]?.array?.map { $0["text"] ?? .null } == ["Yes", "No"])
            }
            #expect(try await phone.unread(conversation) == 1)
            let read: JSON = ["activity": ["type": "conversation:read"], "author": phone.author]
            #expect(try await phone.call(.post, "/conversations/\(conversation)/activity", read).status == 200)
            #expect(try await phone.unread(conversation) == 0)
            #expect(try await right.event("activity")["activity"]?["type"] == "conversation:read")
        }
    }

    @Test func `what the business does besides is heard`() async throws {
        try await MessengerScene.run { scene async throws in
            let ann = try await scene.member("ann")
            let conversation = try await ann.begin("hello")
            let faye = try await ann.listen()
            try await scene.act("typing", ["consumer": "ann"])
            #expect(try await faye.event("activity")["activity"]?["data"]?["name"] == "Ada")
            try await scene.act("pause", ["consumer": "ann"])
            #expect(try await faye.event("activity")["activity"]?["type"] == "typing:stop")
            try await scene.act("read", ["consumer": "ann"])
            #expect(try await faye.event("activity")["conversation"]?["appMakerLastRead"]?.double ?? 0 > 1_767_000_000)
            let button: JSON = ["type": "postback", "text": "Track it", "payload": "track"]
            try await scene.act("card", ["consumer": "ann", "type": "text", "text": "Choose", "actions": [button]])
            let action = try await faye.event("message")["message"]?["actions"]?.array?.first?["_id"] ?? .null
            func press(_ id: JSON) async throws -> TestAnswer {
                try await ann.call(
                    .post, "/conversations/\(conversation)/postback", ["postback": ["actionId": id], "author": ann.author])
            }
            #expect(try await press(action).status == 200)
            #expect(try await press("x").refusalWords == "404 not_found")
            try await scene.act("close", ["consumer": "ann"])
            #expect(try await faye.event("conversation:removed")["conversation"]?["_id"]?.string == conversation)
            #expect(try await ann.say("hello?", in: conversation).status == 404)
            #expect(try await scene.act("say", ["consumer": "ann", "text": "Anything else?"])["done"]?.array?.count == 2)
            #expect(try await faye.event("conversation:added")["conversation"] != nil)
            let closed = try await scene.server.problem(
                .post, "/__admin/sandboxes/default/khoros/agent/say", ["conversation": .string(conversation), "text": "x"])
            #expect(closed.words == "409 act-refused", "\(closed)")
        }
    }

    @Test func `files go to the business and come from it`() async throws {
        try await MessengerScene.run(["largestFile": 1000]) { scene async throws in
            let ann = try await scene.member("ann")
            let conversation = try await ann.begin("hello")
            let faye = try await ann.listen()
            func upload(_ bytes: String, boundary: String = "xyz", name: String = "; filename=\"a.png\"") async throws -> TestAnswer {
                let author = ann.author.text
                let body = """
                    --xyz\r\nContent-Disposition: form-data; name="author"\r\n\r\n\(author)\r\n--xyz\r
                    Content-Disposition: form-data; name="source"\(name)\r\nContent-Type: image/png\r\n\r\n\(bytes)\r\n--xyz--\r\n
                    """
                return try await scene.server.send(
                    .post, "/v2/apps/\(scene.app)/conversations/\(conversation)/files",
                    headers: [.authorization: "Bearer \(ann.jwt)", .contentType: "multipart/form-data; boundary=\(boundary)"],
                    body: Array(body.utf8))
            }
            let sent = try await upload("PNG\r\n--not-the-end")
            let message = try #require(sent.json?["messages"]?.array?.first, "\(sent.text)")
            #expect(message["type"] == "image" && message["source"]?["type"] == "ios" && message["_id"] == sent.json?["messageId"])
            let listed = try await ann.call(.get, "/appusers/\(ann.id)/conversations").json?["conversations"]?.array?.first
            #expect(listed?["messages"]?.array?.map { $0["_id"] } == [message["_id"]], "\(listed?.text ?? "")")
            let target = message["mediaUrl"]?.string?.split(separator: "/", maxSplits: 2).last.map { "/\($0)" } ?? ""
            #expect(try await scene.server.send(.get, target).text == "PNG\r\n--not-the-end")
            let refused = try await upload(String(repeating: "x", count: 2000))
            let failure = try await faye.event("upload:failed")
            // Without one of these three the SDK for Android does nothing, and its upload goes on for ever.
            #expect(refused.status == 202 && failure["data"]?["messageId"] == refused.json?["messageId"], "\(refused.text) \(failure.text)")
            #expect(failure["err"] == ["status": 413, "code": "payload_too_large"], "\(failure.text)")
            #expect(failure["client"] == ["id": ann.author["client"]?["id"] ?? .null], "\(failure.text)")
            #expect(refused.json?["messageId"]?.string?.count == 24 && failure["conversation"]?["_id"]?.string == conversation)
            #expect(try await upload("x", boundary: "abc").refusalWords == "400 bad_request")
            #expect(try await upload("x", name: "").refusalWords == "400 bad_request")
            try await scene.act("file", ["consumer": "ann", "fileName": "a.txt", "mimeType": "text/plain", "content": "aGk="])
            #expect(try await faye.event("message")["message"]?["type"] == "image")
            let got = try await faye.event("message")["message"]?["mediaUrl"]?.string ?? ""
            let file = try await scene.server.send(.get, got.split(separator: "/", maxSplits: 2).last.map { "/\($0)" } ?? "")
            #expect(file.text == "hi" && file.headers[.contentType] == "text/plain", "\(got)")
        }
    }

    @Test func `a file that comes while nobody is there has its address once somebody reads it`() async throws {
        try await MessengerScene.run { scene async throws in
            let ann = try await scene.member("ann")
            let conversation = try await ann.begin("hello")
            try await scene.act("file", ["consumer": "ann", "fileName": "a.txt", "mimeType": "text/plain", "content": "aGk="])
            let read = try await ann.call(.get, "/conversations/\(conversation)/messages").json?["messages"]?.array?.last
            #expect(read?["mediaUrl"]?.string?.hasPrefix("http://127.0.0.1:") == true, "\(read?.text ?? "")")
        }
    }

    @Test func `history comes in pages, the oldest first`() async throws {
        try await MessengerScene.run(["historyPage": 2, "conversationPage": 1]) { scene async throws in
            let ann = try await scene.member("ann")
            let conversation = try await ann.begin("1")
            for number in 2...5 {
                try await scene.advance("1s")
                #expect(try await ann.say(String(number), in: conversation).status == 201)
            }
            let newest = try await ann.call(.get, "/conversations/\(conversation)/messages").json
            #expect(newest?["messages"]?.array?.map { $0["text"] ?? .null } == ["4", "5"] && newest?["hasPrevious"] == true)
            let before = newest?["messages"]?.array?.first?["received"]?.text ?? ""
            let older = try await ann.call(.get, "/conversations/\(conversation)/messages?before=\(before)").json
            #expect(older?["messages"]?.array?.map { $0["text"] ?? .null } == ["2", "3"])
            try await scene.advance("1s")
            let second = try await ann.begin("another")
            let page = try await ann.call(.get, "/appusers/\(ann.id)/conversations").json
            #expect(page?["conversations"]?.array?.map { $0["_id"] ?? .null } == [.string(second)])
            #expect(page?["conversationsPagination"]?["hasMore"] == true)
            let rest = try await ann.call(.get, "/appusers/\(ann.id)/conversations?offset=1").json
            #expect(rest?["conversationsPagination"]?["hasMore"] == false && rest?["conversations"]?.array?.count == 1)
        }
    }

    @Test func `a conversation is read by a path that names the user too, as the SDK for iOS does`() async throws {
        try await MessengerScene.run { scene async throws in
            let (ann, bob) = (try await scene.member("ann"), try await scene.member("bob", MessengerScene.client("android")))
            let conversation = try await ann.begin("hello")
            func read(_ id: String, of user: String, by caller: Member) async throws -> TestAnswer {
                try await caller.call(.get, "/appusers/\(user)/conversations/\(id)")
            }
            let found = try await read(conversation, of: ann.id, by: ann)
            let known = try await ann.call(.get, "/conversations/\(conversation)")
            #expect(found.status == 200 && found.json == known.json, "\(found.text)")
            #expect(try await read(conversation, of: ann.id, by: bob).refusalWords == "403 forbidden")
            #expect(try await read(conversation, of: bob.id, by: bob).refusalWords == "403 forbidden")
            #expect(try await read("nothing", of: ann.id, by: ann).refusalWords == "404 not_found")
            #expect(try await read(conversation, of: "nobody", by: ann).refusalWords == "404 not_found")
        }
    }

    @Test(arguments: [(.post, "transaction"), (.get, "customer"), (.post, "customer")] as [(HTTPRequest.Method, String)])
    func `payments are known and not emulated`(method: HTTPRequest.Method, what: String) async throws {
        try await MessengerScene.run { scene async throws in
            let ann = try await scene.member("ann")
            let answer = try await ann.call(method, "/appusers/\(ann.id)/stripe/\(what)", method == .post ? ["token": "tok_1"] : nil)
            #expect(answer.refusalWords == "501 mock-not-emulated")
            let findings = try await scene.server.journal("?kind=exchange").last?["findings"]?.array ?? []
            #expect(findings.map { $0["code"] } == ["not-emulated"], "\(findings)")
        }
    }

    @Test func `a script that sets itself off comes to an end`() async throws {
        let script: JSON = [["on": "opened", "do": ["act": "open", "displayName": "One more"]]]
        try await MessengerScene.run(["agents": [["id": "7", "script": script]]]) { scene async throws in
            let ann = try await scene.member("ann")
            _ = try await ann.begin("hello")
            try await scene.advance("0s")
            let steps = try await scene.server.journal("?kind=due").compactMap { $0["cause"]?.string }
            #expect(steps.count == 17 && steps.last?.contains("set each other off") == true, "\(steps)")
        }
    }

    @Test func `a script answers for the business`() async throws {
        let echo: JSON = [["id": "echo", "name": "Echo", "script": "echo"]]
        try await MessengerScene.run(["agents": echo]) { scene async throws in
            let ann = try await scene.member("ann")
            let conversation = try await ann.begin("one")
            try await until { try await ann.texts(of: conversation) == ["one", "one"] }
            #expect(try await ann.say("two", in: conversation).status == 201)
            try await until { try await ann.texts(of: conversation) == ["one", "one", "two", "two"] }
        }
    }

    // MARK: Bayeux

    @Test func `the first connect is answered at once, the next one when its time is over`() async throws {
        try await MessengerScene.run(["realtime": ["timeout": "20s"]]) { scene async throws in
            let faye = try await scene.faye()
            #expect(try await faye.shakeHands()["advice"]?["timeout"] == 20_000)
            #expect(try await faye.connect()["successful"] == true)
            faye.socket.send(["channel": "/meta/connect", "clientId": .string(faye.clientId), "connectionType": "websocket", "id": "7"])
            try await until { try await scene.server.journal("?operation=khoros.connect").count == 2 }
            #expect(try await scene.entry("connect")["cause"] == "held for 20 s")
            try await scene.advance("20s")
            #expect(try await faye.answer("/meta/connect")["id"] == "7")
        }
    }

    @Test func `a frame may be an array, and each answer is an array of one`() async throws {
        try await MessengerScene.run { scene async throws in
            let ann = try await scene.member("ann")
            let faye = try await scene.faye()
            try await faye.shakeHands()
            let subscription = "/sdk/apps/\(scene.app)/appusers/\(ann.id)"
            faye.socket.send([
                ["channel": "/meta/connect", "clientId": .string(faye.clientId), "connectionType": "websocket", "id": "1"],
                [
                    "channel": "/meta/subscribe", "clientId": .string(faye.clientId), "subscription": .string(subscription),
                    "jwt": .string(ann.jwt), "id": "2",
                ],
            ])
            #expect(try await faye.answer("/meta/connect")["id"] == "1")
            let subscribed = try await faye.answer("/meta/subscribe")
            #expect(subscribed["id"] == "2" && subscribed["subscription"]?.string == subscription)
        }
    }

    /// A subscription that is refused: what comes in place of the right thing, and the error.
    @Test(arguments: [
        ("jwt", "e30.e30.e30", "401::invalid_auth", "token-malformed"), ("none", "", "401::unauthorized", "authorization-missing"),
        ("session", "x", "401::unauthorized", "session-unknown"), ("user", "5f0c0e1a2b3c4d5e6f7081ff", "403::forbidden", "user-of-another"),
        ("channel", "/sdk/apps/other/appusers/x", "400::bad_request", "subscription-malformed"),
    ])
    func `a subscription is refused for each cause`(_ what: String, _ value: String, _ error: String, _ name: String) async throws {
        try await MessengerScene.run { scene async throws in
            let ann = try await scene.member("ann")
            let faye = try await scene.faye()
            try await faye.shakeHands()
            var ext: JSON.Object = ["jwt": .string(ann.jwt)]
            if what == "jwt" { ext["jwt"] = .string(value) }
            if what == "none" { ext = [:] }
            if what == "session" { ext = ["sessionToken": .string(value)] }
            let user = what == "user" ? value : ann.id
            let channel = what == "channel" ? value : "/sdk/apps/\(scene.app)/appusers/\(user)"
            let answer = try await faye.send("/meta/subscribe", ["subscription": .string(channel), "ext": .object(ext)])
            #expect(answer["successful"] == false && answer["error"]?.string == error, "\(answer.text)")
            #expect(try await scene.entry("subscribe")["answer"]?["name"]?.string == name)
            try await scene.act("say", ["consumer": "ann", "text": "nobody hears this"])
            #expect(try await scene.server.journal("?kind=notification").isEmpty)
        }
    }

    @Test func `who has no session, or another one, shakes hands`() async throws {
        try await MessengerScene.run { scene async throws in
            let faye = try await scene.faye()
            let early = try await faye.send("/meta/connect", ["clientId": "made-up", "connectionType": "websocket"])
            #expect(early["error"] == "401:made-up:Unknown client" && early["advice"]?["reconnect"] == "handshake")
            let refused = try await faye.send("/meta/handshake", ["version": "1.0", "supportedConnectionTypes": ["iframe"]])
            #expect(refused["successful"] == false)
            try await faye.shakeHands()
            // Another handshake ends what the session before was subscribed to.
            let listening = try await scene.member("ann").listen()
            try await listening.shakeHands()
            #expect(try await scene.act("say", ["consumer": "ann", "text": "Hello?"])["delivery"] == "none")
            #expect(try await faye.send("/meta/unsubscribe", ["subscription": "/x"])["successful"] == true)
            #expect(try await faye.send("/meta/disconnect")["successful"] == true)
            #expect(try await faye.socket.end() == .closed(code: 1000, reason: ""))
        }
    }

    @Test func `what is no message of Bayeux's is answered, and the socket stays`() async throws {
        try await MessengerScene.run(findings: 2) { scene async throws in
            let faye = try await scene.faye()
            faye.socket.sendText("nonsense")
            let answer = try await faye.socket.next()
            #expect(answer == .message([["successful": false, "error": "400::Malformed or unknown message"]]))
            faye.socket.send([["channel": "/meta/handshke"]])
            _ = try await faye.socket.next()
            #expect(try await faye.shakeHands()["successful"] == true)
            let findings = try await scene.server.journal("?kind=finding").flatMap { $0["findings"]?.array ?? [] }
            #expect(findings.first?["code"] == "syntax", "\(findings)")
        }
    }

    @Test func `what was acknowledged is there after a restart`() async throws {
        try await TemporaryFolder.database { database in
            var conversation = ""
            var ann: Member?
            try await TestServer.run(database: database, tenants: MessengerScene.tenants()) { server in
                let member = try await MessengerScene(server: server).member("ann", MessengerScene.client("ios", token: "d-1"))
                conversation = try await member.begin("hello")
                ann = member
            }
            try await TestServer.run(database: database) { server in
                let before = try #require(ann)
                let member = Member(
                    scene: MessengerScene(server: server), user: "ann", id: before.id, jwt: before.jwt, client: before.client)
                #expect(try await member.texts(of: conversation) == ["hello"])
                #expect(try await member.scene.act("say", ["consumer": "ann", "text": "Hi"])["delivery"] == "push")
            }
        }
    }
}

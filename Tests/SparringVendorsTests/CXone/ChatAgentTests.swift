import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// The agent's side of CXone, played by a test or by a script.
@Suite struct ChatAgentTests {
    @Test func `an agent is assigned, types, says, reads and closes, and the customer sees it`() async throws {
        try await ChatScene.run { scene in
            let chatter = try await scene.chatter(.live, "ada")
            let contact = try await chatter.begin()
            _ = try await chatter.pushed("SetPositionInQueue")
            try await scene.act("join", ["consumer": "ada"])
            let assigned = try await chatter.pushed("CaseInboxAssigneeChanged")["data"]
            #expect(assigned?["inboxAssignee"]?["id"] == 12_328 && assigned?["previousInboxAssignee"] == .null)
            #expect(assigned?["case"]?["id"] == contact["id"] && assigned?["case"]?["status"] == "open")
            try await scene.act("typing", ["consumer": "ada"])
            #expect(try await chatter.pushed("SenderTypingStarted")["data"]?["direction"] == "outbound")
            try await scene.act("pause", ["consumer": "ada"])
            _ = try await chatter.pushed("SenderTypingEnded")
            let deed = try await scene.act("say", ["consumer": "ada", "text": "Yes?", "quickReplies": ["A", "B"]])
            #expect(deed["delivery"] == "socket" && deed["sequence"] == 2)
            let sent = try await chatter.pushed("MessageSent")["data"]?["message"]
            let created = try await chatter.pushed("MessageCreated")["data"]?["message"]
            #expect(sent?["id"] == nil && sent?["idOnExternalPlatform"] == created?["idOnExternalPlatform"])
            #expect(created?["direction"] == "outbound" && created?["authorUser"]?["firstName"] == "Ada")
            #expect(created?["messageContent"]?["type"] == "QUICK_REPLIES" && created?["messageContent"]?["fallbackText"] == "Yes?")
            try await scene.act("read", ["consumer": "ada"])
            let read = try await chatter.pushed("MessageReadChanged")["data"]?["message"]
            #expect(read?["userStatistics"]?["readAt"] == "2026-01-01T00:00:00+00:00" && read?["isRead"] == true)
            _ = try await chatter.send("MessageSeenByCustomer", ["thread": Chatter.thread(1)])
            #expect(try await chatter.pushed("MessageSeenChanged")["data"]?["message"]?["customerStatistics"]?["seenAt"] != .null)
            try await scene.act("close", ["conversation": contact["id"] ?? .null])
            _ = try await chatter.socket.message("the end") { $0["data"]?["case"]?["status"] == "closed" }
            let refused = try await scene.server.problem(
                .post, "/__admin/sandboxes/default/cxone/agent/say", ["consumer": "ada", "text": "x"])
            #expect(refused.words.hasPrefix("409 act-refused"))
            let told = try await scene.server.admin(.get, "cxone/conversations/\(contact["id"]?.string ?? "")")
            #expect(told["messages"]?.array?.map { $0["author"] } == ["customer", "agent"] && told["state"] == "CLOSE")
        }
    }

    @Test func `live chats wait in line`() async throws {
        try await ChatScene.run { scene in
            let (ada, bob) = (try await scene.chatter(.live, "ada"), try await scene.chatter(.live, "bob"))
            _ = try await ada.begin()
            _ = try await bob.begin("hi", 2, in: 2)
            #expect(try await ada.pushed("SetPositionInQueue")["data"]?["positionInQueue"] == 1)
            #expect(try await bob.pushed("SetPositionInQueue")["data"]?["positionInQueue"] == 2)
            #expect(try await scene.server.journal("?operation=cxone.setPositionInQueue").count == 2, "a newcomer moves nobody")
            try await scene.act("join", ["consumer": "ada"])
            #expect(try await bob.pushed("SetPositionInQueue")["data"]?["positionInQueue"] == 1)
            try await scene.act("setQueuePosition", ["consumer": "bob", "position": 7, "isAnyAgentOnline": false])
            #expect(try await bob.pushed("SetPositionInQueue")["data"]?["isAnyAgentOnlineForQueue"] == false)
        }
    }

    @Test func `who waits behind a contact that is moved to another queue moves up`() async throws {
        try await ChatScene.run { scene in
            let (ada, bob) = (try await scene.chatter(.live, "ada"), try await scene.chatter(.live, "bob"))
            _ = try await ada.begin()
            _ = try await bob.begin("hi", 2, in: 2)
            #expect(try await bob.pushed("SetPositionInQueue")["data"]?["positionInQueue"] == 2)
            try await scene.act("transfer", ["consumer": "ada", "queue": "q-2"])
            #expect(try await bob.pushed("SetPositionInQueue")["data"]?["positionInQueue"] == 1)
            _ = try await ada.pushed("SetPositionInQueue")
            let moved = try await ada.pushed("SetPositionInQueue")["data"]
            #expect(moved?["routingQueue"] == ["id": "q-2"] && moved?["positionInQueue"] == 1)
            #expect(try await scene.server.journal("?operation=cxone.setPositionInQueue").count == 4)
        }
    }

    @Test func `a contact is handed to another agent, or into a queue`() async throws {
        let agents: JSON = [["id": 1, "loginUsername": "one"], ["id": 2, "loginUsername": "two"]]
        try await ChatScene.run(brand: ["agents": agents]) { scene in
            let chatter = try await scene.chatter(.single, "ada")
            _ = try await chatter.begin()
            try await scene.act("join", ["consumer": "ada"])
            #expect(try await chatter.pushed("CaseStatusChanged")["data"]?["case"]?["status"] == "open")
            _ = try await chatter.pushed("CaseInboxAssigneeChanged")
            try await scene.act("transfer", ["consumer": "ada", "agentTo": "two"])
            let changed = try await chatter.pushed("CaseInboxAssigneeChanged")["data"]
            #expect(changed?["inboxAssignee"]?["id"] == 2 && changed?["previousInboxAssignee"]?["id"] == 1)
            try await scene.act("transfer", ["consumer": "ada", "queue": "q-2"])
            #expect(try await chatter.pushed("CaseInboxAssigneeChanged")["data"]?["inboxAssignee"] == .null)
            #expect(try await chatter.pushed("CaseToRoutingQueueAssignmentChanged")["data"]?["routingQueue"] == ["id": "q-2"])
            try await scene.act("setStatus", ["consumer": "ada", "status": "pending"])
            #expect(try await chatter.pushed("CaseStatusChanged")["data"]?["case"]?["status"] == "pending")
        }
    }

    @Test func `a script joins, reads and answers`() async throws {
        let agents: JSON = [["id": 1, "firstName": "Eva", "surname": "Echo", "script": "echo"]]
        try await ChatScene.run(brand: ["agents": agents]) { scene in
            let chatter = try await scene.chatter(.single, "ada")
            _ = try await chatter.begin("hello there")
            let answer = try await chatter.pushed("MessageCreated")["data"]?["message"]
            #expect(answer?["messageContent"]?["payload"]?["text"] == "hello there" && answer?["authorUser"]?["id"] == 1)
        }
    }

    @Test func `who is away gets it on the device that the visitor registered`() async throws {
        try await ChatScene.run { scene in
            try await scene.prepare("ada", device: "d-1")
            let chatter = try await scene.chatter(.multi, "ada")
            _ = try await chatter.begin()
            chatter.socket.close(1001)
            _ = try await chatter.socket.end()
            try await until {
                try await scene.server.admin(.get, "consumers")["consumers"]?.array?.first { $0["vendor"] == "cxone" }?["sockets"] == 0
            }
            #expect(try await scene.act("say", ["consumer": "ada", "text": "There you are"])["delivery"] == "push")
            let notification = try await scene.server.admin(.get, "devices/d-1/notifications")["notifications"]?.array?.first
            #expect(notification?["text"] == "There you are" && notification?["payload"]?["aps"]?["alert"]?["body"] == "There you are")
            try await scene.act("push", ["consumer": .string(ChatScene.visitor("ada")), "text": "News"])
            #expect(try await scene.server.admin(.get, "devices/d-1/notifications")["notifications"]?.array?.count == 2)
        }
    }

    @Test func `agents come without what identifies them where the channel hides it`() async throws {
        try await ChatScene.run(["hidesPersonalInformation": true]) { scene in
            let chatter = try await scene.chatter(.single, "ada")
            _ = try await chatter.begin()
            try await scene.act("say", ["consumer": "ada", "text": "x"])
            let author = try await chatter.pushed("MessageCreated")["data"]?["message"]?["authorUser"]
            #expect(author?["emailAddress"] == nil && author?["isBotUser"] == nil && author?["firstName"] == "Ada")
        }
    }

    @Test func `what is offered comes once the customer is signed in, on a trigger, or when a test says so`() async throws {
        let actions: JSON = [
            ["on": "connected", "bodyText": "Dear {{customer.firstName|customer}}"],
            ["actionType": "CustomPopupBox", "on": "trigger", "matching": "t-1", "bodyText": "Sale", "variables": ["headingText": "Now"]],
        ]
        try await ChatScene.run(["proactiveActions": actions]) { scene in
            #expect(try await scene.channel(.single).json?["settings"]?["isProactiveChatEnabled"] == true)
            let chatter = try await scene.chatter(.single, "ada")
            let welcome = try await chatter.pushed("FireProactiveAction")["data"]?["proactiveAction"]?["action"]
            #expect(welcome?["actionType"] == "WelcomeMessage" && welcome?["data"]?["handover"] == ["customFields": []])
            _ = try await chatter.send("ExecuteTrigger", ["trigger": ["id": "t-1"]])
            let popup = try await chatter.pushed("FireProactiveAction")["data"]?["proactiveAction"]?["action"]
            #expect(popup?["data"]?["content"]?["variables"]?["headingText"] == "Now")
            try await scene.act("offer", ["consumer": "ada", "bodyText": "Still there?"])
            #expect(
                try await chatter.pushed("FireProactiveAction")["data"]?["proactiveAction"]?["action"]?["data"]?["content"]?["bodyText"]
                    == "Still there?")
            // The client has the welcome said before its own first message.
            #expect(try await chatter.say("Dear customer", 1, as: "SendOutbound").object?.count == 1)
            _ = try await chatter.pushed("CaseCreated")
            #expect(try await chatter.pushed("MessageCreated")["data"]?["message"]?["direction"] == "outbound")
            _ = try await chatter.say("hello", 2)
            #expect(try await chatter.pushed("MessageCreated")["data"]?["message"]?["direction"] == "inbound")
        }
    }

    private static func file(_ more: JSON.Object) -> JSON {
        JSON.object(more).filled(["fileName": "a.txt", "mimeType": "text/plain"])
    }

    /// Acts with what the problem must say: status, name and places, and in words.
    private static let impossible: [(path: String, with: JSON, problem: String, words: String)] = [
        ("agent/say", [:], "400 request-malformed /text", "required member 'text' is missing"),
        ("agent/say", ["txt": "x"], "400 request-malformed /text /txt", "unknown member 'txt' (did you mean 'text'?)"),
        ("agent/say", ["text": ""], "400 request-malformed /text", "'' is shorter than 1 character"),
        (
            "agent/say", ["text": "x", "quickReplies": ["a", ""]], "400 request-malformed /quickReplies/1", "'' is shorter than 1 character"
        ),
        ("agent/join", ["text": "x"], "400 request-malformed /text", "unknown member 'text'"),
        ("agent/card", ["content": "x"], "400 request-malformed /content", "expected object, found string"),
        ("agent/card", ["content": ["type": "TEXT"]], "400 request-malformed /content/payload", "required member 'payload' is missing"),
        ("agent/file", file([:]), "422 configuration-invalid /url", "a file has either its 'url' or its 'content' in Base64"),
        (
            "agent/file", file(["url": "https://brand.example/a", "content": "SGk="]), "422 configuration-invalid /url",
            "a file has either its 'url' or its 'content' in Base64"
        ),
        ("agent/file", file(["content": "SG?="]), "400 request-malformed /content", "'SG?=' is not Base64 (RFC 4648 §4)"),
        ("agent/transfer", [:], "422 configuration-invalid /agentTo", "either an agent ('agentTo') or a queue ('queue')"),
        ("agent/transfer", ["agentTo": "ada", "queue": "q-2"], "422 configuration-invalid /agentTo", "to whom is missing"),
        ("agent/setStatus", ["status": "done"], "400 request-malformed /status", "'done' is not one of 'new', 'open'"),
        (
            "agent/setQueuePosition", ["position": 2_147_483_648], "400 request-malformed /position",
            "2147483648 is greater than the maximum 2147483647"
        ),
        (
            "offer", ["actionId": "5a4b3c2d-1e0f-4a9b-8c7d-6e5f4a3b2c1d"], "422 configuration-invalid /actionId",
            "no channel has the action '5a4b3c2d-1e0f-4a9b-8c7d-6e5f4a3b2c1d'"
        ),
        ("offer", [:], "422 configuration-invalid /actionId", "no channel has the action ''"),
        ("offer", ["actionId": "x", "bodyText": "y"], "400 request-malformed /actionId", "'x' is not a UUID"),
        ("offer", ["bodyText": ""], "400 request-malformed /bodyText", "'' is shorter than 1 character"),
        (
            "offer", ["bodyText": "x", "handover": [["ident": "h"]]], "400 request-malformed /handover/0/value",
            "required member 'value' is missing"
        ),
        ("offer", ["bodytext": "x"], "400 request-malformed /bodytext", "unknown member 'bodytext' (did you mean 'bodyText'?)"),
        ("offer", ["bodyText": "x", "on": "act"], "400 request-malformed /on", "unknown member 'on'"),
        ("push", ["text": ""], "400 request-malformed /text", "'' is shorter than 1 character"),
        ("sign-out", ["reason": "bored"], "400 request-malformed /reason", "'bored' is not one of 'another-device'"),
    ]

    @Test func `what cannot be done is refused with its place`() async throws {
        try await ChatScene.run { scene in
            let chatter = try await scene.chatter(.single, "ada")
            _ = try await chatter.begin()
            for row in Self.impossible {
                let problem = try await scene.server.problem(
                    .post, "/__admin/sandboxes/default/cxone/\(row.path)", row.with.filled(["consumer": "ada"]))
                #expect(problem.words == row.problem && problem.detail.contains(row.words), "\(row.path) \(row.with): \(problem)")
            }
        }
    }

    @Test func `the content of a file may be in lines`() async throws {
        try await ChatScene.run { scene in
            let chatter = try await scene.chatter(.single, "ada")
            _ = try await chatter.begin()
            try await scene.act("file", ["consumer": "ada", "fileName": "a", "mimeType": "text/plain", "content": "SGVs\r\nbG8=\n"])
            let message = try await chatter.pushed("MessageCreated")["data"]?["message"]
            #expect(message?["attachments"]?.array?.first?["fileName"] == "a")
        }
    }

    @Test func `a guest who was invited hears and says what is said`() async throws {
        try await ChatScene.run { scene in
            let (ada, bob) = (try await scene.chatter(.live, "ada"), try await scene.chatter(.live, "bob"))
            let contact = try await ada.begin()["id"] ?? .null
            let code = try await ada.send("CreateInvitationToGroupChat", ["contact": ["id": contact]])["postback"]?["data"]?["invitation"]?[
                "code"]
            let mail: JSON = [
                "contact": ["id": contact], "invitation": ["code": code ?? .null], "recipients": [["idOnExternalPlatform": "b@b"]],
            ]
            #expect(
                try await ada.send("SendEmailInvitationToGroupChat", mail)["postback"]?["eventType"] == "EmailInvitationToGroupChatSent")
            #expect(
                try await bob.send("JoinGroupChat", ["invitation": ["code": "nope"]]).errorWords?.hasPrefix("JoiningGroupChatFailed")
                    == true)
            let joined = try await bob.send("JoinGroupChat", ["invitation": ["code": code ?? .null]])
            #expect(joined["postback"]?["data"]?["contact"]?["id"] == contact)
            #expect(try await ada.pushed("ContactRecipientsChanged")["data"]?["contact"]?["recipients"]?.array?.count == 2)
            _ = try await bob.say("me too", 2)
            #expect(try await ada.pushed("MessageCreated")["data"]?["message"]?["authorEndUserIdentity"]?["idOnExternalPlatform"] == "bob")
            try await scene.act("say", ["conversation": contact, "text": "Welcome, both"])
            for chatter in [ada, bob] {
                _ = try await chatter.socket.message("the agent") {
                    $0["data"]?["message"]?["messageContent"]?["payload"]?["text"] == "Welcome, both"
                }
            }
            #expect(try await bob.send("LeaveGroupChat", ["contact": ["id": contact]]).object?.count == 1)
            #expect(try await bob.say("still?", 3).errorWords?.hasPrefix("SendingMessageFailed") == true)
        }
    }

    @Test func `a customer who is signed out loses sockets and tokens`() async throws {
        try await ChatScene.run(["securedSessions": true]) { scene in
            let identity: JSON = ["type": "anonymous", "customerIdentity": ["idOnExternalPlatform": "ada"]]
            let token = try #require(try await scene.token(.single, "ada", identity).json?["accessToken"]?.string)
            let chatter = try await scene.open(.single, "ada", more: "&transactionToken=\(token)")
            #expect(try await scene.server.admin(.get, "consumers")["consumers"]?.array?.first { $0["vendor"] == "cxone" }?["sockets"] == 1)
            try await scene.act("signOut", ["consumer": "ada"])
            #expect(try await chatter.socket.end() == .closed(code: 1008, reason: "Signed out"))
            let refused = await #expect(throws: SocketClient.Refused.self) {
                try await scene.open(.single, "ada", more: "&transactionToken=\(token)")
            }
            #expect(refused?.answer.status == 401)
        }
    }
}

import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// The gateway socket: threads and what is said in them (CXone reference 4 to 7).
@Suite struct ChatThreadTests {
    @Test func `heartbeats are answered by the bare text, pings by pongs`() async throws {
        try await ChatScene.run { scene in
            let chatter = try await scene.open(.single, "ada")
            chatter.socket.send(["action": "heartbeat"])
            #expect(try await chatter.socket.next() == .message("pong"))
            #expect(try await chatter.socket.isAlive())
        }
    }

    @Test(arguments: ChatScene.Mode.allCases)
    func `nothing is there before the first message, and it is no failure`(_ mode: ChatScene.Mode) async throws {
        try await ChatScene.run { scene in
            let chatter = try await scene.open(mode, "ada")
            #expect(try await chatter.send(mode.loading).errorWords == "InconsistentData mock-not-authorized")
            let authorized = try await chatter.authorize()
            #expect(authorized["status"] == "success" && authorized["data"] == nil && authorized["error"] == nil)
            #expect(authorized["postback"]?["data"]?["accessToken"] == nil, "the brand signs nobody in")
            let loaded = try await chatter.send(mode.loading)
            switch mode {
            case .single: #expect(loaded.errorWords == "RecoveringThreadFailed mock-thread-not-found")
            case .multi: #expect(loaded["postback"] == ["eventType": "ThreadListFetched", "data": ["threads": []]])
            case .live: #expect(loaded["postback"] == ["eventType": "LivechatRecovered"])
            }
        }
    }

    @Test func `a live chat that is not there fails where the feature is off`() async throws {
        try await ChatScene.run(["features": ["isRecoverLivechatDoesNotFailEnabled": false]]) { scene in
            let chatter = try await scene.open(.live, "ada")
            _ = try await chatter.authorize()
            #expect(try await chatter.send("RecoverLivechat", [:]).errorWords == "RecoveringLivechatFailed mock-live-chat-not-found")
        }
    }

    @Test(arguments: ChatScene.Mode.allCases)
    func `the first message begins thread and contact, and is there after a reconnect`(_ mode: ChatScene.Mode) async throws {
        try await ChatScene.run { scene in
            let chatter = try await scene.chatter(mode, "ada")
            let answer = try await chatter.say("hello", 1)
            #expect(answer.object?.count == 1, "the bare acknowledgement comes first: \(answer.text)")
            let contact = try await chatter.pushed("CaseCreated")["data"]?["case"]
            #expect(contact?["status"] == "new" && contact?["id"]?.string?.wholeMatch(of: /[0-9]{12}/) != nil)
            let created = try await chatter.pushed("MessageCreated")
            #expect(created["createdAt"] == "2026-01-01T00:00:00+00:00" && created["eventId"] != answer["eventId"])
            let message = created["data"]?["message"]
            #expect(message?["idOnExternalPlatform"]?.string == Chatter.messageId(1) && message?["direction"] == "inbound")
            #expect(message?["authorEndUserIdentity"]?["idOnExternalPlatform"] == "ada" && message?["hasAdditionalMessageContent"] == false)
            if mode == .live { #expect(try await chatter.pushed("SetPositionInQueue")["data"]?["positionInQueue"] == 1) }

            // Twice the same message is one (U8).
            #expect(try await chatter.say("hello", 1).object?.count == 1)
            chatter.socket.close()
            let again = try await scene.open(mode, "ada")
            _ = try await again.authorize()
            let loaded = try await again.send(mode == .live ? "RecoverLivechat" : "RecoverThread", ["thread": Chatter.thread(1)])
            let data = loaded["postback"]?["data"]
            #expect(data?["messages"]?.array?.count == 1 && data?["contact"]?["id"] == contact?["id"], "\(loaded.text)")
            #expect(data?["thread"]?["idOnExternalPlatform"]?.string == Chatter.threadId(1))
            #expect(data?["messagesScrollToken"] == "" && data?["contactHistory"] == [])
            if mode == .multi {
                let list = try await again.send("FetchThreadList")["postback"]?["data"]?["threads"]?.array
                #expect(list?.map { $0["idOnExternalPlatform"]?.string } == [Chatter.threadId(1)])
            }
        }
    }

    @Test func `a message that is sent again is not repeated, and its id is good for no other customer`() async throws {
        try await ChatScene.run { scene in
            let (ada, bob) = (try await scene.chatter(.multi, "ada"), try await scene.chatter(.multi, "bob"))
            _ = try await ada.begin()
            #expect(try await ada.say("hello", 1).object?.keys.elements == ["eventId"])
            #expect(try await ada.say("hello", 1, in: 2).object?.keys.elements == ["eventId"])
            #expect(try await bob.say("hi", 1, in: 3).errorWords == "SendingMessageFailed mock-message-not-sent")
            #expect(try await scene.entry("sendMessage")["cause"]?.string?.hasSuffix(" is another customer's") == true)
            let data = try await ada.send("RecoverThread", ["thread": Chatter.thread(1)])["postback"]?["data"]
            #expect(data?["messages"]?.array?.count == 1)
        }
    }

    @Test func `a thread is found whatever the case of its UUID, and keeps the one it began with`() async throws {
        try await ChatScene.run { scene in
            let chatter = try await scene.chatter(.single, "ada")
            _ = try await chatter.begin()
            let recovered = try await chatter.send(
                "RecoverThread", ["thread": ["idOnExternalPlatform": .string(Chatter.threadId(1).uppercased())]])
            #expect(recovered["postback"]?["data"]?["thread"]?["idOnExternalPlatform"]?.string == Chatter.threadId(1))
        }
    }

    @Test func `older messages come page by page, newest first`() async throws {
        try await ChatScene.run(brand: ["historyPage": 2]) { scene in
            let chatter = try await scene.chatter(.single, "ada")
            _ = try await chatter.begin("1", 1)
            for number in 2...5 { _ = try await chatter.say("\(number)", number) }
            func texts(_ data: JSON?) -> [String?]? { data?["messages"]?.array?.map { $0["messageContent"]?["payload"]?["text"]?.string } }
            var data = try await chatter.send("RecoverThread")["postback"]?["data"]
            #expect(texts(data) == ["5", "4"])
            var token = data?["messagesScrollToken"] ?? ""
            for expected in [["3", "2"], ["1"]] {
                data = try await chatter.send(
                    "LoadMoreMessages",
                    ["scrollToken": token, "oldestMessageDatetime": "2026-01-01T00:00:00Z", "thread": Chatter.thread(1)])[
                        "postback"]?["data"]
                #expect(texts(data) == expected)
                token = data?["scrollToken"] ?? .null
            }
            #expect(token == "", "there is nothing older")
            let wrong = try await chatter.send("LoadMoreMessages", ["scrollToken": "x", "thread": Chatter.thread(1)])
            #expect(wrong.errorWords == "InconsistentData mock-inconsistent-data")
        }
    }

    @Test func `threads are renamed and archived where there are several, and nowhere else`() async throws {
        try await ChatScene.run { scene in
            let multi = try await scene.chatter(.multi, "ada")
            _ = try await multi.begin()
            let named: JSON = ["thread": ["idOnExternalPlatform": .string(Chatter.threadId(1)), "threadName": "Order 42"]]
            #expect(try await multi.send("UpdateThread", named)["postback"]?["eventType"] == "ThreadUpdated")
            #expect(try await multi.send("ArchiveThread", ["thread": Chatter.thread(1)])["postback"]?["eventType"] == "ThreadArchived")
            let thread = try await multi.send("FetchThreadList")["postback"]?["data"]?["threads"]?.array?.first
            #expect(thread?["threadName"] == "Order 42" && thread?["canAddMoreMessages"] == false)
            #expect(try await multi.say("more", 2).errorWords == "SendingMessageFailed mock-message-not-sent")
            let single = try await scene.chatter(.single, "bob")
            _ = try await single.begin("x", 9, in: 9)
            #expect(
                try await single.send("UpdateThread", ["thread": Chatter.thread(9)]).errorWords
                    == "UpdatingThreadFailed mock-thread-not-updated")
            #expect(
                try await single.send("ArchiveThread", ["thread": Chatter.thread(9)]).errorWords
                    == "ArchivingThreadFailed mock-thread-not-archived")
        }
    }

    @Test(arguments: ChatScene.Mode.allCases)
    func `nobody gets at another customer's thread or contact`(_ mode: ChatScene.Mode) async throws {
        try await ChatScene.run { scene in
            let ada = try await scene.chatter(mode, "ada")
            let contact = try await ada.begin()["id"] ?? .null
            let bob = try await scene.chatter(mode, "bob")
            #expect(try await bob.say("mine?", 2).errorWords == "SendingMessageFailed mock-message-not-sent")
            let events: [(String, JSON, String)] = [
                ("RecoverThread", ["thread": Chatter.thread(1)], "RecoveringThreadFailed"),
                ("LoadThreadMetadata", ["thread": Chatter.thread(1)], "InconsistentData"),
                ("EndContact", ["contact": ["id": contact]], "InconsistentData"),
                (
                    "SendTranscript", ["consumerContact": ["id": contact], "consumerRecipients": [["idOnExternalPlatform": "b@b"]]],
                    "SendingTranscriptFailed"
                ),
                (
                    "SetContactCustomFields", ["thread": Chatter.thread(1), "contact": ["id": contact], "customFields": []],
                    "InconsistentData"
                ),
            ]
            for (event, data, code) in events {
                #expect(try await bob.send(event, data)["error"]?["errorCode"]?.string == code, "\(event)")
            }
        }
    }

    @Test func `outside multi-thread a second thread is found, and one after a failed recovery is not`() async throws {
        try await ChatScene.run { scene in
            let chatter = try await scene.chatter(.single, "ada")
            _ = try await chatter.begin()
            _ = try await chatter.say("again", 2, in: 2)
            #expect(try await scene.entry("sendMessage")["findings"]?.array?.first?["code"] == "second-thread")
            let other = try await scene.open(.single, "ada")
            _ = try await other.authorize()
            try await scene.arm("cxone.recoverThread recovering-thread-failed times=1")
            _ = try await other.send("RecoverThread")
            _ = try await other.say("once more", 3, in: 3)
            #expect(try await scene.entry("sendMessage")["findings"] == nil)
        }
    }

    @Test func `the fields of the form are missed where they do not come`() async throws {
        let form: JSON = ["customFields": [["isRequired": true, "definition": ["ident": "age", "type": "text"]]]]
        try await ChatScene.run(["preContactForm": form]) { scene in
            for (name, fields, isMissed) in [
                ("ada", [], true), ("bob", [["ident": "age", "value": ""]], true), ("cy", [["ident": "age", "value": "7"]], false),
            ] as [(String, JSON, Bool)] {
                let chatter = try await scene.chatter(.multi, name)
                let number = Int(name.utf8.reduce(0) { $0 + Int($1) })
                _ = try await chatter.say("hi", number, in: number, ["contact": ["customFields": fields]])
                let codes = try await scene.entry("sendMessage")["findings"]?.array?.compactMap { $0["code"]?.string }
                #expect(codes == (isMissed ? ["form-field-missing"] : nil), "\(name)")
            }
        }
    }

    @Test func `what is amiss with a message or a recovery goes by who has spoken in the thread`() async throws {
        let form: JSON = [
            "customFields": [["isRequired": true, "definition": ["ident": "department", "label": "Department", "type": "text"]]]
        ]
        try await ChatScene.run(["preContactForm": form]) { scene in
            let chatter = try await scene.chatter(.single, "ada")
            func found(_ operation: String) async throws -> [String] {
                (try await scene.entry(operation)["findings"]?.array ?? []).compactMap { $0["code"]?.string }
            }
            _ = try await chatter.say("How can we help?", 1, as: "SendOutbound")
            #expect(try await found("sendOutbound") == [])
            _ = try await chatter.send("RecoverThread")
            #expect(try await found("recoverThread") == [], "the thread is not the customer's own yet")
            _ = try await chatter.say("hello", 2)
            #expect(try await found("sendMessage") == ["form-field-missing"])
            _ = try await chatter.say("still there?", 3)
            #expect(try await found("sendMessage") == [])
            _ = try await chatter.say("How can we help?", 4, as: "SendOutbound")
            #expect(try await found("sendOutbound") == ["welcome-twice", "welcome-late"])
            _ = try await chatter.send("RecoverThread")
            #expect(try await found("recoverThread") == ["thread-left-out"])
        }
    }

    @Test func `custom fields are kept, the newest of a name`() async throws {
        try await ChatScene.run(brand: ["customFields": ["contact": [["ident": "k"]]]]) { scene in
            let chatter = try await scene.chatter(.multi, "ada")
            let contact = try await chatter.begin()["id"] ?? .null
            for (value, known) in [("1", "k"), ("2", "k"), ("3", "other")] {
                let fields: JSON = [["ident": .string(known), "value": .string(value)]]
                let data: JSON = ["thread": Chatter.thread(1), "contact": ["id": contact], "customFields": fields]
                #expect(try await chatter.send("SetContactCustomFields", data).object?.count == 1)
                let codes = try await scene.entry("setContactCustomFields")["findings"]?.array?.compactMap { $0["code"]?.string }
                #expect(codes == (known == "k" ? nil : ["field-unknown"]))
            }
            _ = try await chatter.send("SetCustomerCustomFields", ["customFields": [["ident": "c", "value": "v"]]])
            let data = try await chatter.send("RecoverThread", ["thread": Chatter.thread(1)])["postback"]?["data"]
            #expect(data?["contact"]?["customFields"]?.array?.compactMap { $0["value"]?.string } == ["2", "3"])
            #expect(data?["customer"]?["customFields"]?.array?.compactMap { $0["ident"]?.string } == ["c"])
        }
    }

    @Test func `a live chat is ended once, and a new contact begins in its thread`() async throws {
        try await ChatScene.run { scene in
            let chatter = try await scene.chatter(.live, "ada")
            let contact = try await chatter.begin()["id"] ?? .null
            let end: JSON = ["thread": Chatter.thread(1), "contact": ["id": contact]]
            #expect(try await chatter.send("EndContact", end).object?.count == 1)
            #expect(try await chatter.pushed("CaseStatusChanged")["data"]?["case"]?["status"] == "closed")
            #expect(try await chatter.send("EndContact", end).errorWords == "InconsistentData mock-inconsistent-data")
            let transcript: JSON = ["consumerContact": ["id": contact], "consumerRecipients": [["idOnExternalPlatform": "a@b"]]]
            #expect(try await chatter.send("SendTranscript", transcript)["postback"]?["eventType"] == "TranscriptSent")
            let next = try await chatter.begin("again", 2)["id"]
            #expect(next != contact)
        }
        try await ChatScene.run(["transcript": false]) { scene in
            let chatter = try await scene.chatter(.live, "ada")
            let contact = try await chatter.begin()["id"] ?? .null
            let transcript: JSON = ["consumerContact": ["id": contact], "consumerRecipients": [["idOnExternalPlatform": "a@b"]]]
            #expect(try await chatter.send("SendTranscript", transcript).errorWords == "SendingTranscriptFailed mock-transcript-not-sent")
        }
    }

    @Test func `only a live chat is ended by the customer`() async throws {
        try await ChatScene.run { scene in
            let chatter = try await scene.chatter(.single, "ada")
            let contact = try await chatter.begin()["id"] ?? .null
            #expect(
                try await chatter.send("EndContact", ["contact": ["id": contact]]).errorWords == "InconsistentData mock-inconsistent-data")
        }
    }

    /// A message that is not an event gets the gateway's answer, and the socket stays open.
    @Test(arguments: [
        #"{"action":"chatWindowEvent","eventId":"1","payload":{"eventType":"Nonsense"}}"#, "[]", "nonsense",
        #"{"action":"register","eventId":"1","payload":{"eventType":"RecoverThread"}}"#,
    ])
    func `what nobody understands is answered as the gateway does`(_ text: String) async throws {
        try await ChatScene.run(findings: 1) { scene in
            let chatter = try await scene.open(.single, "ada")
            chatter.socket.sendText(text)
            guard case .message(let answer) = try await chatter.socket.next() else { Issue.record("no answer"); return }
            #expect(answer["message"] == "Internal server error" && answer["eventId"] == nil)
            #expect(try await chatter.socket.isAlive())
        }
    }

    @Test func `where the brand has an idle limit a silent socket is closed, and a heartbeat keeps it`() async throws {
        try await ChatScene.run(brand: ["idleLimit": "10m"]) { scene in
            let (silent, talking) = (try await scene.open(.single, "ada"), try await scene.open(.single, "bob"))
            try await scene.advance("9m")
            talking.socket.send(["action": "heartbeat"])
            #expect(try await talking.socket.next() == .message("pong"))
            try await scene.advance("2m")
            #expect(try await silent.socket.end() == .closed(code: 1001, reason: "Going away"))
            #expect(try await talking.socket.isAlive())
        }
    }
}

import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

@testable import LivePersonVendor

/// Conversations over a consumer's socket (LivePerson reference 5.7 to 5.14).
@Suite struct MessagingTests {
    @Test func `a conversation is requested, followed, talked in and closed, each answer before what it brings about`() async throws {
        try await MessagingScene.run { scene in
            let socket = try await scene.socket("ada")
            let subscribed = try await socket.request("cqm.SubscribeExConversations", ["convState": ["OPEN"], "minLastUpdatedTime": 0])
            #expect(subscribed["type"] == "cqm.SubscribeExConversationsResponse")
            _ = try await socket.notification(MessagingScene.conversations)

            socket.send(["kind": "req", "id": 7, "type": "cm.ConsumerRequestConversation"])
            guard case .message(let opened) = try await socket.next() else { Issue.record("no answer"); return }
            #expect(opened["reqId"] == "7" && opened["type"] == "cm.RequestConversationResponse")
            let id = try #require(opened["body"]?["conversationId"]?.string)
            let told = try await socket.notification(MessagingScene.conversations)["body"]?["changes"]?.array?.first
            let details = told?["result"]?["conversationDetails"]
            #expect(told?["type"] == "UPSERT" && told?["result"]?["convId"] == .string(id))
            #expect(details?["state"] == "OPEN" && details?["stage"] == "OPEN" && details?["firstConversation"] == true)
            #expect(details?["dialogs"]?.array?.first?["dialogId"] == .string(id), "the main dialog has the conversation's id")
            #expect(details?["participants"]?.array?.first?["role"] == "CONSUMER")

            let followed = try await socket.request("ms.SubscribeMessagingEvents", ["dialogId": .string(id)])
            #expect(followed["body"] == [:])
            #expect(try await socket.notification(MessagingScene.events)["body"]?["changes"] == [])
            for (index, text) in ["hi", "schön", "日本"].enumerated() {
                #expect(try await scene.say(text, in: id, on: socket)["body"] == ["sequence": .integer(Int64(index))])
                let change = try await socket.notification(MessagingScene.events)["body"]?["changes"]?.array?.first
                #expect(change?["sequence"]?.integer == Int64(index) && change?["event"]?["message"] == .string(text))
                #expect(change?["originatorMetadata"]?["role"] == "CONSUMER" && change?["dialogId"] == .string(id))
            }

            let closed = try await socket.request(
                "cm.UpdateConversationField",
                [
                    "conversationId": .string(id),
                    "conversationField": ["field": "ConversationStateField", "conversationState": "CLOSE"],
                ])
            #expect(closed["body"] == "OK Conversation resolved successfully")
            let gone = try await socket.notification(MessagingScene.conversations)["body"]?["changes"]?.array?.first
            #expect(gone?["type"] == "DELETE", "those who follow only open ones learn that it is no longer one")
            #expect(gone?["result"]?["conversationDetails"]?["state"] == "CLOSE")
            #expect(try await scene.say("late", in: id, on: socket)["body"] == "mock-dialog-closed")
            #expect(try await scene.server.journal("?kind=finding") == [], "Sparring's own messages are all as the contract says")
        }
    }

    @Test func `every device of a consumer is notified, another consumer is not`() async throws {
        try await MessagingScene.run { scene in
            let (phone, tablet, eve) = (try await scene.socket("ada"), try await scene.socket("ada"), try await scene.socket("eve"))
            let id = try await scene.conversation(phone)
            for (socket, code) in [(tablet, 200), (eve, 404)] {
                #expect(try await socket.request("ms.SubscribeMessagingEvents", ["dialogId": .string(id)])["code"]?.integer == Int64(code))
            }
            _ = try await tablet.notification(MessagingScene.events)
            _ = try await scene.say("from the phone", in: id, on: phone)
            let heard = try await tablet.notification(MessagingScene.events)["body"]?["changes"]?.array?.first
            #expect(heard?["event"]?["message"] == "from the phone")
            #expect(try await scene.say("mine?", in: id, on: eve)["body"] == "mock-dialog-unknown")
            #expect(try await eve.isAlive())
            guard try await eve.isAlive() else { return }
            let seen = try await scene.server.journal("?kind=notification").filter { $0["lane"] == "eve" }
            #expect(seen == [])
        }
    }

    @Test func `after a reconnect everything from the last sequence on comes once`() async throws {
        try await TemporaryFolder.database { database in
            var conversation = ""
            try await MessagingScene.run(database: database) { scene in
                let socket = try await scene.socket("ada")
                conversation = try await scene.conversation(socket)
                for number in 0..<5 { _ = try await scene.say("message \(number)", in: conversation, on: socket) }
                socket.raw.reset()
                let again = try await scene.socket("ada")
                #expect(
                    try await again.request("ms.SubscribeMessagingEvents", ["dialogId": .string(conversation), "fromSeq": 2])["code"] == 200
                )
                let changes = try await again.notification(MessagingScene.events)["body"]?["changes"]?.array ?? []
                #expect(changes.map { $0["sequence"] } == [2, 3, 4])
            }
            // And after a restart of the process.
            try await MessagingScene.run(database: database) { scene in
                let socket = try await scene.socket("ada")
                let subscribed = try await socket.request("cqm.SubscribeExConversations", [:])
                #expect(subscribed["code"] == 200)
                let open = try await socket.notification(MessagingScene.conversations)["body"]?["changes"]?.array ?? []
                #expect(open.map { $0["result"]?["convId"] } == [.string(conversation)])
                _ = try await socket.request("ms.SubscribeMessagingEvents", ["dialogId": .string(conversation)])
                let changes = try await socket.notification(MessagingScene.events)["body"]?["changes"]?.array ?? []
                #expect(changes.compactMap { $0["event"]?["message"]?.string } == (0..<5).map { "message \($0)" })
                #expect(try await scene.say("on", in: conversation, on: socket)["body"] == ["sequence": 5])
            }
        }
    }

    @Test func `chat states take no sequence and are not kept; accept states are`() async throws {
        try await MessagingScene.run { scene in
            let socket = try await scene.socket("ada")
            let id = try await scene.conversation(socket)
            func publish(_ event: JSON) async throws -> JSON {
                let answer = try await socket.request("ms.PublishEvent", ["dialogId": .string(id), "event": event])
                #expect(answer["code"] == 200, "\(answer.text)")
                return try await socket.notification(MessagingScene.events)["body"]?["changes"]?.array?.first ?? .null
            }
            #expect(try await publish(["type": "ContentEvent", "contentType": "text/plain", "message": "a"])["sequence"] == 0)
            let typing = try await publish(["type": "ChatStateEvent", "chatState": "COMPOSING"])
            #expect(typing["sequence"] == nil && typing["serverTimestamp"] == nil)
            #expect(try await publish(["type": "AcceptStatusEvent", "status": "READ", "sequenceList": [0]])["sequence"] == 1)
            #expect(
                try await publish(["type": "RichContentEvent", "content": ["type": "vertical", "elements": []]])["sequence"] == 2)
            _ = try await socket.request("ms.SubscribeMessagingEvents", ["dialogId": .string(id), "fromSeq": 0])
            let kept = try await socket.notification(MessagingScene.events)["body"]?["changes"]?.array ?? []
            #expect(kept.map { $0["event"]?["type"] } == ["ContentEvent", "AcceptStatusEvent", "RichContentEvent"])
        }
    }

    @Test(
        arguments: [
            (
                "cm.UpdateConversationField",
                ["conversationId": "none", "conversationField": [["field": "TTRField", "ttrType": "URGENT"]]], "mock-conversation-unknown"
            ),
            ("ms.SubscribeMessagingEvents", ["dialogId": "none"], "mock-dialog-unknown"),
            ("cqm.UnsubscribeExConversations", ["subscriptionId": "none"], "mock-subscription-unknown"),
            ("ms.SubscribeMessagingEvents", [:], "mock-request-malformed"),
        ] as [(String, JSON, String)])
    func `what cannot be done is refused in a string response`(_ row: (type: String, body: JSON, text: String)) async throws {
        try await MessagingScene.run { scene in
            let socket = try await scene.socket("ada")
            let answer = try await socket.request(row.type, row.body)
            #expect(answer["body"] == .string(row.text) && answer["type"] == ".ReqBody$StringResp", "\(answer.text)")
            #expect((answer["code"]?.integer ?? 0) >= 400)
            #expect(try await socket.isAlive())
        }
    }

    @Test(
        arguments: [
            (["csatRate": 5, "csatResolutionConfirmation": true, "status": "FILLED"], "rated with 5 in"),
            (["csatRate": 2], "rated with 2 in"),
            (["csatRate": 4, "status": "PARTIALLY_FILLED"], "rated with 4, partially filled in"),
            (["csatResolutionConfirmation": false, "status": "PARTIALLY_FILLED"], "rated without a number, partially filled in"),
            (["csatRate": .null, "status": "FILLED"], "rated without a number in"), (["status": "SKIPPED"], "skipped the rating in"),
            (["csatRate": .null, "csatResolutionConfirmation": .null, "status": "SKIPPED"], "skipped the rating in"),
            (["status": "LATER"], ""), (["csatRate": 6, "status": "FILLED"], ""),
        ] as [(JSON, String)])
    func `the journal says what became of a rating`(_ rating: JSON, _ words: String) async throws {
        try await MessagingScene.run { scene in
            let socket = try await scene.socket("ada")
            let id = try await scene.conversation(socket)
            var field = rating
            field["field"] = "CSATRate"
            let answer = try await scene.update(id, field, on: socket)
            let entry = try #require(try await scene.server.journal("?operation=liveperson.updateConversation").last)
            let isTaken = !words.isEmpty
            #expect(answer["body"] == .string(isTaken ? "OK" : "mock-request-malformed"), "\(answer.text)")
            #expect(!isTaken || entry.cause == "\(words) conversation \(id)", "\(entry.cause)")
            #expect(try await scene.conversation(id).csat?["status"] == (isTaken ? rating["status"] : nil))
        }
    }

    @Test func `the profile that was set can be read, and faults strike messages as they strike calls`() async throws {
        try await MessagingScene.run { scene in
            let socket = try await scene.socket("ada")
            let sdes: JSON = [["type": "ctmrinfo", "info": ["cstatus": "gold"]]]
            let set = try await socket.request(
                "userprofile.SetUserProfile", ["firstName": "Ada", "authenticatedData": ["lp_sdes": sdes]])
            #expect(set["code"] == 200)
            #expect(try await socket.request("userprofile.GetUserProfile", [:])["body"] == sdes)

            try await scene.server.admin(.post, "faults", ["fault": "liveperson.requestConversation rate-limited times=1"])
            let struck = try await socket.request("cm.ConsumerRequestConversation", [:])
            #expect(struck["code"] == 429, "\(struck.text)")
            try await scene.server.admin(.post, "faults", ["fault": "liveperson.Messaging.* EMPTY_RESPONSE times=1 phase=onResponseStart"])
            let id = try #require(try await socket.request("cm.ConsumerRequestConversation", [:])["body"]?["conversationId"]?.string)
            socket.send([
                "kind": "req", "id": "x", "type": "ms.PublishEvent",
                "body": ["dialogId": .string(id), "event": ["type": "ContentEvent", "contentType": "text/plain", "message": "lost"]],
            ])
            #expect(try await socket.end() == .ended(.closed))
            // Decided and committed: the message is there, only its answer was lost.
            let again = try await scene.socket("ada")
            _ = try await again.request("ms.SubscribeMessagingEvents", ["dialogId": .string(id)])
            let changes = try await again.notification(MessagingScene.events)["body"]?["changes"]?.array ?? []
            #expect(changes.map { $0["event"]?["message"] } == ["lost"])
        }
    }

    @Test func `fifty consumers at once: every message arrives once, in order, and only where it belongs`() async throws {
        try await MessagingScene.run { scene in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<50 {
                    group.addTask {
                        let socket = try await scene.socket("user-\(number)")
                        let id = try await scene.conversation(socket)
                        for message in 0..<10 { _ = try await scene.say("\(number).\(message)", in: id, on: socket) }
                        var heard: [String] = []
                        while heard.count < 10 {
                            let changes = try await socket.notification(MessagingScene.events)["body"]?["changes"]?.array ?? []
                            heard += changes.compactMap { $0["event"]?["message"]?.string }
                        }
                        #expect(heard == (0..<10).map { "\(number).\($0)" })
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await scene.server.journal("?kind=finding") == [])
        }
    }
}

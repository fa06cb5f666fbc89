import HTTPTypes
import SparringJSON
import Support
import Testing

@testable import LivePersonVendor

/// The survey after a conversation (LivePerson reference 5.13).
@Suite struct SurveyTests {
    private static let surveys: JSON = ["nps": [["text": "Would you come again?", "quickReplies": ["Yes", "No"]], ["text": "Why?"]]]
    private static let tenants: JSON.Object = [
        "liveperson": ["accountId": "acme", "surveys": surveys, "messaging": ["survey": "nps"]], "identity": ["tenantId": "brand"],
    ]

    private func message(_ socket: SocketClient) async throws -> JSON {
        guard case .message(let message) = try await socket.next() else {
            Issue.record("the socket has ended")
            return .null
        }
        return message
    }

    private func change(_ notification: JSON) throws -> JSON {
        #expect(notification["type"] == .string(MessagingScene.conversations), "\(notification.text)")
        return try #require(notification["body"]?["changes"]?.array?.last?["result"]?["conversationDetails"])
    }

    private func event(_ notification: JSON) throws -> JSON {
        #expect(notification["type"] == .string(MessagingScene.events), "\(notification.text)")
        let changes = notification["body"]?["changes"]?.array ?? []
        #expect(changes.count == 1)
        return try #require(changes.first)
    }

    /// Opens a conversation, and closes its main dialog as the consumer.
    ///
    /// - Returns: the conversation's id, and the survey dialog's.
    private func closing(_ scene: MessagingScene, _ socket: SocketClient) async throws -> (id: String, survey: String) {
        let id = try await scene.conversation(socket)
        let closed = try await scene.update(id, MessagingScene.close(id), on: socket)
        #expect(closed["code"] == 200, "\(closed.text)")
        let survey = try #require(try await scene.conversation(id).dialogs.last)
        #expect(survey.type == "POST_SURVEY" && survey.state == "OPEN" && survey.id != id)
        return (id, survey.id)
    }

    private func follow(_ dialog: String, _ socket: SocketClient) async throws -> [JSON] {
        _ = try await socket.request("ms.SubscribeMessagingEvents", ["dialogId": .string(dialog)])
        return try await socket.notification(MessagingScene.events)["body"]?["changes"]?.array ?? []
    }

    @Test(arguments: [true, false])
    func `it opens when the main dialog is closed, asks one question after the other, and ends the conversation`(_ atUpgrade: Bool)
        async throws
    {
        try await MessagingScene.run(tenants: Self.tenants) { scene in
            let socket = try await scene.socket("ada", features: ["RICH_CONTENT", "MULTI_DIALOG"], atUpgrade: atUpgrade)
            try await scene.follow(socket)
            let id = try await scene.conversation(socket)
            _ = try await scene.agentChanges(id, MessagingScene.joining)
            for _ in 0..<2 { _ = try await socket.notification(MessagingScene.conversations) }

            socket.send([
                "kind": "req", "id": "bye", "type": "cm.UpdateConversationField",
                "body": ["conversationId": .string(id), "conversationField": MessagingScene.close(id)],
            ])
            let answer = try await message(socket)
            #expect(answer["reqId"] == "bye" && answer["body"] == "OK Conversation resolved successfully", "the answer comes first")
            let open = try change(try await message(socket))
            #expect(open["state"] == "CLOSE" && open["stage"] == "OPEN" && open["closeReason"] == "CONSUMER" && open["endTs"] == nil)
            let dialogs = open["dialogs"]?.array ?? []
            #expect(dialogs.map { $0["dialogType"] } == ["MAIN", "POST_SURVEY"] && dialogs.map { $0["state"] } == ["CLOSE", "OPEN"])
            #expect(dialogs[0]["closedBy"] == "CONSUMER" && dialogs[0]["closedCause"] == "Closed by consumer")
            #expect(dialogs[1]["metaData"]?["appInstallId"] == dialogs[1]["participantsDetails"]?.array?[1]["id"])
            for participants in [dialogs[1]["participantsDetails"], open["participants"]] {
                #expect(participants?.array?.map { $0["role"] } == ["CONSUMER", "AGENT", "READER"])
            }
            let survey = try #require(dialogs[1]["dialogId"]?.string)

            let asked = try await follow(survey, socket)
            let first = try #require(asked.first)
            #expect(asked.count == 1 && first["sequence"] == 0 && first["originatorMetadata"]?["role"] == "AGENT")
            #expect(first["metadata"] == [["type": "Question", "id": "nps-1"]])
            let replies = first["event"]?["quickReplies"]?["replies"]?.array ?? []
            #expect(first["event"]?["message"] == "Would you come again?" && replies.map { $0["title"] } == ["Yes", "No"])
            let yes = try #require(replies.first?["click"])
            #expect(yes["actions"] == [["type": "publishText", "text": "Yes"]])

            // A reply is clicked: two events with its metadata, of which the second is the answer (LivePerson reference 5.11).
            for event: JSON in [
                ["type": "AcceptStatusEvent", "status": "ACTION", "sequenceList": [0]],
                ["type": "ContentEvent", "contentType": "text/plain", "message": "Yes"],
            ] {
                let published = try await socket.request(
                    "ms.PublishEvent", ["dialogId": .string(survey), "event": event],
                    members: ["metadata": yes["metadata"] ?? .null])
                #expect(published["code"] == 200, "\(published.text)")
                let own = try self.event(try await message(socket))
                #expect(own["event"]?["type"] == event["type"] && own["metadata"] == yes["metadata"])
            }
            let second = try event(try await message(socket))
            #expect(second["event"]?["message"] == "Why?" && second["event"]?["quickReplies"] == nil && second["sequence"] == 3)

            #expect(try await scene.say("Because", in: survey, on: socket)["body"] == ["sequence": 4])
            #expect(try event(try await message(socket))["event"]?["message"] == "Because")
            let end = try change(try await message(socket))
            #expect(end["state"] == "CLOSE" && end["stage"] == "CLOSE" && end["closeReason"] == "CONSUMER" && end["endTs"] != nil)
            let last = end["dialogs"]?.array?.last
            #expect(last?["state"] == "CLOSE" && last?["closedBy"] == "AGENT" && last?["closedCause"] == "Completed")
            #expect(try await scene.say("One more thing", in: survey, on: socket)["body"] == "mock-dialog-closed")

            let causes = try await scene.server.journal("?operation=liveperson.publishText").map(\.cause)
            #expect(causes.contains { $0.hasSuffix(": Yes; answer 1 of survey 'nps', a quick reply") }, "\(causes)")
            #expect(causes.contains { $0.hasSuffix(": Because; answer 2 of survey 'nps', completed") }, "\(causes)")
            #expect(try await scene.server.journal("?kind=finding") == [])
        }
    }

    @Test func `an answer that is none of the quick replies is taken too, and told`() async throws {
        try await MessagingScene.run(tenants: Self.tenants) { scene in
            let socket = try await scene.socket("ada", features: ["MULTI_DIALOG"])
            let (_, survey) = try await closing(scene, socket)
            _ = try await scene.say("Perhaps", in: survey, on: socket)
            #expect(try await follow(survey, socket).compactMap { $0["event"]?["message"]?.string }.last == "Why?")
            let cause = try await scene.server.journal("?operation=liveperson.publishText").last?.cause ?? ""
            #expect(cause.hasSuffix("answer 1 of survey 'nps', none of the quick replies"), "\(cause)")
        }
    }

    @Test func `it goes on after a restart in the middle`() async throws {
        try await TemporaryFolder.database { database in
            var ids = (id: "", survey: "")
            try await MessagingScene.run(tenants: Self.tenants, database: database) { scene in
                let socket = try await scene.socket("ada", features: ["MULTI_DIALOG"])
                ids = try await closing(scene, socket)
                _ = try await scene.say("No", in: ids.survey, on: socket)
            }
            try await MessagingScene.run(tenants: Self.tenants, database: database) { scene in
                let socket = try await scene.socket("ada")
                let texts = try await follow(ids.survey, socket).compactMap { $0["event"]?["message"]?.string }
                #expect(texts == ["Would you come again?", "No", "Why?"])
                #expect(try await scene.conversation(ids.id).stage == "OPEN")
                _ = try await scene.say("So", in: ids.survey, on: socket)
                #expect(try await scene.conversation(ids.id).stage == "CLOSE")
            }
        }
    }

    @Test func `the consumer may close it unanswered`() async throws {
        try await MessagingScene.run(tenants: Self.tenants) { scene in
            let socket = try await scene.socket("ada", features: ["MULTI_DIALOG"])
            let (id, survey) = try await closing(scene, socket)
            #expect(try await scene.update(id, MessagingScene.close(survey), on: socket)["body"] == "OK")
            let conversation = try await scene.conversation(id)
            #expect(conversation.stage == "CLOSE" && conversation.dialogs.last?.closedBy == "CONSUMER")
            #expect(conversation.dialogs.last?.participants.map(\.role) == ["CONSUMER", "AGENT"], "nobody was assigned who could read it")
            #expect(try await scene.say("Yes", in: survey, on: socket)["body"] == "mock-dialog-closed")
        }
    }

    @Test(
        arguments: [
            ([["field": "ConversationStateField", "conversationState": "CLOSE"]], "everything was closed"),
            ([["field": "Stage", "conversationState": "CLOSE"]], "everything was closed"),
            (
                [
                    ["field": "ConversationStateField", "conversationState": "CLOSE"],
                    ["field": "Stage", "conversationState": "CLOSE"],
                ], "everything was closed"
            ),
        ] as [([JSON], String)])
    func `closing the conversation or its stage skips it`(_ row: (fields: [JSON], why: String)) async throws {
        try await MessagingScene.run(tenants: Self.tenants) { scene in
            let socket = try await scene.socket("ada", features: ["MULTI_DIALOG"])
            let id = try await scene.conversation(socket)
            let closed = try await socket.request(
                "cm.UpdateConversationField", ["conversationId": .string(id), "conversationField": .array(row.fields)])
            #expect(closed["body"] == "OK Conversation resolved successfully", "\(closed.text)")
            let conversation = try await scene.conversation(id)
            #expect(conversation.stage == "CLOSE" && conversation.dialogs.count == 1)
            let cause = try await scene.server.journal("?operation=liveperson.updateConversation").last?.cause ?? ""
            #expect(cause.hasSuffix("no survey 'nps': \(row.why)"), "\(cause)")
        }
    }

    @Test func `it needs a client that announced MULTI_DIALOG`() async throws {
        try await MessagingScene.run(tenants: Self.tenants) { scene in
            let socket = try await scene.socket("ada", features: ["RICH_CONTENT"])
            let id = try await scene.conversation(socket)
            _ = try await scene.update(id, MessagingScene.close(id), on: socket)
            #expect(try await scene.conversation(id).stage == "CLOSE")
            let cause = try await scene.server.journal("?operation=liveperson.updateConversation").last?.cause ?? ""
            #expect(cause.hasSuffix("no survey 'nps': the consumer's client did not announce MULTI_DIALOG"), "\(cause)")
        }
    }

    @Test(arguments: [("Closed by agent", true), (nil, false), ("", false)] as [(String?, Bool)])
    func `an agent who closes the main dialog must give a cause`(_ row: (cause: String?, opens: Bool)) async throws {
        try await MessagingScene.run(tenants: Self.tenants) { scene in
            let socket = try await scene.socket("ada", features: ["MULTI_DIALOG"])
            let id = try await scene.conversation(socket)
            let done = try await scene.agentChanges(id, MessagingScene.joining, MessagingScene.close(id, cause: row.cause))
            let conversation = try await scene.conversation(id)
            #expect(conversation.state == "CLOSE" && conversation.closeReason == "AGENT")
            #expect(conversation.stage == (row.opens ? "OPEN" : "CLOSE") && conversation.dialogs.count == (row.opens ? 2 : 1))
            #expect(row.opens || done.hasSuffix("no survey 'nps': the agent gave no closedCause"), "\(done)")
        }
    }

    @Test(arguments: [(["MULTI_DIALOG"], true), (["RICH_CONTENT"], false)] as [([JSON], Bool)])
    func `where no socket is open, what was announced last counts, also after a restart`(_ row: (features: [JSON], opens: Bool))
        async throws
    {
        try await TemporaryFolder.database { database in
            var id = ""
            try await MessagingScene.run(tenants: Self.tenants, database: database) { scene in
                let earlier = try await scene.socket("ada", features: ["MULTI_DIALOG"])
                id = try await scene.conversation(earlier)
                let last = try await scene.socket("ada", features: row.features, atUpgrade: false)
                #expect(try await last.isAlive())
            }
            try await MessagingScene.run(tenants: Self.tenants, database: database) { scene in
                _ = try await scene.agentChanges(id, MessagingScene.close(id, cause: "Done"))
                #expect(try await scene.conversation(id).dialogs.count == (row.opens ? 2 : 1))
            }
        }
    }

    @Test func `a survey that was taken away meanwhile asks nothing more`() async throws {
        try await MessagingScene.run(tenants: Self.tenants) { scene in
            let socket = try await scene.socket("ada", features: ["MULTI_DIALOG"])
            let (asked, survey) = try await closing(scene, socket)
            let id = try await scene.conversation(socket)
            try await scene.server.admin(.patch, "tenants/liveperson", ["surveys": ["nps": .null], "messaging": ["survey": .null]])
            _ = try await scene.say("Yes", in: survey, on: socket)
            #expect(try await scene.conversation(asked).stage == "CLOSE")
            _ = try await scene.update(id, MessagingScene.close(id), on: socket)
            #expect(try await scene.conversation(id).dialogs.count == 1)
        }
    }

    // MARK: The configuration

    @Test(
        arguments: [
            (["surveys": []], "/surveys"), (["surveys": ["a": []]], "/surveys/a"), (["surveys": ["a": "x"]], "/surveys/a"),
            (["surveys": ["a": ["x"]]], "/surveys/a/0"), (["surveys": ["a": [[:]]]], "/surveys/a/0/text"),
            (["surveys": ["a": [["text": ""]]]], "/surveys/a/0/text"),
            (["surveys": ["a": [["text": "?", "quickReply": ["x"]]]]], "/surveys/a/0/quickReply"),
            (["surveys": ["a": [["text": "?"], ["text": "?", "quickReplies": []]]]], "/surveys/a/1/quickReplies"),
            (["surveys": ["a": [["text": "?", "quickReplies": ["x", ""]]]]], "/surveys/a/0/quickReplies/1"),
            (["surveys": ["a": [["text": "?", "quickReplies": ["x", "x"]]]]], "/surveys/a/0/quickReplies"),
            (["messaging": ["survey": "nsp"]], "/messaging/survey"),
            (["campaigns": Visitor.campaigns(["survey": "nsp"])], "/campaigns/0/engagements/0/survey"),
        ] as [(JSON, String)])
    func `what is no survey is refused with its place, and nothing is changed`(_ row: (patch: JSON, pointer: String)) async throws {
        try await MessagingScene.run(tenants: Self.tenants) { scene in
            let before = try await scene.server.admin(.get, "tenants/liveperson")
            let answer = try await scene.server.send(.patch, "/__admin/sandboxes/default/tenants/liveperson", json: row.patch)
            #expect(answer.status == 422 && answer.json?["violations"]?.array?.first?["pointer"] == .string(row.pointer), "\(answer.text)")
            #expect(!answer.text.contains("nsp") || answer.text.contains("did you mean 'nps'?"), "\(answer.text)")
            #expect(try await scene.server.admin(.get, "tenants/liveperson") == before)
        }
    }
}

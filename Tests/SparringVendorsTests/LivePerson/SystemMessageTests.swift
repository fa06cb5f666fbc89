import HTTPTypes
import SparringJSON
import Support
import Testing

@testable import LivePersonVendor

/// The messages of the account's controller in a conversation, in the language of the engagement that it began at.
@Suite struct SystemMessageTests {
    private static let messages: JSON = [
        "opened": ["en-US": "Hello", "de": "Hallo", "de-AT": "Servus"], "assigned": ["fr": "Bonjour"], "closed": ["en-us": "Goodbye"],
    ]

    private static func tenants(_ language: String, _ messages: JSON? = messages) -> JSON.Object {
        [
            "liveperson": [
                "accountId": "acme", "messaging": .members(["systemMessages": messages]),
                "campaigns": Visitor.campaigns(["language": .string(language)]),
            ], "identity": ["tenantId": "brand"],
        ]
    }

    private func open(_ socket: SocketClient) async throws -> String {
        let opened = try await socket.request(
            "cm.ConsumerRequestConversation", ["campaignInfo": ["campaignId": 10, "engagementId": 11]])
        return try #require(opened["body"]?["conversationId"]?.string, "\(opened.text)")
    }

    private func said(in dialog: String, _ socket: SocketClient) async throws -> [JSON] {
        _ = try await socket.request("ms.SubscribeMessagingEvents", ["dialogId": .string(dialog)])
        return try await socket.notification(MessagingScene.events)["body"]?["changes"]?.array ?? []
    }

    @Test(
        arguments: [
            ("de-AT", ["Servus", "Goodbye"]), ("de-at", ["Servus", "Goodbye"]), ("de-DE", ["Hallo", "Goodbye"]),
            ("de-Latn-AT", ["Hallo", "Goodbye"]), ("fr-CA", ["Hello", "Bonjour", "Goodbye"]), ("tlh", ["Hello", "Goodbye"]),
        ] as [(String, [String])])
    func `in the language, else without its region, else in American English, else not at all`(_ row: (language: String, texts: [String]))
        async throws
    {
        try await MessagingScene.run(tenants: Self.tenants(row.language)) { scene in
            let socket = try await scene.socket("ada")
            let id = try await open(socket)
            _ = try await scene.agentChanges(id, MessagingScene.joining)
            _ = try await scene.agentChanges(id, MessagingScene.close(id, cause: "Done"))
            let said = try await said(in: id, socket)
            #expect(said.compactMap { $0["event"]?["message"]?.string } == row.texts)
            #expect(said.allSatisfy { $0["originatorMetadata"]?["role"] == "CONTROLLER" })
            let controller = try await scene.conversation(id).dialogs.first?.participants.first { $0.role == "CONTROLLER" }
            #expect(controller != nil && said.allSatisfy { $0["originatorId"]?.string == controller?.id })
            #expect(try await scene.server.journal("?kind=finding") == [])
        }
    }

    @Test func `followers are notified at once: goodbye in the dialog, then that it is closed`() async throws {
        try await MessagingScene.run(tenants: Self.tenants("en-US")) { scene in
            let socket = try await scene.socket("ada")
            try await scene.follow(socket)
            let id = try await open(socket)
            _ = try await said(in: id, socket)
            _ = try await socket.notification(MessagingScene.conversations)
            let closed = try await scene.update(id, ["field": "Stage", "conversationState": "CLOSE"], on: socket)
            #expect(closed["code"] == 200)
            var types: [JSON?] = []
            for _ in 0..<2 {
                guard case .message(let message) = try await socket.next() else { break }
                types.append(message["type"])
            }
            #expect(types == [.string(MessagingScene.events), .string(MessagingScene.conversations)])
        }
    }

    @Test func `it is no agent's message: nothing is unread or pushed`() async throws {
        try await MessagingScene.run(tenants: Self.tenants("en-US")) { scene in
            let phone = try await Phone(try await Scene(scene.server))
            try await phone.register()
            let socket = try await scene.socket(token: phone.token)
            let id = try await open(socket)
            socket.close()
            _ = try await socket.end()
            _ = try await scene.agentChanges(id, MessagingScene.close(id, cause: "Done"))
            #expect(try await phone.unread()?["total"] == 0)
            #expect(try await phone.notifications() == [])
        }
    }

    @Test func `an account without any has no controller and says nothing`() async throws {
        try await MessagingScene.run(tenants: Self.tenants("en-US", nil)) { scene in
            let socket = try await scene.socket("ada")
            let id = try await open(socket)
            #expect(try await said(in: id, socket) == [])
            #expect(try await scene.conversation(id).dialogs.first?.participants.map(\.role) == ["CONSUMER"])
        }
    }

    @Test(
        arguments: [
            (["begun": [:]], "/messaging/systemMessages/begun"), (["opened": "Hello"], "/messaging/systemMessages/opened"),
            (["opened": ["en_US": "Hello"]], "/messaging/systemMessages/opened/en_US"),
            (["opened": ["": "Hello"]], "/messaging/systemMessages/opened/"),
            (["opened": ["de": ""]], "/messaging/systemMessages/opened/de"), (["closed": ["de": 1]], "/messaging/systemMessages/closed/de"),
            (["closed": ["DE": "a", "de": "b"]], "/messaging/systemMessages/closed/"), ([], "/messaging/systemMessages"),
        ] as [(JSON, String)])
    func `what is no system message is refused with its place`(_ row: (messages: JSON, pointer: String)) async throws {
        try await MessagingScene.run { scene in
            let answer = try await scene.server.send(
                .patch, "/__admin/sandboxes/default/tenants/liveperson", json: ["messaging": ["systemMessages": row.messages]])
            let pointer = answer.json?["violations"]?.array?.first?["pointer"]?.string ?? ""
            // Of two spellings of one language, which comes second is the dictionary's to say.
            #expect(answer.status == 422 && (pointer == row.pointer || row.messages["closed"]?["DE"] != nil), "\(answer.text)")
        }
    }
}

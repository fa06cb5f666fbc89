import SparringJSON
import SparringJournal
import Support
import Testing

@testable import LivePersonVendor

/// The fields of a conversation that agents set (node-agent-sdk's first client: setManualETTR, setNote).
@Suite struct AgentFieldTests {
    /// Ada's conversation with alex in it, both of whom follow it.
    private func followed(_ scene: MessagingScene) async throws -> (consumer: SocketClient, alex: Agent, id: String) {
        let consumer = try await scene.socket("ada")
        let id = try await scene.conversation(consumer)
        let alex = try await Agent("alex", scene)
        #expect(try await alex.change(id, [MessagingScene.joining])["code"] == 200)
        try await scene.follow(consumer)
        _ = try await seen(by: alex)
        return (consumer, alex, id)
    }

    /// The first conversation as an agent sees it who begins to follow the open ones.
    private func seen(by agent: Agent) async throws -> JSON? {
        #expect(try await agent.socket.request(".ams.aam.SubscribeExConversations", ["convState": ["OPEN"]])["code"] == 200)
        return try await result(Agent.conversations, agent.socket)["conversationDetails"]
    }

    /// The result of the next change that a socket is notified of.
    private func result(_ type: String, _ socket: SocketClient) async throws -> JSON {
        let changes = try await socket.notification(type)["body"]?["changes"]?.array
        return try #require(changes?.first?["result"])
    }

    private static let due: JSON = .integer((Scene.now + 900) * 1000)

    @Test func `both sides learn when the next answer is due, until that is taken back`() async throws {
        try await MessagingScene.run(tenants: Agent.tenants) { scene in
            let (consumer, alex, id) = try await followed(scene)
            for (time, shown, effective) in [(Self.due, Self.due, Self.due), (.null, nil, -1)] as [(JSON, JSON?, JSON)] {
                let set = try await alex.change(id, [["field": "ManualETTR", "time": time]])
                #expect(set["code"] == 200 && set["body"] == "OK", "\(set.text)")
                for (type, socket) in [(Agent.conversations, alex.socket), (MessagingScene.conversations, consumer)] {
                    let told = try await result(type, socket)
                    #expect(told["conversationDetails"]?["manualETTR"] == shown, "\(told.text)")
                    #expect(told["effectiveTTR"] == effective, "\(told.text)")
                }
            }
            let causes = try await scene.server.journal("?operation=liveperson.agentUpdateConversation").map(\.cause)
            #expect(causes.contains { $0.hasPrefix("set the manual ETTR to 2026-01-01T00:15:00.000Z in conversation ") }, "\(causes)")
            #expect(causes.contains { $0.hasPrefix("took the manual ETTR back in conversation ") }, "\(causes)")
            #expect(try await scene.server.journal("?kind=finding") == [])
        }
    }

    @Test func `agents are shown a note, at once and later, and the consumer is not`() async throws {
        try await MessagingScene.run(tenants: Agent.tenants) { scene in
            let (consumer, alex, id) = try await followed(scene)
            for (note, shown) in [("Waits for the harbour master", "Waits for the harbour master"), ("", nil)] as [(String, JSON?)] {
                #expect(try await alex.change(id, [["field": "Note", "note": .string(note)]])["body"] == "OK")
                #expect(try await result(Agent.conversations, alex.socket)["conversationDetails"]?["note"] == shown)
                let told = try await result(MessagingScene.conversations, consumer)
                #expect(told["convId"] == .string(id) && told["conversationDetails"]?["note"] == nil, "\(told.text)")
                #expect(try await seen(by: Agent("billie", scene))?["note"] == shown)
            }
        }
    }

    @Test(
        arguments: [
            ["field": "ManualETTR"], ["field": "ManualETTR", "time": "soon"], ["field": "ManualETTR", "time": -1],
            ["field": "ManualETTR", "time": 1.5], ["field": "ManualETTR", "time": 253_402_300_800_000],
            ["field": "ManualETTR", "time": .integer(.max)], ["field": "Note"], ["field": "Note", "note": 7],
            ["field": "Note", "note": .null],
        ] as [JSON])
    func `what is no time and no text is refused, and what came with it is not done`(_ field: JSON) async throws {
        try await MessagingScene.run(tenants: Agent.tenants) { scene in
            let (_, alex, id) = try await followed(scene)
            let refused = try await alex.change(id, [["field": "Note", "note": "before"], field])
            #expect(refused["code"] == 400 && refused["body"] == "mock-request-malformed", "\(refused.text)")
            let conversation = try await scene.conversation(id)
            #expect(conversation.note == nil && conversation.manualETTR == nil)
        }
    }

    @Test(arguments: [["field": "ManualETTR", "time": due], ["field": "Note", "note": "mine"]] as [JSON])
    func `consumers and agents who take no part set neither`(_ field: JSON) async throws {
        try await MessagingScene.run(tenants: Agent.tenants) { scene in
            let (consumer, alex, id) = try await followed(scene)
            #expect(try await scene.update(id, field, on: consumer)["body"] == "mock-request-malformed")
            let causes = try await scene.server.journal("?operation=liveperson.updateConversation").map(\.cause)
            #expect(causes == ["a consumer cannot change '\(field["field"]?.string ?? "")'"])
            let billie = try await Agent("billie", scene)
            #expect(try await billie.change(id, [field])["body"] == "mock-participant-forbidden")
            #expect(try await alex.change("no-such", [field])["body"] == "mock-conversation-unknown")
        }
    }

    @Test func `a closed conversation takes a note and no time, and the time that it had counts no more`() async throws {
        try await MessagingScene.run(tenants: Agent.tenants) { scene in
            let (consumer, alex, id) = try await followed(scene)
            let setting: JSON = ["field": "ManualETTR", "time": Self.due]
            #expect(try await alex.change(id, [setting])["code"] == 200)
            #expect(try await result(MessagingScene.conversations, consumer)["effectiveTTR"] == Self.due)
            #expect(try await alex.change(id, [["field": "ConversationStateField", "conversationState": "CLOSE"]])["code"] == 200)
            #expect(try await result(MessagingScene.conversations, consumer)["effectiveTTR"] == -1)
            #expect(try await alex.change(id, [setting])["body"] == "mock-conversation-closed")
            #expect(try await alex.change(id, [["field": "Note", "note": "sold"]])["body"] == "OK")
            #expect(try await scene.conversation(id).note == "sold")
        }
    }

    @Test func `a conversation that is handed over rings with the time that the agent has set, after a restart too`() async throws {
        try await TemporaryFolder.database { database in
            var id = ""
            try await MessagingScene.run(tenants: Agent.tenants, database: database) { scene in
                let (_, alex, opened) = try await followed(scene)
                id = opened
                let leaving: JSON = ["field": "ParticipantsChange", "type": "REMOVE", "role": "ASSIGNED_AGENT"]
                let handing: JSON = ["field": "Skill", "type": "UPDATE", "skill": "12"]
                let fields = [leaving, handing, ["field": "ManualETTR", "time": Self.due], ["field": "Note", "note": "urgent"]]
                #expect(try await alex.change(id, fields)["body"] == "OK Agent removed successfully")
            }
            try await MessagingScene.run(tenants: Agent.tenants, database: database) { scene in
                let stored = try await scene.conversation(id)
                #expect(stored.note == "urgent" && stored.manualETTR?.milliseconds == (Scene.now + 900) * 1000)
                let ring = try await Agent.online("cleo", scene).ring()
                #expect(ring["result"]?["ringsDetails"]?.array?.first?["weight"] == Self.due, "\(ring.text)")
            }
        }
    }
}

import HTTPTypes
import SparringJSON
import SparringTokens
import Support
import Testing

/// Conversations and events at an agent's socket (LivePerson reference 7).
@Suite struct AgentConversationTests {
    private static let joining: JSON = ["field": "ParticipantsChange", "type": "ADD", "role": "ASSIGNED_AGENT"]

    /// Ada's conversation, with alex in it.
    private func joined(_ scene: MessagingScene) async throws -> (consumer: SocketClient, alex: Agent, id: String) {
        let consumer = try await scene.socket("ada")
        let id = try await scene.conversation(consumer)
        let alex = try await Agent("alex", scene)
        #expect(try await alex.change(id, [Self.joining])["body"] == "OK Agent added successfully")
        return (consumer, alex, id)
    }

    @Test func `consumer and agent talk, each by the names the other side knows`() async throws {
        try await MessagingScene.run(tenants: Agent.tenants) { scene in
            let (consumer, alex, id) = try await joined(scene)
            _ = try await scene.say("hello", in: id, on: consumer)
            let heard = try await alex.heard()
            #expect(heard["dialogId"] == .string(id) && heard["sequence"] == 0 && heard["event"]?["message"] == "hello")
            #expect(heard["originatorPId"] == heard["originatorId"], "a consumer has one id")
            #expect(try await alex.say("hi", in: id)["body"] == ["sequence": 1])
            let own = try await alex.heard()
            #expect(own["originatorId"] == "acme.55" && own["originatorPId"]?.string?.count == 36, "node-agent-sdk knows itself by it")
            #expect(own["originatorMetadata"]?["role"] == "ASSIGNED_AGENT")
            _ = try await consumer.notification(MessagingScene.events)
            let told = try await consumer.notification(MessagingScene.events)["body"]?["changes"]?.array?.first
            #expect(told?["event"]?["message"] == "hi" && told?["originatorId"] == own["originatorPId"])

            let queried = try await alex.socket.request(".ams.ms.QueryMessages", ["dialogId": .string(id), "newerThanSequence": 0])
            #expect(queried["type"] == ".ams.ms.QueryMessages$Response")
            #expect(queried["body"]?.array?.map { $0["sequence"] } == [0, 1])
            #expect(queried["body"]?.array?.last == own)
            let limits: [(JSON, [JSON])] = [
                (["olderThanSequence": 1], [0]), (["olderThanSequence": "1", "maxQuantity": "5"], [0]), (["maxQuantity": 1], [1]),
                (["newerThanSequence": "1"], [1]), (["maxQuantity": 0], []),
            ]
            for (limit, sequences) in limits {
                let some = try await alex.socket.request(".ams.ms.QueryMessages", limit.merging(["dialogId": .string(id)]))
                #expect(some["body"]?.array?.map { $0["sequence"] ?? .null } == sequences, "\(limit.text): \(some.text)")
            }
            let asked = try await alex.socket.request(".ams.userprofile.GetUserProfile", ["userId": heard["originatorId"] ?? .null])
            #expect(asked["code"] == 200 && asked["body"]?["userId"] == heard["originatorId"], "\(asked.text)")
            #expect(try await scene.server.journal("?kind=finding") == [])
        }
    }

    @Test func `what is for agents and managers reaches agents only, at once and later`() async throws {
        try await MessagingScene.run(tenants: Agent.tenants) { scene in
            let (consumer, alex, id) = try await joined(scene)
            let manager = try await Agent("cleo", scene, version: "3")
            #expect(
                try await manager.change(id, [["field": "ParticipantsChange", "type": "ADD", "role": "MANAGER"]])["code"] == 200)
            #expect(try await alex.say("careful with this one", in: id, audience: "AGENTS_AND_MANAGERS")["body"] == ["sequence": 0])
            #expect(try await alex.heard()["messageAudience"] == "AGENTS_AND_MANAGERS")
            // A socket of v=3 gets a list, with UUIDs.
            let listed = try await manager.socket.notification(".ams.ms.MessagingEventNotification")["body"]
            #expect(listed?["dialogId"] == .string(id) && listed?["changes"]?.array?.first?["originatorId"]?.string?.count == 36)
            #expect(try await alex.say("hello", in: id)["body"] == ["sequence": 1])
            let told = try await consumer.notification(MessagingScene.events)["body"]?["changes"]?.array?.first
            #expect(told?["event"]?["message"] == "hello", "the first was not for the consumer")
            let again = try await scene.socket("ada")
            _ = try await again.request("ms.SubscribeMessagingEvents", ["dialogId": .string(id), "fromSeq": 0])
            let all = try await again.notification(MessagingScene.events)["body"]?["changes"]?.array ?? []
            #expect(all.map { $0["sequence"] } == [1])
        }
    }

    @Test func `who takes no part publishes and changes nothing, but may join`() async throws {
        try await MessagingScene.run(tenants: Agent.tenants) { scene in
            let (consumer, alex, id) = try await joined(scene)
            let billie = try await Agent("billie", scene)
            let outside = try await billie.say("me too", in: id)
            #expect(outside["code"] == 400 && outside["body"] == "Agent does not exist in conversation", "\(outside.text)")
            let closing: JSON = ["field": "ConversationStateField", "conversationState": "CLOSE"]
            for fields in [[closing], [Self.joining, closing], [["field": "Skill", "type": "UPDATE", "skill": "12"]]] {
                #expect(try await billie.change(id, fields)["body"] == "mock-participant-forbidden")
            }
            #expect(try await billie.change("no-such", [Self.joining])["body"] == "mock-conversation-unknown")
            #expect(try await billie.say("x", in: "no-such")["body"] == "mock-dialog-unknown")
            #expect(
                try await alex.change(
                    id, [["field": "ParticipantsChange", "type": "REMOVE", "role": "ASSIGNED_AGENT", "userId": "acme.57"]])[
                        "body"] == "mock-participant-forbidden", "cleo is not assigned")
            _ = try await scene.say("anybody?", in: id, on: consumer)
            #expect(try await alex.heard()["event"]?["message"] == "anybody?")
            #expect(try await billie.socket.isAlive())
            let told = try await scene.server.journal("?operation=liveperson.agentEventDistributed").filter { $0["lane"] == "billie" }
            #expect(told == [])
            #expect(try await alex.change(id, [closing])["body"] == "OK Conversation resolved successfully")
            #expect(try await alex.say("late", in: id)["body"] == "mock-dialog-closed")
            #expect(try await billie.change(id, [Self.joining])["body"] == "mock-conversation-closed")
        }
    }

    @Test func `followed conversations are shown with both maps of roles, in a DELETE too`() async throws {
        try await MessagingScene.run(tenants: Agent.tenants) { scene in
            let (alex, billie) = (try await Agent("alex", scene), try await Agent("billie", scene))
            let bodies: [JSON] = [["convState": ["OPEN"], "agentIds": ["acme.55"]], ["convState": ["OPEN"]]]
            for (agent, body) in zip([alex, billie], bodies) {
                #expect(try await agent.socket.request(".ams.aam.SubscribeExConversations", body)["code"] == 200)
                #expect(try await agent.socket.notification(Agent.conversations)["body"]?["changes"] == [])
            }
            func change(_ agent: Agent) async throws -> JSON {
                let told = try await agent.socket.notification(Agent.conversations)
                return try #require(told["body"]?["changes"]?.array?.first)
            }
            let id = try await scene.conversation(scene.socket("ada"))
            #expect(try await change(billie)["result"]?["conversationDetails"]?["participants"]?["ASSIGNED_AGENT"] == nil)
            #expect(try await alex.change(id, [Self.joining])["code"] == 200)
            let mine = try await change(alex)
            let details = mine["result"]?["conversationDetails"]
            #expect(mine["type"] == "UPSERT" && mine["result"]?["convId"] == .string(id))
            #expect(details?["participants"]?["ASSIGNED_AGENT"] == ["acme.55"])
            let pid = details?["participantsPId"]?["ASSIGNED_AGENT"]?.array?.first?.string
            #expect(pid?.count == 36 && details?["participantsPId"]?["CONSUMER"]?.array?.count == 1)
            #expect(details?["dialogs"]?.array?.first?["participantsDetails"]?.array?.map { $0["role"] } == ["CONSUMER", "ASSIGNED_AGENT"])
            _ = try await change(billie)
            #expect(
                try await alex.change(id, [["field": "ParticipantsChange", "type": "REMOVE", "role": "ASSIGNED_AGENT"]])["code"] == 200)
            let gone = try await change(alex)
            #expect(gone["type"] == "DELETE", "it is not alex's any more")
            #expect(gone["result"]?["conversationDetails"]?["participants"]?["CONSUMER"]?.array?.count == 1)
            #expect(gone["result"]?["conversationDetails"]?["participantsPId"] != nil)
            #expect(try await change(billie)["type"] == "UPSERT", "it is open still")

            let unknown = try await alex.socket.request(".ams.aam.UnsubscribeExConversations", ["subscriptionId": "other"])
            #expect(unknown["body"] == "mock-subscription-unknown")
        }
    }

    @Test func `agents hear a consumer go with its last socket and come back`() async throws {
        try await MessagingScene.run(tenants: Agent.tenants) { scene in
            let (phone, alex, id) = try await joined(scene)
            let tablet = try await scene.socket("ada")
            phone.raw.reset()
            #expect(try await tablet.isAlive())
            try await scene.server.admin(.get, "journal/wait?kind=socket&count=1")
            #expect(try await scene.server.journal("?operation=liveperson.agentEventDistributed") == [], "the tablet is there")
            tablet.close()
            let gone = try await alex.heard()
            #expect(gone["event"] == ["type": "ChatStateEvent", "chatState": "BACKGROUND"] && gone["dialogId"] == .string(id))
            #expect(gone["sequence"] == nil && gone["originatorMetadata"]?["role"] == "CONSUMER")
            // Signed in by its first message, a socket counts from then on.
            let back = try await scene.socket(token: nil)
            #expect(try await back.isAlive())
            #expect(try await scene.server.journal("?operation=liveperson.agentEventDistributed").count == 1)
            let headers: JSON = [["type": ".ams.headers.ConsumerAuthentication", "jwt": .string(try await scene.token("ada"))]]
            #expect(try await back.request("InitConnection", members: ["headers": headers])["code"] == 200)
            #expect(try await alex.heard()["event"]?["chatState"] == "ACTIVE")
        }
    }

    @Test func `an agent opens a conversation with a consumer who is known, and sees its profile`() async throws {
        try await MessagingScene.run(tenants: Agent.tenants) { scene in
            let consumer = try await scene.socket("ada")
            let alex = try await Agent.online("alex", scene)
            _ = try await Agent.online("billie", scene)
            #expect(try await consumer.request("userprofile.SetUserProfile", ["firstName": "Ada"])["code"] == 200)
            #expect(try await consumer.request("cqm.SubscribeExConversations", [:])["code"] == 200)
            _ = try await consumer.notification(MessagingScene.conversations)
            let id = try #require(JWS(parsing: try await scene.token("ada")).payload["sub"]?.string)
            for (body, code) in [(JSON.string(id), 200), ("nobody", 404)] as [(JSON, Int64)] {
                let profile = try await alex.socket.request(".ams.userprofile.GetUserProfile", body)
                #expect(profile["code"]?.integer == code, "\(profile.text)")
                if code == 200 { #expect(profile["body"]?["firstName"] == "Ada" && profile["body"]?["claims"]?["sub"] == "ada") }
                let asked = try await alex.socket.request(
                    ".ams.cm.AgentRequestConversation", ["channelType": "MESSAGING", "consumerId": body])
                #expect(asked["code"]?.integer == code, "\(asked.text)")
            }
            let told = try await consumer.notification(MessagingScene.conversations)["body"]?["changes"]?.array?.first
            #expect(told?["result"]?["conversationDetails"]?["participants"]?.array?.map { $0["role"] } == ["CONSUMER", "ASSIGNED_AGENT"])
            #expect(try await scene.server.journal("?operation=liveperson.routingTasksChanged") == [], "it waits for nobody")
        }
    }

    @Test func `followers of an agent's state are notified of it`() async throws {
        try await MessagingScene.run(tenants: Agent.tenants) { scene in
            let (alex, billie) = (try await Agent("alex", scene), try await Agent("billie", scene))
            for agent in [alex, billie] {
                #expect(try await agent.socket.request(".ams.routing.SubscribeAgentsState", ["agentId": "acme.55"])["code"] == 200)
            }
            #expect(try await billie.be("ONLINE")["code"] == 200)
            #expect(try await alex.be("OCCUPIED")["code"] == 200)
            for agent in [alex, billie] {
                let change = try await agent.socket.notification(".ams.routing.AgentStateNotification")["body"]?["changes"]?.array?.first
                #expect(change?["result"]?["availability"] == "OCCUPIED" && change?["result"]?["agentUserId"] == "acme.55")
            }
            #expect(try await alex.be("LUNCH")["body"] == "mock-request-malformed")
        }
    }
}

import HTTPTypes
import SparringJSON
import Support
import Testing

/// Rings: how a conversation comes to an agent (LivePerson reference 7).
@Suite struct AgentRoutingTests {
    private func advance(_ by: String, _ scene: MessagingScene) async throws {
        try await scene.server.admin(.post, "clock/advance", ["by": .string(by)])
    }

    /// A consumer's conversation that asks for a skill.
    private func conversation(skill: String, _ consumer: SocketClient) async throws -> String {
        let opened = try await consumer.request("cm.ConsumerRequestConversation", ["skillId": .string(skill)])
        return try #require(opened["body"]?["conversationId"]?.string)
    }

    /// - Returns: how many notifications of rings have been sent.
    private func told(_ scene: MessagingScene) async throws -> Int {
        try await scene.server.journal("?operation=liveperson.routingTasksChanged").count
    }

    @Test func `two agents race for a ring: one gets the conversation, the other's ring is taken back`() async throws {
        try await MessagingScene.run(tenants: Agent.tenants) { scene in
            let consumer = try await scene.socket("ada")
            let (alex, billie) = (try await Agent.online("alex", scene), try await Agent.online("billie", scene))
            let cleo = try await Agent.online("cleo", scene)
            let id = try await conversation(skill: "11", consumer)
            let rings = [try await alex.ring(), try await billie.ring()]
            for ring in rings {
                let details = ring["result"]?["ringsDetails"]?.array?.first
                #expect(ring["type"] == "UPSERT" && details?["ringState"] == "WAITING" && ring["result"]?["taskCompleted"] == false)
                #expect(ring["result"]?["conversationId"] == .string(id) && ring["result"]?["skillId"] == "11")
                #expect(details?["ringExpiration"] == 72_000)
            }
            #expect(rings[0]["result"]?["ringsDetails"] != rings[1]["result"]?["ringsDetails"], "each has a ring of its own")
            #expect(try await billie.accept(rings[0])["body"] == "mock-ring-unknown", "another's ring is none")
            async let first = alex.accept(rings[0])
            async let second = billie.accept(rings[1])
            let answers = [try await first, try await second]
            #expect(answers.filter { $0["body"] == "Ring state updated successfully" }.count == 1, "\(answers)")
            #expect(answers.filter { $0["body"] == "mock-ring-expired" }.count == 1, "\(answers)")
            let (winner, loser) = answers[0]["code"] == 200 ? (alex, billie) : (billie, alex)
            let accepted = try await winner.ring()
            #expect(accepted["result"]?["ringsDetails"]?.array?.first?["ringState"] == "ACCEPTED")
            #expect(accepted["result"]?["taskCompleted"] == true)
            let withdrawn = try await loser.ring()
            #expect(withdrawn["type"] == "DELETE" && withdrawn["result"]?["ringsDetails"] == [])
            #expect(try await scene.server.journal("?kind=notification").allSatisfy { $0["lane"] != "cleo" }, "cleo has another skill")
            #expect(try await cleo.socket.isAlive())
            try await advance("73s", scene)
            #expect(try await scene.server.journal("?operation=liveperson.expireRing") == [], "no ring is left to run out")
            #expect(try await scene.server.journal("?kind=finding") == [])
        }
    }

    @Test func `a ring runs out on the sandbox's clock; it comes again when the agent says again that it is online`() async throws {
        try await MessagingScene.run(tenants: Agent.tenants) { scene in
            let alex = try await Agent.online("alex", scene)
            let id = try await conversation(skill: "11", scene.socket("ada"))
            let ring = try await alex.ring()
            try await advance("60s", scene)
            #expect(try await alex.socket.isAlive())
            try await advance("12s", scene)
            #expect(try await alex.ring()["type"] == "DELETE")
            #expect(try await alex.accept(ring)["body"] == "mock-ring-expired")
            let before = try await told(scene)
            #expect(try await alex.be("AWAY")["code"] == 200)
            #expect(try await told(scene) == before, "who is away is offered nothing")
            #expect(try await alex.be("ONLINE")["code"] == 200)
            let again = try await alex.ring()
            #expect(
                again["result"]?["conversationId"] == .string(id) && again["result"]?["ringsDetails"] != ring["result"]?["ringsDetails"])
            #expect(try await alex.accept(again)["code"] == 200)
        }
    }

    @Test func `a ring is taken back where the consumer closes or another agent joins unasked`() async throws {
        try await MessagingScene.run(tenants: Agent.tenants) { scene in
            let consumer = try await scene.socket("ada")
            let (alex, cleo) = (try await Agent.online("alex", scene), try await Agent.online("cleo", scene))
            for isClosed in [true, false] {
                let id = try await conversation(skill: "11", consumer)
                let ring = try await alex.ring()
                let done =
                    isClosed
                    ? try await consumer.request(
                        "cm.UpdateConversationField",
                        [
                            "conversationId": .string(id),
                            "conversationField": ["field": "ConversationStateField", "conversationState": "CLOSE"],
                        ])
                    : try await cleo.change(id, [["field": "ParticipantsChange", "type": "ADD", "role": "ASSIGNED_AGENT"]])
                #expect(done["code"] == 200, "\(done.text)")
                #expect(try await alex.ring()["type"] == "DELETE")
                #expect(try await alex.accept(ring)["body"] == "mock-ring-expired")
            }
        }
    }

    @Test func `who is away, has no subscription or has another skill is offered nothing; what waits comes with the subscription`()
        async throws
    {
        try await MessagingScene.run(tenants: Agent.tenants) { scene in
            let consumer = try await scene.socket("ada")
            let (away, deaf) = (try await Agent("alex", scene), try await Agent("billie", scene))
            #expect(try await away.socket.request(".ams.routing.SubscribeRoutingTasks", [:])["code"] == 200)
            #expect(try await deaf.be("ONLINE")["code"] == 200)
            _ = try await Agent.online("cleo", scene)
            let ids = [try await conversation(skill: "11", consumer), try await conversation(skill: "11", consumer)]
            #expect(try await told(scene) == 0)
            // New ones are not for who is occupied.
            #expect(try await away.be("OCCUPIED")["code"] == 200)
            #expect(try await told(scene) == 0)
            #expect(try await deaf.socket.request(".ams.routing.SubscribeRoutingTasks", [:])["code"] == 200)
            let offered = [try await deaf.ring(), try await deaf.ring()].map { $0["result"]?["conversationId"]?.string ?? "" }
            #expect(offered == ids, "the one that has waited longest comes first")
        }
    }

    @Test func `a conversation handed to another skill rings at the agents that have it, occupied ones included`() async throws {
        try await MessagingScene.run(tenants: Agent.tenants) { scene in
            let (alex, cleo) = (try await Agent.online("alex", scene), try await Agent.online("cleo", scene))
            let id = try await conversation(skill: "11", scene.socket("ada"))
            #expect(try await alex.accept(alex.ring())["code"] == 200)
            _ = try await alex.ring()
            #expect(try await cleo.be("OCCUPIED")["code"] == 200)
            let leaving: JSON = ["field": "ParticipantsChange", "type": "REMOVE", "role": "ASSIGNED_AGENT"]
            let handing: JSON = ["field": "Skill", "type": "UPDATE", "skill": "12"]
            #expect(
                try await cleo.change(id, [leaving, handing])["body"] == "mock-participant-forbidden",
                "who takes no part hands nothing over")
            #expect(try await alex.change(id, [leaving, handing])["body"] == "OK Agent removed successfully")
            #expect(try await alex.change(id, [leaving])["body"] == "mock-participant-forbidden", "alex takes no part any more")
            let ring = try await cleo.ring()
            #expect(ring["result"]?["skillId"] == "12")
            #expect(try await cleo.accept(ring)["code"] == 200)
            #expect(try await alex.say("still me?", in: id)["body"] == "Agent does not exist in conversation")
            #expect(try await cleo.say("hello", in: id)["body"] == ["sequence": 0])
        }
    }

    @Test func `a suggested agent alone is offered the conversation, and those of 2-1 see that; then all with the skill`() async throws {
        try await MessagingScene.run(tenants: Agent.tenants) { scene in
            let (alex, billie) = (try await Agent.online("alex", scene), try await Agent.online("billie", scene))
            let older = try await Agent("cleo", scene, version: "2.0")
            let newer = try await Agent("cleo", scene)
            let id = try await conversation(skill: "11", scene.socket("ada"))
            #expect(try await alex.accept(alex.ring())["code"] == 200)
            _ = try await (billie.ring(), billie.ring(), alex.ring())
            for agent in [older, newer] {
                #expect(try await agent.socket.request(".ams.aam.SubscribeExConversations", ["convState": ["OPEN"]])["code"] == 200)
                _ = try await agent.socket.notification(Agent.conversations)
            }
            let suggesting: JSON = ["field": "ParticipantsChange", "type": "SUGGEST", "role": "ASSIGNED_AGENT", "userId": "acme.56"]
            let leaving: JSON = ["field": "ParticipantsChange", "type": "REMOVE", "role": "ASSIGNED_AGENT"]
            #expect(try await alex.change(id, [suggesting])["body"] == "mock-participant-forbidden", "somebody is assigned")
            #expect(try await alex.change(id, [leaving, suggesting])["body"] == "OK Agent removed successfully")
            func suggested(_ agent: Agent) async throws -> [JSON?] {
                let told = try await agent.socket.notification(Agent.conversations)["body"]?["changes"]?.array?.first
                let people = told?["result"]?["conversationDetails"]?["dialogs"]?.array?.first?["participantsDetails"]?.array ?? []
                return people.filter { $0["state"] == "SUGGESTED" }.map { $0["id"] }
            }
            #expect(try await suggested(older) == [])
            #expect(try await suggested(newer) == ["acme.56"])
            #expect(try await billie.ring()["type"] == "UPSERT")
            #expect(try await alex.socket.isAlive())
            let before = try await told(scene)
            try await advance("60s", scene)
            _ = try await (alex.socket.isAlive(), billie.socket.isAlive())
            try await advance("12s", scene)
            #expect(try await billie.ring()["type"] == "DELETE")
            let ring = try await alex.ring()
            #expect(ring["type"] == "UPSERT" && ring["result"]?["conversationId"] == .string(id))
            #expect(try await told(scene) == before + 2)
        }
    }

    @Test func `rings, sessions and availability outlive a restart`() async throws {
        try await TemporaryFolder.database { database in
            var (bearer, id) = ("", "")
            var ring: JSON = .null
            try await MessagingScene.run(tenants: Agent.tenants, database: database) { scene in
                let alex = try await Agent.online("alex", scene)
                bearer = alex.bearer
                id = try await conversation(skill: "11", scene.socket("ada"))
                ring = try await alex.ring()
                try await advance("30s", scene)
            }
            try await MessagingScene.run(tenants: Agent.tenants, database: database) { scene in
                let alex = try await Agent(bearer: bearer, scene)
                #expect(try await alex.socket.request(".ams.routing.SubscribeRoutingTasks", [:])["code"] == 200)
                #expect(try await alex.ring() == ring, "the same ring comes again")
                #expect(try await alex.accept(ring)["code"] == 200)
                let second = try await conversation(skill: "11", scene.socket("eve"))
                _ = try await alex.ring()
                #expect(try await alex.ring()["result"]?["conversationId"] == .string(second), "alex is online still")
                #expect(try await alex.say("hello", in: id)["code"] == 200)
            }
            try await MessagingScene.run(tenants: Agent.tenants, database: database) { scene in
                try await advance("72s", scene)
                #expect(try await scene.server.journal("?operation=liveperson.expireRing").count == 1, "the second's ring runs out")
                #expect(try await scene.server.send(.delete, "/__admin/sandboxes/default").status < 300)
                let recreated: JSON = ["name": "default", "tenants": .object(Agent.tenants)]
                #expect(try await scene.server.send(.post, "/__admin/sandboxes", json: recreated).status == 201)
                let refused = await #expect(throws: SocketClient.Refused.self) { try await Agent(bearer: bearer, scene) }
                #expect(refused?.answer.status == 401, "nothing of the deleted sandbox is left")
                _ = try await Agent.online("alex", scene)
                #expect(try await told(scene) == 0)
            }
        }
    }

    // MARK: How soon an answer is promised

    @Test(arguments: [Int64.max, 9_223_372_036_854_776, 315_360_001, -1, .min])
    func `a promise beyond ten years is refused, and the conversation rings with the one it had`(_ seconds: Int64) async throws {
        try await MessagingScene.run(tenants: Agent.tenants) { scene in
            let consumer = try await scene.socket("ada")
            let id = try await conversation(skill: "11", consumer)
            let refused = try await scene.update(
                id, ["field": "TTRField", "ttrType": "CUSTOM", "value": .integer(seconds)], on: consumer)
            #expect(refused["body"] == "mock-request-malformed", "\(refused.text)")
            let ring = try await Agent.online("alex", scene).ring()
            #expect(weight(ring) == .integer((Scene.now + 3600) * 1000), "\(ring.text)")
        }
    }

    @Test func `the longest promise there is rings and runs out`() async throws {
        try await MessagingScene.run(tenants: Agent.tenants) { scene in
            let consumer = try await scene.socket("ada")
            let id = try await conversation(skill: "11", consumer)
            let longest: JSON = ["field": "TTRField", "ttrType": "CUSTOM", "value": 315_360_000]
            #expect(try await scene.update(id, longest, on: consumer)["code"] == 200)
            let alex = try await Agent.online("alex", scene)
            #expect(try await weight(alex.ring()) == .integer((Scene.now + 315_360_000) * 1000))
            try await advance("60s", scene)
            #expect(try await alex.socket.isAlive())
            try await advance("12s", scene)
            #expect(try await alex.ring()["type"] == "DELETE")
        }
    }

    private func weight(_ ring: JSON) -> JSON? { ring["result"]?["ringsDetails"]?.array?.first?["weight"] }
}

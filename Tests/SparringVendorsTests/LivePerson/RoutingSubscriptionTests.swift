import SparringJSON
import Support
import Testing

/// Filters of subscriptions to routing tasks, and their updates (node-agent-sdk's first client: updateRoutingSubscription).
@Suite struct RoutingSubscriptionTests {
    /// A consumer's conversation that asks for a skill.
    private func conversation(skill: String, _ consumer: SocketClient) async throws -> String {
        let opened = try await consumer.request("cm.ConsumerRequestConversation", ["skillId": .string(skill)])
        return try #require(opened["body"]?["conversationId"]?.string, "\(opened.text)")
    }

    /// An agent who is online and follows the rings that a filter wants, with the subscription's id.
    private func online(
        _ name: String, _ filter: JSON, _ scene: MessagingScene
    ) async throws -> (agent: Agent, subscription: String) {
        let agent = try await Agent(name, scene)
        #expect(try await agent.be("ONLINE")["code"] == 200)
        let subscribed = try await agent.socket.request(".ams.routing.SubscribeRoutingTasks", filter)
        return (agent, try #require(subscribed["body"]?["subscriptionId"]?.string, "\(subscribed.text)"))
    }

    private func update(_ agent: Agent, _ subscription: String, _ filter: JSON = [:]) async throws -> JSON {
        let body: JSON = ["subscriptionId": .string(subscription), "agentId": "acme.56", "brandId": "acme", "channelType": "MESSAGING"]
        return try await agent.socket.request(".ams.routing.UpdateRoutingTaskSubscription", body.merging(filter))
    }

    /// The number of notifications of rings and their ends so far.
    private func told(_ scene: MessagingScene) async throws -> Int {
        try await scene.server.journal("?operation=liveperson.routingTasksChanged").count
    }

    /// The conversations' skills are 11 and 12; billie has both. The skills whose rings come first, and with the update.
    static let filters: [(former: JSON, first: [String], next: JSON, later: [String])] = [
        ([:], ["11", "12"], ["skillId": "11"], []), (["skillId": "12"], ["12"], [:], ["11"]),
        (["skillId": "12"], ["12"], ["skillId": "-1"], ["11"]), (["skillId": 12], ["12"], ["skillId": 11], ["11"]),
        (["skillId": "12"], ["12"], ["skillId": "12"], []), (["skillId": "13"], [], ["skillId": -1], ["11", "12"]),
        (["conversationId": "no-such"], [], ["skillId": "12"], ["12"]),
        (["skillId": "11"], ["11"], ["skillId": "11", "conversationId": "no-such"], []),
    ]

    @Test(arguments: filters.indices)
    func `a subscription gets the rings that it wants, and after an update those that it did not want before`(_ row: Int) async throws {
        let (former, first, next, later) = Self.filters[row]
        try await MessagingScene.run(tenants: Agent.tenants) { scene in
            let (billie, id) = try await online("billie", former, scene)
            let consumer = try await scene.socket("ada")
            for skill in ["11", "12"] { _ = try await conversation(skill: skill, consumer) }
            for skill in first { #expect(try await billie.ring()["result"]?["skillId"] == .string(skill)) }
            #expect(try await told(scene) == first.count)
            let updated = try await update(billie, id, next)
            #expect(updated["code"] == 200 && updated["body"] == ["subscriptionId": .string(id)], "\(updated.text)")
            #expect(updated["type"] == ".ams.routing.UpdateRoutingTaskSubscription$Response")
            for skill in later { #expect(try await billie.ring()["result"]?["skillId"] == .string(skill)) }
            #expect(try await told(scene) == first.count + later.count)
            #expect(try await scene.server.journal("?kind=finding") == [])
        }
    }

    @Test func `an update brings a ring that another socket of the agent has, and a ring that is no longer wanted can be accepted`()
        async throws
    {
        try await MessagingScene.run(tenants: Agent.tenants) { scene in
            let (first, _) = try await online("billie", [:], scene)
            let (second, id) = try await online("billie", ["skillId": "12"], scene)
            let consumer = try await scene.socket("ada")
            let eleven = try await conversation(skill: "11", consumer)
            let ring = try await first.ring()
            #expect(ring["result"]?["conversationId"] == .string(eleven))
            #expect(try await update(second, id, ["conversationId": .string(eleven)])["code"] == 200)
            #expect(try await second.ring() == ring, "the same ring")
            #expect(try await update(second, id, ["skillId": "12"])["code"] == 200)
            #expect(try await second.accept(ring)["code"] == 200)
            #expect(try await first.ring()["result"]?["taskCompleted"] == true)
            let causes = try await scene.server.journal("?operation=liveperson.updateRoutingTaskSubscription").map(\.cause)
            #expect(causes == ["follows the rings of conversation \(eleven)", "follows the rings of skill 12"])
        }
    }

    @Test func `the end of a ring comes although the conversation has another skill by then`() async throws {
        try await MessagingScene.run(tenants: Agent.tenants) { scene in
            let (billie, id) = try await online("billie", ["skillId": "11"], scene)
            let cleo = try await Agent("cleo", scene)
            let waiting = try await conversation(skill: "11", scene.socket("ada"))
            #expect(try await billie.ring()["type"] == "UPSERT")
            let joining: JSON = ["field": "ParticipantsChange", "type": "ADD", "role": "MANAGER"]
            let handing: JSON = ["field": "Skill", "type": "UPDATE", "skill": "12"]
            #expect(try await cleo.change(waiting, [joining])["code"] == 200)
            #expect(try await cleo.change(waiting, [handing])["code"] == 200)
            #expect(try await billie.ring()["type"] == "DELETE")
            #expect(try await told(scene) == 2, "it rings at nobody who wants skill 12")
            #expect(try await update(billie, id, ["skillId": "12"])["code"] == 200)
            #expect(try await billie.ring()["type"] == "UPSERT")
        }
    }

    @Test func `an update of what is no subscription of the socket's to routing tasks is refused`() async throws {
        try await MessagingScene.run(tenants: Agent.tenants) { scene in
            let (billie, _) = try await online("billie", [:], scene)
            let (_, another) = try await online("billie", [:], scene)
            let conversations = try await billie.socket.request(".ams.aam.SubscribeExConversations", [:])
            for id in ["no-such", another, try #require(conversations["body"]?["subscriptionId"]?.string)] {
                let refused = try await update(billie, id)
                #expect(refused["code"] == 404 && refused["body"] == "mock-subscription-unknown", "\(refused.text)")
            }
            for body in [nil, .null, [:], ["subscriptionId": ""], ["subscriptionId": 7], ["skillId": "11"]] as [JSON?] {
                let refused = try await billie.socket.request(".ams.routing.UpdateRoutingTaskSubscription", body)
                #expect(refused["code"] == 400 && refused["body"] == "mock-request-malformed", "\(refused.text)")
            }
        }
    }
}

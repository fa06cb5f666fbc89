import SparringJSON
import SparringJournal
import Support
import Testing

@testable import LivePersonVendor

/// The conversations that an agent follows, with or without taking part (node-agent-sdk's README: subscribeExConversations).
@Suite struct AgentFilterTests {
    private static func joining(_ role: String) -> JSON { ["field": "ParticipantsChange", "type": "ADD", "role": .string(role)] }

    /// Ada's conversation has alex assigned, bob's has billie assigned and alex as its manager, eve's has nobody.
    ///
    /// - Returns: the consumer of each conversation.
    private func conversations(_ scene: MessagingScene) async throws -> [String: String] {
        var consumers: [String: String] = [:]
        let (alex, billie) = (try await Agent("alex", scene), try await Agent("billie", scene))
        for consumer in ["ada", "bob", "eve"] {
            let id = try await scene.conversation(scene.socket(consumer))
            consumers[id] = consumer
            if consumer == "ada" { #expect(try await alex.change(id, [Self.joining("ASSIGNED_AGENT")])["code"] == 200) }
            guard consumer == "bob" else { continue }
            #expect(try await billie.change(id, [Self.joining("ASSIGNED_AGENT")])["code"] == 200)
            #expect(try await alex.change(id, [Self.joining("MANAGER")])["code"] == 200)
        }
        return consumers
    }

    /// The conversations that a new subscription of the agent is shown, by id.
    private func shown(_ agent: Agent, _ body: JSON) async throws -> [String] {
        let subscribed = try await agent.socket.request(".ams.aam.SubscribeExConversations", body)
        #expect(subscribed["code"] == 200, "\(body.text): \(subscribed.text)")
        let changes = try await agent.socket.notification(Agent.conversations)["body"]?["changes"]?.array ?? []
        return changes.compactMap { $0["result"]?["convId"]?.string }
    }

    private static let later: JSON = .integer((Scene.now + 1) * 1000)

    @Test func `an agent is shown all that fits, whether it takes part or not`() async throws {
        let rows: [(body: JSON, consumers: [String])] = [
            ([:], ["ada", "bob", "eve"]), (["convState": ["OPEN"]], ["ada", "bob", "eve"]), (["convState": ["CLOSE"]], []),
            (["agentIds": ["acme.55"]], ["ada"]), (["agentIds": "alex"], ["ada"]), (["agentIds": ["55", "acme.56"]], ["ada", "bob"]),
            (["agentIds": ["acme.57"]], []), (["agentIds": []], []), (["agentIds": [""]], ["ada", "bob", "eve"]),
            (["agentIds": ""], ["ada", "bob", "eve"]), (["agentIds": .null], ["ada", "bob", "eve"]),
            (["agentIds": ["", "acme.55"]], ["ada"]), (["brandId": "acme"], ["ada", "bob", "eve"]), (["brandId": "zeta"], []),
            (["brandId": .null, "consumerId": .null], ["ada", "bob", "eve"]), (["consumerId": ""], ["ada", "bob", "eve"]),
            (["consumerId": "nobody"], []), (["minLastUpdatedTime": Self.later], []), (["maxLastUpdatedTime": 0], []),
            (["minLastUpdatedTime": 0, "maxLastUpdatedTime": Self.later], ["ada", "bob", "eve"]),
            (["minLastUpdatedTime": Self.later, "maxLastUpdatedTime": 0], []),
            (["minLastUpdatedTime": .null, "maxLastUpdatedTime": .null, "maxETTR": .null], ["ada", "bob", "eve"]),
            (["maxETTR": .integer(.max)], ["ada", "bob", "eve"]),
        ]
        try await MessagingScene.run(tenants: Agent.tenants) { scene in
            let consumers = try await conversations(scene)
            let alex = try await Agent("alex", scene)
            for (body, expected) in rows {
                #expect(try await shown(alex, body).compactMap { consumers[$0] }.sorted() == expected, "\(body.text)")
            }
            let id = try #require(consumers.first { $0.value == "bob" }?.key)
            let bob = try await scene.conversation(id).consumer
            #expect(try await shown(alex, ["consumerId": .string(bob)]) == [id])
            #expect(try await scene.server.journal("?kind=finding") == [])
        }
    }

    @Test func `who may not see all follows what it takes part in, whatever it asks for`() async throws {
        var tenants = Agent.tenants
        tenants["liveperson"]?["agents"] = [
            ["userId": "55", "loginName": "alex", "seesAllConversations": false], ["userId": "56", "loginName": "billie"],
        ]
        try await MessagingScene.run(tenants: tenants) { scene in
            let consumers = try await conversations(scene)
            let alex = try await Agent("alex", scene)
            let rows: [(body: JSON, consumers: [String])] = [
                ([:], ["ada", "bob"]), (["agentIds": [""]], ["ada", "bob"]), (["agentIds": ["acme.56"]], ["bob"]),
                (["agentIds": ["acme.55"]], ["ada"]),
            ]
            for (body, expected) in rows {
                #expect(try await shown(alex, body).compactMap { consumers[$0] }.sorted() == expected, "\(body.text)")
            }
            let billie = try await Agent("billie", scene)
            #expect(try await shown(billie, [:]).count == 3)

            // One subscription on a socket of its own, so that each change comes once.
            let follower = try await Agent("alex", scene)
            #expect(try await shown(follower, [:]).count == 2)
            let id = try #require(consumers.first { $0.value == "eve" }?.key)
            #expect(try await billie.change(id, [Self.joining("MANAGER")])["code"] == 200)
            for (field, kind) in [("ADD", "UPSERT"), ("REMOVE", "DELETE")] as [(JSON, JSON)] {
                let change: JSON = ["field": "ParticipantsChange", "type": field, "role": "READER"]
                #expect(try await follower.change(id, [change])["code"] == 200)
                let told = try await follower.socket.notification(Agent.conversations)["body"]?["changes"]?.array?.first
                #expect(told?["type"] == kind && told?["result"]?["convId"] == .string(id), "billie's change was not for alex")
            }
        }
    }

    @Test func `the most recent 1001 are shown at once, in order`() {
        var all = (0..<1004).map { number in
            Conversation(
                id: "c\(number)", account: "acme", consumer: "ada", skill: "-1", ttr: [:], context: nil, campaign: nil, engagement: nil,
                isFirst: false, at: Timestamp(milliseconds: Int64(number)))
        }
        let filter = AgentFilter([:], [], account: "acme")
        #expect(filter.shown(Array(all.prefix(1001))).count == 1001)
        #expect(filter.shown(all).map(\.id) == (3..<1004).map { "c\($0)" })
        all[0].updated = Timestamp(milliseconds: 5000)
        #expect(filter.shown(all).map(\.id) == ["c0"] + (4..<1004).map { "c\($0)" })
        all[1000].state = "CLOSE"
        #expect(AgentFilter(["convState": "OPEN"], [], account: "acme").shown(all).count == 1001)
    }
}

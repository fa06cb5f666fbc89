import SparringJSON
import Support
import Testing

/// An agent at its socket, as a bot on node-agent-sdk is (LivePerson reference 7).
struct Agent {
    let socket: SocketClient
    let bearer: String
    /// The types of the notifications on the sockets.
    static let rings = ".ams.routing.RoutingTaskNotification"
    static let conversations = ".ams.aam.ExConversationChangeNotification"
    static let events = ".ams.ms.OnlineEventDistribution"

    /// Two with a skill each, and one who has all.
    static let tenants: JSON.Object = [
        "liveperson": [
            "accountId": "acme",
            "agents": [
                ["userId": "55", "loginName": "alex", "nickname": "Alex", "skills": ["11"]],
                ["userId": "56", "loginName": "billie", "nickname": "Billie", "skills": ["11", "12"]],
                ["userId": "57", "loginName": "cleo", "nickname": "Cleo", "skills": ["12"]],
            ],
        ], "identity": ["tenantId": "brand"],
    ]

    /// Signs in and opens a socket.
    init(_ name: String, _ scene: MessagingScene, version: String = "2.1") async throws {
        bearer = try await scene.bearer(name)
        socket = try await scene.agentSocket(bearer: bearer, version: version)
    }

    init(bearer: String, _ scene: MessagingScene) async throws {
        self.bearer = bearer
        socket = try await scene.agentSocket(bearer: bearer)
    }

    /// Goes online and has itself offered conversations.
    static func online(_ name: String, _ scene: MessagingScene) async throws -> Agent {
        let agent = try await Agent(name, scene)
        #expect(try await agent.be("ONLINE")["body"] == "Agent state updated successfully")
        #expect(try await agent.socket.request(".ams.routing.SubscribeRoutingTasks", [:])["code"] == 200)
        return agent
    }

    func be(_ availability: String) async throws -> JSON {
        try await socket.request(".ams.routing.SetAgentState", ["availability": .string(availability), "channels": ["MESSAGING"]])
    }

    /// The next ring or end of one: the change.
    func ring() async throws -> JSON {
        try #require(try await socket.notification(Self.rings)["body"]?["changes"]?.array?.first)
    }

    func accept(_ ring: JSON) async throws -> JSON {
        try await socket.request(
            ".ams.routing.UpdateRingState",
            ["ringId": ring["result"]?["ringsDetails"]?.array?.first?["ringId"] ?? "", "ringState": "ACCEPTED"])
    }

    func say(_ text: String, in dialog: String, audience: String? = nil) async throws -> JSON {
        try await socket.request(
            ".ams.ms.PublishEvent",
            .members([
                "dialogId": .string(dialog), "event": ["type": "ContentEvent", "contentType": "text/plain", "message": .string(text)],
                "messageAudience": audience.map { .string($0) },
            ]))
    }

    func change(_ conversation: String, _ fields: [JSON]) async throws -> JSON {
        try await socket.request(
            ".ams.cm.UpdateConversationField", ["conversationId": .string(conversation), "conversationField": .array(fields)])
    }

    func heard() async throws -> JSON { try await socket.notification(Self.events)["body"] ?? .null }
}

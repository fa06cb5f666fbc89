import HTTPTypes
import SparringAdmin
import SparringEngine
import SparringJSON
@testable import SparringSandbox
import Support
import Testing
@testable import LivePersonVendor

/// An account, and consumers with sockets.
struct MessagingScene {
    let server: TestServer
    static let tenants: JSON.Object = ["liveperson": ["accountId": "acme"], "identity": ["tenantId": "brand"]]
    static let target = "/ws_api/account/acme/messaging/consumer?v=3"

    /// Signs a consumer in at LivePerson and returns its token there.
    func token(_ subject: String) async throws -> String {
        let minted = try await server.admin(.post, "credentials", ["form": "jwt", "subject": .string(subject)])
        let answer = try await server.send(
            .post, "/api/account/acme/app/default/authenticate?v=2.0", json: ["id_token": minted["credential"] ?? .null])
        return try #require(answer.json?["jwt"]?.string, "\(answer)")
    }

    func anonymousToken() async throws -> String {
        let answer = try await server.send(.post, "/api/account/acme/anonymous/authorize", json: [:])
        return try #require(answer.json?["token"]?.string, "\(answer)")
    }

    /// Signs an agent in and returns its bearer.
    func bearer(_ agent: String = "agent") async throws -> String {
        let answer = try await server.send(.post, Self.login, json: ["username": .string(agent), "password": "agent-secret"])
        return try #require(answer.json?["bearer"]?.string, "\(answer)")
    }

    static let login = "/api/account/acme/login?v=1.3"

    func agentSocket(bearer: String, version: String = "2.1") async throws -> SocketClient {
        try await SocketClient(
            port: server.addresses.port, target: "/ws_api/account/acme/messaging/brand/\(bearer)?v=\(version)")
    }

    /// A socket signed in by its header.
    func socket(_ subject: String) async throws -> SocketClient { try await socket(token: try await token(subject)) }

    func socket(token: String?) async throws -> SocketClient {
        try await SocketClient(
            port: server.addresses.port, target: Self.target, headers: token.map { [("Authorization", "jwt \($0)")] } ?? [])
    }

    /// Opens a conversation and follows its dialog.
    func conversation(_ socket: SocketClient) async throws -> String {
        let opened = try await socket.request("cm.ConsumerRequestConversation", [:])
        let id = try #require(opened["body"]?["conversationId"]?.string, "\(opened.text)")
        let followed = try await socket.request("ms.SubscribeMessagingEvents", ["dialogId": .string(id), "fromSeq": 0])
        #expect(followed["code"] == 200, "\(followed.text)")
        _ = try await socket.notification(Self.events)
        return id
    }

    /// A conversation as it is stored.
    func conversation(_ id: String) async throws -> Conversation {
        let found = try await server.engine.world.store.read { db in try Conversation.find(id, sandbox: "default", db) }
        return try #require(found, "no conversation \(id)")
    }

    /// A socket whose client said what it can, in InitConnection or at the upgrade.
    func socket(_ subject: String, features: [JSON], atUpgrade: Bool = true) async throws -> SocketClient {
        let token = try await token(subject)
        let properties: JSON = ["type": ".ClientProperties", "deviceFamily": "MOBILE", "os": "IOS", "features": .array(features)]
        if atUpgrade {
            return try await SocketClient(
                port: server.addresses.port, target: Self.target,
                headers: [("Authorization", "jwt \(token)"), ("Client-Properties", properties.text)])
        }
        let socket = try await socket(token: nil)
        var header = properties
        header["type"] = ".ams.headers.ClientProperties"
        let answer = try await socket.request(
            "InitConnection", [:], members: ["headers": [header, ["type": ".ams.headers.ConsumerAuthentication", "jwt": .string(token)]]])
        #expect(answer["code"] == 200, "\(answer.text)")
        return socket
    }

    /// Follows the consumer's conversations whatever their state.
    func follow(_ socket: SocketClient) async throws {
        let followed = try await socket.request("cqm.SubscribeExConversations", [:])
        #expect(followed["code"] == 200, "\(followed.text)")
        _ = try await socket.notification(Self.conversations)
    }

    func update(_ conversation: String, _ fields: JSON..., on socket: SocketClient) async throws -> JSON {
        try await socket.request(
            "cm.UpdateConversationField", ["conversationId": .string(conversation), "conversationField": .array(fields)])
    }

    static func close(_ dialog: String, cause: String? = "Closed by consumer") -> JSON {
        [
            "field": "DialogChange", "type": "UPDATE",
            "dialog": .members(["dialogId": .string(dialog), "state": "CLOSE", "closedCause": cause.map { .string($0) }]),
        ]
    }

    /// The account's first agent changes a conversation.
    ///
    /// - Returns: what was done, in words.
    func agentChanges(_ conversation: String, _ fields: JSON...) async throws -> String {
        let sandbox = try #require(server.engine.world.sandbox("default"))
        let act = Occasion("admin.act", of: "agent", sandbox, try #require(sandbox.tenant(of: "liveperson")))
        let done = try await sandbox.write(sending: act.outbox, causedBy: act.origin) { db in
            let messaging = Messaging(act, db)
            let agent = messaging.settings.agents[0].participant
            return Result { try messaging.change(try messaging.conversation(conversation), fields, by: agent).words }
        }
        sandbox.journal.committed()
        return try done.get()
    }

    /// The account's first agent says something in the main dialog.
    func agentSays(_ text: String, in conversation: String) async throws {
        let sandbox = try #require(server.engine.world.sandbox("default"))
        let act = Occasion("admin.act", of: "agent", sandbox, try #require(sandbox.tenant(of: "liveperson")))
        let said = try await sandbox.write(sending: act.outbox, causedBy: act.origin) { db in
            let messaging = Messaging(act, db)
            return Result {
                let (conversation, dialog) = try messaging.dialog(conversation)
                return try messaging.publish(
                    ["type": "ContentEvent", "contentType": "text/plain", "message": .string(text)],
                    by: messaging.settings.agents[0].participant, in: dialog, of: conversation
                ).words
            }
        }
        sandbox.journal.committed()
        _ = try said.get()
    }

    static let joining: JSON = ["field": "ParticipantsChange", "type": "ADD", "role": "ASSIGNED_AGENT"]

    static let events = "ms.MessagingEventNotification"
    static let conversations = "cqm.ExConversationChangeNotification"

    func say(_ text: String, in dialog: String, on socket: SocketClient) async throws -> JSON {
        try await socket.request(
            "ms.PublishEvent",
            ["dialogId": .string(dialog), "event": ["type": "ContentEvent", "contentType": "text/plain", "message": .string(text)]])
    }

    static func run(
        tenants: JSON.Object = tenants, vary: JSON? = nil, database: String? = nil, configure: (inout Server.Options) -> Void = { _ in },
        _ body: (MessagingScene) async throws -> Void
    ) async throws {
        try await TestServer.run(.socket, database: database, tenants: tenants, vary: vary, configure: configure) {
            try await body(MessagingScene(server: $0))
        }
    }
}

import HTTPTypes
@testable import SparringEngine
import SparringJSON
@testable import SparringVendors
import Support
import Testing

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

    static let events = "ms.MessagingEventNotification"
    static let conversations = "cqm.ExConversationChangeNotification"

    func say(_ text: String, in dialog: String, on socket: SocketClient) async throws -> JSON {
        try await socket.request(
            "ms.PublishEvent",
            ["dialogId": .string(dialog), "event": ["type": "ContentEvent", "contentType": "text/plain", "message": .string(text)]])
    }

    static func run(
        tenants: JSON.Object = tenants, database: String? = nil, _ body: (MessagingScene) async throws -> Void
    ) async throws {
        try await TestServer.run(.socket, database: database, tenants: tenants) { try await body(MessagingScene(server: $0)) }
    }
}

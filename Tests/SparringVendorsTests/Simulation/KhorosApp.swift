import HTTPTypes
import SparringJSON
import Support

final class KhorosApp: SimulatedApp, @unchecked Sendable {  // one task at a time
    let line: AppLine
    private let brand: SimulatedBrand
    private let app: String
    private let integration: String
    private var jwt: String?
    private var user: String?
    private var conversation: String?
    private var device: String?
    /// The id that Bayeux gives a client.
    private var clientId: String?

    init(_ line: AppLine, _ published: JSON) {
        self.line = line
        brand = SimulatedBrand(published)
        app = published["khoros"]?["appId"]?.string ?? ""
        integration = published["khoros"]?["iosIntegrationId"]?.string ?? ""
    }

    private var client: JSON {
        .members([
            "id": .string(line.name.lane), "platform": "ios", "integrationId": .string(integration),
            "pushNotificationToken": device.map { .string($0) },
        ])
    }

    func signIn(_ code: String) async throws -> Outcome {
        let (outcome, tokens) = try await brand.redeem(code, line)
        guard let access = tokens["access_token"]?.string else { return outcome }
        let minted = try await line.call(
            .post, "\(brand.provider)/jwt", by: "Bearer \(access)", ["userId": .string(line.name.person), "platform": "ios"])
        if let given = minted.json?["jwt"]?.string ?? minted.json?["token"]?.string { jwt = given }
        _ = try await logIn()
        return outcome
    }

    private func logIn() async throws -> Outcome {
        let reply = try await call(.post, "/login", ["userId": .string(line.name.person), "client": client])
        if let id = reply.json?["appUser"]?["_id"]?.string { user = id }
        return reply.outcome { $0["appUser"] != nil }
    }

    func enter() async throws -> Outcome {
        guard let user, let jwt else { return .idle }
        clientId = nil
        let reply = try await line.open("/faye/\(app)")
        guard case .opened = reply else { return reply.outcome() }
        let hands = try await send(
            "/meta/handshake",
            ["version": "1.0", "minimumVersion": "1.0beta", "supportedConnectionTypes": ["long-polling", "websocket"]])
        clientId = hands.json?.array?.first?["clientId"]?.string
        guard clientId != nil else { return .unknown }
        line.tell(bayeux("/meta/connect", ["connectionType": "websocket"]))
        let subscribed = try await send(
            "/meta/subscribe",
            [
                "subscription": .string("/sdk/apps/\(app)/appusers/\(user)"),
                "ext": ["appId": .string(app), "appUserId": .string(user), "jwt": .string(jwt)],
            ])
        return subscribed.outcome { $0.array?.first?["successful"] == true }
    }

    func say(_ text: String) async throws -> Outcome {
        guard let user else { return .idle }
        guard let conversation else {
            let body: JSON = ["type": "personal", "messages": [["text": .string(text), "type": "text"]], "client": client]
            let reply = try await call(.post, "/appusers/\(user)/conversations", body)
            self.conversation = reply.json?["conversation"]?["_id"]?.string
            return reply.outcome()
        }
        let author: JSON = ["role": "appUser", "appUserId": .string(user), "client": client]
        let message: JSON = ["text": .string(text), "role": "appUser", "type": "text"]
        return try await call(.post, "/conversations/\(conversation)/messages", ["message": message, "author": author]).outcome()
    }

    func read() async throws -> Outcome {
        guard let conversation else { return .idle }
        return try await call(.get, "/conversations/\(conversation)/messages", nil).outcome()
    }

    func register(_ device: String) async throws -> Outcome {
        guard user != nil else { return .idle }
        let before = self.device
        self.device = device
        let outcome = try await logIn()
        if outcome == .refused { self.device = before }
        return outcome
    }

    func unregister(_ device: String) async throws -> Outcome {
        guard let user else { return .idle }
        (self.user, conversation, self.device) = (nil, nil, nil)
        return try await call(.post, "/appusers/\(user)/logout", ["client": ["id": .string(line.name.lane)]]).outcome()
    }

    /// Users of Khoros cannot end theirs.
    func end() async throws -> Outcome { .idle }

    private func call(_ method: HTTPRequest.Method, _ path: String, _ body: JSON?) async throws -> SimulatedServer.Reply {
        var headers: HTTPFields = [HTTPField.Name("x-smooch-clientid")!: line.name.lane]
        headers[.authorization] = jwt.map { "Bearer \($0)" }
        if body != nil { headers[.contentType] = "application/json" }
        return try await line.call(method, "/v2/apps/\(app)\(path)", headers: headers, body: body?.bytes ?? [])
    }

    private func bayeux(_ channel: String, _ members: JSON.Object) -> JSON {
        var message: JSON.Object = ["channel": .string(channel)]
        if let clientId { message["clientId"] = .string(clientId) }
        return .object(message.merging(members, uniquingKeysWith: { $1 }))
    }

    private func send(_ channel: String, _ members: JSON.Object) async throws -> SimulatedServer.Reply {
        let id = "\(line.name.lane)-\(line.fresh())"
        return try await line.ask(bayeux(channel, members.merging(["id": .string(id)], uniquingKeysWith: { $1 })), id) {
            $0.array?.first?["channel"]?.string == channel
        }
    }
}

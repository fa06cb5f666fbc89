import HTTPTypes
import SparringJSON
import SparringSandbox
import Support

/// On a channel for live chats, whose customers sign in at the brand.
final class CXoneApp: SimulatedApp, @unchecked Sendable {  // one task at a time
    let line: AppLine
    private let brand: String
    private let channel: String
    private var token: JSON?
    private var code: String?
    private var contact: JSON?
    private var thread = 1

    init(_ line: AppLine, _ published: JSON) {
        self.line = line
        brand = published["cxone"]?["brandId"]?.string ?? ""
        channel = published["cxone"]?["liveChatChannelId"]?.string ?? ""
    }

    /// A UUID of this app's alone.
    private func id(_ what: String, _ number: Int) -> String { Draw(seed: Int64(number), what, line.sandbox, line.name.lane).uuid }

    private var visitor: String { ChatScene.visitor(line.name.person) }

    /// The code is redeemed on the socket.
    func signIn(_ code: String) async throws -> Outcome {
        guard try await open() == .done else { return .unknown }
        let reply = try await send(
            "AuthorizeCustomer",
            [
                "disableChannelInfo": true, "sdkPlatform": "ios", "sdkVersion": "3.3.1",
                "authorization": ["authorizationCode": .string(code)],
            ], action: "register")
        if let given = reply.json?["postback"]?["data"]?["accessToken"]?["token"] { token = given }
        return outcome(reply)
    }

    private func open() async throws -> Outcome {
        let target =
            "/?brandId=\(brand)&channelId=\(channel)&visitorId=\(visitor)&sdkPlatform=ios&sdkVersion=3.3.1"
        return try await line.open(target).outcome()
    }

    func enter() async throws -> Outcome {
        guard let token else { return .idle }
        guard try await open() == .done else { return .unknown }
        let back = try await send("ReconnectCustomer", ["accessToken": ["token": token]])
        _ = try await send("RecoverLivechat")
        return outcome(back)
    }

    func say(_ text: String) async throws -> Outcome {
        guard let token, line.socket != nil else { return .idle }
        let reply = try await send(
            "SendMessage",
            [
                "thread": ["idOnExternalPlatform": .string(id("thread", thread))],
                "messageContent": ["type": "TEXT", "payload": ["text": .string(text)]],
                "idOnExternalPlatform": .string(id("message", line.fresh())), "customer": ["customFields": []],
                "contact": ["customFields": []], "attachments": [], "deviceFingerprint": ["os": "iOS"],
                "accessToken": ["token": token],
            ])
        return outcome(reply)
    }

    func read() async throws -> Outcome {
        if line.socket == nil { return .idle }
        let reply = try await send("RecoverLivechat")
        contact = reply.json?["postback"]?["data"]?["contact"]?["id"] ?? contact
        return outcome(reply)
    }

    func register(_ device: String) async throws -> Outcome {
        try await line.call(
            .put, "/web-analytics/1.0/tenants/\(brand)/visitors/\(visitor)",
            [
                "customerIdentity": ["idOnExternalPlatform": .string(line.name.person)],
                "browserFingerprint": ["os": "iOS", "deviceToken": .string(device)],
            ]
        ).outcome()
    }

    func end() async throws -> Outcome {
        if line.socket == nil { return .idle }
        _ = try await read()
        guard let contact else { return .idle }
        let reply = try await send(
            "EndContact", ["thread": ["idOnExternalPlatform": .string(id("thread", thread))], "contact": ["id": contact]])
        (self.contact, thread) = (nil, thread + 1)
        return outcome(reply)
    }

    private func send(_ type: String, _ data: JSON? = nil, action: String = "chatWindowEvent") async throws -> SimulatedServer.Reply {
        let id = id("event", line.fresh())
        let event: JSON = [
            "action": .string(action), "eventId": .string(id),
            "payload": .members([
                "brand": ["id": .integer(Int64(brand) ?? 0)], "channel": ["id": .string(channel)],
                "customerIdentity": ["idOnExternalPlatform": .string(line.name.person)], "eventType": .string(type), "data": data,
                "visitor": ["id": .string(visitor)],
            ]),
        ]
        return try await line.ask(event, id) { $0["eventId"]?.string == id }
    }

    private func outcome(_ reply: SimulatedServer.Reply) -> Outcome {
        guard case .answer(let answer) = reply else { return .unknown }
        guard let error = answer.json?["error"] else { return .done }
        return error["errorCode"] == "InternalServerError" ? .unknown : .refused
    }
}

import HTTPTypes
import SparringJSON
import Support

final class LivePersonApp: SimulatedApp, @unchecked Sendable {  // one task at a time
    let line: AppLine
    private let account: String
    private var token: String?
    private var conversation: String?

    init(_ line: AppLine, _ published: JSON) {
        self.line = line
        account = published["liveperson"]?["accountId"]?.string ?? ""
    }

    func signIn(_ code: String) async throws -> Outcome {
        let reply = try await line.call(
            .post, "/api/account/\(account)/app/default/authenticate?v=2.0",
            ["code": .string(code), "redirect_uri": .string(SimulatedBrand.redirectURI)])
        if let jwt = reply.json?["jwt"]?.string { token = jwt }
        return reply.outcome { $0["jwt"] != nil }
    }

    func enter() async throws -> Outcome {
        guard let token else { return .idle }
        let reply = try await line.open("/ws_api/account/\(account)/messaging/consumer?v=3", headers: [.authorization: "jwt \(token)"])
        guard case .opened = reply else { return reply.outcome() }
        _ = try await request("cqm.SubscribeExConversations", [:])
        if let conversation { _ = try await follow(conversation) }
        return .done
    }

    func say(_ text: String) async throws -> Outcome {
        if line.socket == nil { return .idle }
        if conversation == nil {
            let opened = try await request("cm.ConsumerRequestConversation", [:])
            conversation = opened.json?["body"]?["conversationId"]?.string
            if let conversation { _ = try await follow(conversation) }
            await line.rest()
        }
        guard let conversation else { return .unknown }
        return try await publish(["type": "ContentEvent", "contentType": "text/plain", "message": .string(text)], in: conversation)
    }

    func read() async throws -> Outcome {
        guard let token else { return .idle }
        return try await line.call(.get, "\(pusher)/unread?appId=com.example.brand", by: "Bearer \(token)", nil).outcome()
    }

    func register(_ device: String) async throws -> Outcome {
        guard let token else { return .idle }
        return try await line.call(
            .put, "\(pusher)/registrations/com.example.brand", by: "Bearer \(token)",
            ["deviceToken": .string(device), "pushType": "APNS", "lang": "en-US"]
        ).outcome()
    }

    func unregister(_ device: String) async throws -> Outcome {
        guard let token else { return .idle }
        return try await line.call(
            .delete, "\(pusher)/registrations/com.example.brand", by: "Bearer \(token)", ["deviceToken": .string(device)]
        ).outcome()
    }

    func end() async throws -> Outcome {
        guard let conversation else { return .idle }
        self.conversation = nil
        let reply = try await request(
            "cm.UpdateConversationField",
            ["conversationId": .string(conversation), "conversationField": [MessagingScene.close(conversation)]])
        return outcome(reply)
    }

    private var pusher: String { "/mock/pusher/account/\(account)" }

    private func follow(_ dialog: String) async throws -> Outcome {
        outcome(try await request("ms.SubscribeMessagingEvents", ["dialogId": .string(dialog), "fromSeq": 0]))
    }

    private func publish(_ event: JSON, in dialog: String) async throws -> Outcome {
        outcome(try await request("ms.PublishEvent", ["dialogId": .string(dialog), "event": event]))
    }

    private func request(_ type: String, _ body: JSON) async throws -> SimulatedServer.Reply {
        let id = "\(line.name.lane)-\(line.fresh())"
        return try await line.ask(["kind": "req", "id": .string(id), "type": .string(type), "body": body], id) { $0["reqId"]?.string == id }
    }

    private func outcome(_ reply: SimulatedServer.Reply) -> Outcome {
        guard case .answer(let answer) = reply else { return .unknown }
        let code = answer.json?["code"]?.integer ?? 500
        return code < 300 ? .done : code < 500 ? .refused : .unknown
    }
}

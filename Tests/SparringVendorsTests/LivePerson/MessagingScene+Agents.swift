import HTTPTypes
import SparringJSON
import Support
import Testing

/// An agent played by the test.
extension MessagingScene {
    /// Makes an agent act in ada's conversation, or where the members say; returns the admin API's answer.
    @discardableResult
    func act(_ act: String, _ members: JSON = [:], consumer: String = "ada", sandbox: String = "default") async throws -> JSON {
        var body: JSON = ["consumer": .string(consumer)]
        for (name, value) in members.object ?? [:] { body[name] = value.isNull ? nil : value }
        return try await server.admin(.post, "liveperson/agent/\(act)", body, sandbox: sandbox)
    }

    /// The admin API's answer to an act that it must refuse.
    func refusedAct(_ act: String, _ body: JSON, sandbox: String = "default") async throws -> TestAnswer {
        try await server.send(.post, "/__admin/sandboxes/\(sandbox)/liveperson/agent/\(act)", json: body)
    }

    func detail(_ conversation: String, sandbox: String = "default") async throws -> JSON {
        try await server.admin(.get, "liveperson/conversations/\(conversation)", sandbox: sandbox)
    }

    /// The main dialog's events, each in a word or two: who, and what.
    func transcript(_ conversation: String, sandbox: String = "default") async throws -> [String] {
        let dialogs = try await detail(conversation, sandbox: sandbox)["dialogs"]?.array ?? []
        return (dialogs.first?["events"]?.array ?? []).map { record in
            (record["from"]?.string ?? "?") + ": " + (record["event"].map(Self.words) ?? "?")
        }
    }

    private static func words(_ event: JSON) -> String {
        if let status = event["status"]?.string { return "\(status) \(event["sequenceList"]?.text ?? "")" }
        if let type = event["content"]?["type"]?.string { return type }
        return event["message"]?.string ?? event["message"]?["relativePath"]?.string ?? "?"
    }

    /// The next event that the socket hears of, as it is notified.
    func heard(_ socket: SocketClient) async throws -> JSON {
        let changes = try await socket.notification(Self.events)["body"]?["changes"]?.array ?? []
        return try #require(changes.count == 1 ? changes.first : nil)
    }

    func advance(_ by: String, sandbox: String = "default") async throws {
        try await server.admin(.post, "clock/advance", ["by": .string(by)], sandbox: sandbox)
    }
}

import ArgumentParser
import SparringJSON

/// `sparring conversation`
struct ConversationCommand: WordedCommand {
    static let abstract = "List conversations, and print what was said."
    static let discussion = """
          sparring conversation list
          sparring conversation show alice
        """
    static var subcommands: [any ParsableCommand.Type] { [List.command, Show.command] }

    struct List: SandboxVerb {
        static let abstract = "List the conversations, oldest first."
        static let discussion = "  sparring conversation list --consumer alice --state open"

        enum State: String, CaseIterable, ExpressibleByArgument {
            case open, closed
            var wire: String { self == .open ? "OPEN" : "CLOSE" }
        }

        @Option(help: "Only those of this consumer.") var consumer: String?
        @Option(help: "Only those that are open, or closed.") var state: State?

        func run(_ sandbox: RemoteSandbox) async throws {
            try await sandbox.show(.listConversations, ["consumer": consumer, "state": state?.wire]) { json in
                Table.text(
                    "conversation", "consumer", "state", "skill/queue", "agents", "unread", "started", of: json["conversations"]?.array,
                    none: "there is no conversation in \(sandbox.name)"
                ) { conversation in
                    let agents = ConversationText.agents(of: conversation)
                    return conversation.cells("id", "consumer") + [
                        ConversationText.state(of: conversation), (conversation["skill"] ?? conversation["queue"])?.plain ?? "",
                        agents.isEmpty ? "-" : agents.joined(separator: ", "),
                    ] + conversation.cells("unread", "startedAt")
                }
            }
        }
    }

    struct Show: SandboxVerb {
        static let abstract = "Print a conversation with its events in order."
        static let discussion = "  sparring conversation show alice"

        @Argument(help: ArgumentHelp("A conversation's id, or a consumer: their newest one.", valueName: "conversation"))
        var wanted: String

        func run(_ sandbox: RemoteSandbox) async throws {
            let all = try await sandbox.call(.listConversations).json["conversations"]?.array ?? []
            var found = all.first { $0["id"]?.string == wanted }
            if found == nil {
                found = try await sandbox.call(.listConversations, ["consumer": wanted]).json["conversations"]?.array?.last
            }
            guard let found, let id = found["id"] else { throw CommandFailure(text: "\(wanted) has no conversation", status: 1) }
            let answer = try await sandbox.act("readConversation", ["conversation": id], of: found["vendor"]?.string)
            try sandbox.connection.show(answer, as: ConversationText.text)
        }
    }
}

/// A conversation as people read it.
enum ConversationText {
    static func state(of conversation: JSON) -> String {
        if conversation["state"] == "OPEN" { return "open" }
        return conversation["stage"] == "OPEN" ? "survey" : "closed"
    }

    /// Vendors have several agents with roles, or one. A controller is the vendor's system, not an agent.
    static func agents(of conversation: JSON) -> [String] {
        let all = conversation["agents"]?.array ?? [conversation["agent"]].compactMap(\.self).filter { !$0.isNull }
        return all.filter { $0["role"] != "CONTROLLER" }.map { agent in
            let name = agent["nickname"]?.string ?? agent["id"]?.string ?? ""
            let role = agent["role"]?.string ?? "ASSIGNED_AGENT"
            return name + (role == "ASSIGNED_AGENT" ? "" : " (\(role))")
        }
    }

    static func text(_ conversation: JSON) -> String {
        let (agents, unread) = (agents(of: conversation), conversation.plain("unread"))
        let parts = [
            state(of: conversation), conversation["skill"].map { "skill \($0.plain)" },
            conversation["queue"]?.string.map { "queue \($0)" },
            agents.isEmpty ? "no agent" : agents.joined(separator: ", "),
            ["", "0"].contains(unread) ? nil : "\(unread) unread",
        ].compactMap(\.self).joined(separator: ", ")
        var lines = ["conversation \(conversation.plain("id")) of \(conversation.plain("consumer")): \(parts)"]
        lines += (conversation["messages"]?.array ?? []).map(Self.line)
        for dialog in conversation["dialogs"]?.array ?? [] {
            if dialog["type"] != "MAIN" { lines.append("dialog \(dialog["id"]?.string ?? ""), \(dialog["type"]?.string ?? "")") }
            lines += (dialog["events"]?.array ?? []).map(Self.line)
        }
        return lines.map(Terminal.printable).joined(separator: "\n")
    }

    private static func line(_ event: JSON) -> String {
        let isPrivate = event["messageAudience"].map { $0 != "ALL" } ?? false
        return [
            Table.indented(event.plain("sequence"), 6), event["time"]?.string ?? "", event["from"]?.string ?? "",
            (event["event"] == nil ? words(ofMessage: event) : words(event["event"])) + (isPrivate ? "  (private)" : ""),
        ].joined(separator: "  ")
    }

    /// A message's text, else what it is, and the files that come with it.
    private static func words(ofMessage message: JSON) -> String {
        let content = message["messageContent"] ?? message["message"]
        let said = [message["text"], content?["payload"]?["text"], content?["text"]].lazy.compactMap { $0?.string }.first
        let text = said ?? "card \(content?.text ?? "")"
        let files = (message["attachments"]?.array ?? []).map { "file \($0["friendlyName"]?.string ?? $0["url"]?.string ?? "")" }
        return ([text].filter { !$0.isEmpty } + files).joined(separator: "  ")
    }

    /// A secure form, or its submission, in words.
    private static func words(ofForm form: JSON?) -> String {
        form?["title"]?.string.map { "secure form: \($0)" } ?? "submitted the secure form \(form?["invitationId"]?.string ?? "")"
    }

    private static func words(_ event: JSON?) -> String {
        switch event?["type"]?.string {
        case "ContentEvent":
            if let text = event?["message"]?.string {
                let titles = (event?["quickReplies"]?["replies"]?.array ?? []).compactMap { $0["title"]?.string }
                return text + titles.map { " [\($0)]" }.joined()
            }
            if event?["contentType"]?.string?.hasPrefix("forms/") == true { return words(ofForm: event?["message"]) }
            let file = event?["message"]
            return "file \(file?["relativePath"]?.string ?? "")" + (file?["caption"]?.string.map { $0.isEmpty ? "" : ": \($0)" } ?? "")
        case "RichContentEvent": return "card \((event?["content"] ?? event?["message"])?.text ?? "")"
        case "AcceptStatusEvent":
            let numbers = event?["sequenceList"].map { $0.array ?? [$0] } ?? []
            return "\(event?["status"]?.string ?? "") of \(numbers.map(\.text).joined(separator: ", "))"
        default: return event?.text ?? ""
        }
    }
}

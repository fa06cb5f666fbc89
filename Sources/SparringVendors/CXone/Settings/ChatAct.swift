import SparringEngine
import SparringJSON

/// Something that an agent does in a thread, by the name that it has in the admin API, on the command line and in scripts.
struct ChatAct: ScriptedAct {
    enum Kind: String, CaseIterable, Sendable {
        case join, leave, say, card, file
        case typing, pause, read, transfer, close
        case setStatus, setQueuePosition

        /// What may stand beside `act`.
        fileprivate var members: [String] {
            switch self {
            case .say: ["text", "quickReplies"]
            case .card: ["content", "text"]
            case .file: ["fileName", "mimeType", "content", "url"]
            case .transfer: ["agentTo", "queue"]
            case .setStatus: ["status"]
            case .setQueuePosition: ["position", "isAnyAgentOnline"]
            case .join, .leave, .typing, .pause, .read, .close: []
            }
        }
    }

    let kind: Kind
    /// As it was asked for, checked.
    var json: JSON

    static let echo: JSON = [
        ["on": "opened", "do": ["act": "join"]], ["on": "content", "do": ["act": "read"]],
        ["on": "text", "do": ["act": "say", "text": .string(AgentScript<ChatAct>.placeholder)]],
    ]

    init(_ json: JSON, at pointer: JSONPointer) throws(ConfigurationError) {
        try self.init(try Self.kind(of: json, at: pointer), json, at: pointer, besides: ["act"])
    }

    /// - Parameter besides: what may stand there beside the act's own members.
    init(_ kind: Kind, _ json: JSON, at pointer: JSONPointer = .root, besides: [String]) throws(ConfigurationError) {
        let members = try Members(json, at: pointer, known: besides + kind.members)
        self.kind = kind
        self.json = Self.own(kind.rawValue, kind.members, of: members)
        try check(members)
    }

    /// An agent reads all that is there.
    mutating func concern(_ sequence: Int) {}

    private func check(_ members: Members) throws(ConfigurationError) {
        switch kind {
        case .say: try members.checkSaying()
        case .card:
            guard let content = members.object["content"], content.object != nil else {
                throw members.error("content", "the content is missing: an object with its 'type' and 'payload'")
            }
            let place = members.pointer.appending("content")
            guard content["type"]?.string?.isEmpty == false else {
                throw ConfigurationError(place.appending("type"), "content needs its type")
            }
            guard content["payload"]?.object != nil else {
                throw ConfigurationError(place.appending("payload"), "content needs its payload, an object")
            }
            _ = try members.string("text")
        case .file: try members.checkFile()
        case .transfer:
            guard (try members.string("agentTo") == nil) != (try members.string("queue") == nil) else {
                throw members.error("agentTo", "to whom is missing: either an agent ('agentTo') or a queue ('queue')")
            }
        case .setStatus: _ = try status(members)
        case .setQueuePosition:
            guard try members.integer("position", in: 0...Int64(1 << 31)) != nil else { throw members.error("position", "it is missing") }
            _ = try members.bool("isAnyAgentOnline")
        case .join, .leave, .typing, .pause, .read, .close: break
        }
    }

    @discardableResult
    private func status(_ members: Members) throws(ConfigurationError) -> ChatContact.Status {
        guard let status = try members.word("status", ChatContact.Status.self) else { throw members.error("status", "it is missing") }
        return status
    }

    /// What is said: the content of a message (CXone reference 7.2). Nil for an act that says nothing.
    var content: JSON? {
        switch kind {
        case .say:
            let text = json["text"] ?? ""
            guard let titles = json["quickReplies"]?.array else { return ["type": "TEXT", "payload": ["text": text]] }
            return [
                "type": "QUICK_REPLIES",
                "payload": [
                    "text": ["content": text],
                    "actions": .array(
                        titles.map { title -> JSON in
                            let postback: JSON = ["reply": title]
                            return ["type": "REPLY_BUTTON", "text": title, "postback": .string(postback.text)]
                        }),
                ],
                "fallbackText": text,
            ]
        case .card:
            var content = json["content"] ?? [:]
            if let text = json["text"] { content["fallbackText"] = text }
            return content
        case .file: return ["type": "TEXT", "payload": ["text": ""]]
        default: return nil
        }
    }
}

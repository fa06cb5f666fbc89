import SparringEngine
import SparringJSON

/// Something that an agent does in a conversation, by the name that it has in the admin API, on the command line and in scripts.
struct AgentAct: ScriptedAct {
    enum Kind: String, CaseIterable, Sendable {
        case join, leave, say, card, file, form
        case typing, pause, active, inactive, gone
        case accept, read, transfer, close

        /// What may stand beside `act`.
        fileprivate var members: [String] {
            switch self {
            case .join: ["role"]
            case .say: ["text", "quickReplies"] + Self.beside
            case .card: ["content", "quickReplies"] + Self.beside
            case .file: ["relativePath", "caption", "fileType", "preview"] + Self.beside
            case .form: ["title", "formId", "invitationId"] + Self.beside
            case .accept, .read: ["sequenceList"]
            case .transfer: ["skill"]
            case .close: ["closedCause", "survey"]
            case .leave, .typing, .pause, .active, .inactive, .gone: []
            }
        }

        private static let beside = ["metadata", "messageAudience"]

        /// The chat state that it is (LivePerson reference 5.11); nil where it is none.
        var chatState: String? {
            switch self {
            case .typing: "COMPOSING"
            case .pause, .active, .inactive, .gone: rawValue.uppercased()
            default: nil
            }
        }
    }

    let kind: Kind
    /// As it was asked for, checked.
    var json: JSON

    /// - Parameter besides: what may stand there that says who is meant.
    init(_ json: JSON, at pointer: JSONPointer = .root, besides: [String]) throws(ConfigurationError) {
        try self.init(try Self.kind(of: json, at: pointer), json, at: pointer, besides: besides + ["act"])
    }

    /// - Parameter besides: what may stand there beside the act's own members.
    init(_ kind: Kind, _ json: JSON, at pointer: JSONPointer = .root, besides: [String]) throws(ConfigurationError) {
        let members = try Members(json, at: pointer, known: besides + kind.members)
        self.kind = kind
        self.json = Self.own(kind.rawValue, kind.members, of: members)
        try check(members)
    }

    // MARK: Scripts

    init(_ json: JSON, at pointer: JSONPointer) throws(ConfigurationError) { try self.init(json, at: pointer, besides: []) }

    static let echo: JSON = [
        ["on": "opened", "do": ["act": "join"]], ["on": "content", "do": ["act": "accept"]], ["do": ["act": "read"]],
        ["on": "text", "do": ["act": "say", "text": .string(AgentScript<AgentAct>.placeholder)]],
    ]

    mutating func concern(_ sequence: Int) {
        guard [.accept, .read].contains(kind), json["sequenceList"] == nil else { return }
        json["sequenceList"] = [.integer(Int64(sequence))]
    }

    // MARK: Checking

    private func check(_ members: Members) throws(ConfigurationError) {
        switch kind {
        case .join:
            if let role = try members.string("role"), !MessagingTerms.agentRoles.contains(role) {
                throw members.error("role", "'\(role)' is not one of \(MessagingTerms.agentRoles.sorted().joined(separator: ", "))")
            }
        case .say:
            guard let text = try members.string("text"), !text.isEmpty else { throw members.error("text", "something must be said") }
        case .card:
            guard let content = members.object["content"], !content.isNull else {
                throw members.error("content", "the structured content is missing")
            }
            guard content.object != nil else {
                throw members.error("content", "structured content is an object, not \(content.typeName)")
            }
        case .file:
            for name in ["relativePath", "fileType"] {
                guard let value = try members.string(name), !value.isEmpty else { throw members.error(name, "a file needs it") }
            }
            for name in ["caption", "preview"] { _ = try members.string(name) }
        case .form:
            guard let title = try members.string("title"), !title.isEmpty else { throw members.error("title", "a form needs it") }
            if let id = members.object["formId"], !id.isNull, id.idText?.isEmpty != false {
                throw members.error("formId", "\(id.quoted) is no id of a form")
            }
            if let id = try members.string("invitationId"), id.isEmpty { throw members.error("invitationId", "the id is empty") }
        case .accept, .read:
            for (index, number) in (json["sequenceList"]?.oneOrMore ?? []).enumerated()
            where number.integer(in: MessagingTerms.sequences) == nil {
                throw ConfigurationError(
                    members.pointer.appending("sequenceList").appending(index), "\(number.quoted) is no sequence number")
            }
        case .transfer:
            guard let skill = members.object["skill"]?.idText, !skill.isEmpty else {
                throw members.error("skill", "the id of the skill is missing")
            }
        case .close:
            _ = try members.string("closedCause")
            _ = try members.bool("survey")
        case .leave, .typing, .pause, .active, .inactive, .gone: break
        }
        try checkQuickReplies(members)
        try checkBeside(members)
    }

    private func checkQuickReplies(_ members: Members) throws(ConfigurationError) {
        guard let replies = json["quickReplies"] else { return }
        let place = members.pointer.appending("quickReplies")
        if let titles = replies.array {
            for (index, title) in titles.enumerated() where title.string?.isEmpty != false {
                throw ConfigurationError(place.appending(index), "\(title.text) is no title of a quick reply")
            }
            return
        }
        guard replies["type"] == "quickReplies", replies["replies"]?.array != nil else {
            throw ConfigurationError(
                place, "quick replies are a list of titles, or an object of the type 'quickReplies' with a list 'replies'")
        }
    }

    private func checkBeside(_ members: Members) throws(ConfigurationError) {
        if let audience = try members.string("messageAudience"), !Self.audiences.contains(audience) {
            throw members.error("messageAudience", "'\(audience)' is neither \(Self.audiences.joined(separator: " nor "))")
        }
        for (index, element) in (json["metadata"]?.oneOrMore ?? []).enumerated() where element.object == nil {
            throw ConfigurationError(members.pointer.appending("metadata").appending(index), "expected an object")
        }
    }

    private static let audiences = [MessagingTerms.everybody, "AGENTS_AND_MANAGERS"]

    // MARK: On the wire

    /// The event that is published (LivePerson reference 5.11); nil for an act that publishes none, and for a receipt and a secure form, which need
    /// to know the dialog.
    var event: JSON? {
        if let chatState = kind.chatState { return ["type": "ChatStateEvent", "chatState": .string(chatState)] }
        switch kind {
        case .say:
            return .members([
                "type": "ContentEvent", "contentType": "text/plain", "message": json["text"], "quickReplies": quickReplies,
            ])
        case .card: return .members(["type": "RichContentEvent", "content": json["content"], "quickReplies": quickReplies])
        case .file:
            return [
                "type": "ContentEvent", "contentType": "hosted/file",
                "message": .members([
                    "caption": json["caption"] ?? "", "relativePath": json["relativePath"], "fileType": json["fileType"],
                    "preview": json["preview"],
                ]),
            ]
        default: return nil
        }
    }

    /// A list of titles becomes buttons that say them.
    private var quickReplies: JSON? {
        guard let titles = json["quickReplies"]?.array else { return json["quickReplies"] }
        return [
            "type": "quickReplies", "itemsPerRow": 8,
            "replies": .array(
                titles.map {
                    [
                        "type": "button", "title": $0, "tooltip": $0,
                        "click": ["actions": [["type": "publishText", "text": $0]]],
                    ]
                }),
        ]
    }
}

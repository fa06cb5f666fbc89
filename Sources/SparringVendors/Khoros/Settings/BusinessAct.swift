import SparringEngine
import SparringJSON

/// Something that the business does in a conversation, by the name that it has in the admin API, on the command line and in scripts.
struct BusinessAct: ScriptedAct {
    enum Kind: String, CaseIterable, Sendable {
        case say, card, file
        case typing, pause, read
        case open, close

        /// What may stand beside `act`.
        fileprivate var members: [String] {
            switch self {
            case .say: ["text", "quickReplies"]
            case .card: ["type", "text", "items", "actions", "payload", "displaySettings"]
            case .file: ["fileName", "mimeType", "content", "url", "text"]
            case .open: ["displayName"]
            case .typing, .pause, .read, .close: []
            }
        }
    }

    let kind: Kind
    /// As it was asked for, checked.
    var json: JSON

    static let echo: JSON = [
        ["on": "content", "do": ["act": "read"]],
        ["on": "text", "do": ["act": "say", "text": .string(AgentScript<BusinessAct>.placeholder)]],
    ]

    init(_ json: JSON, at pointer: JSONPointer) throws(ConfigurationError) {
        let words = Kind.allCases.map(\.rawValue).joined(separator: ", ")
        guard json.object != nil else { throw ConfigurationError(pointer, "an object should stand here, not \(json.typeName)") }
        guard let name = json["act"] else { throw ConfigurationError(pointer.appending("act"), "what is done is missing: one of \(words)") }
        guard let kind = name.string.flatMap(Kind.init(rawValue:)) else {
            let hint = Nearest.hint(for: name.string ?? "", in: Kind.allCases.map(\.rawValue))
            throw ConfigurationError(
                pointer.appending("act"), "there is no act \(name.text)" + (hint.isEmpty ? ": it is one of \(words)" : hint))
        }
        try self.init(kind, json, at: pointer, besides: ["act"])
    }

    /// - Parameter besides: what may stand there beside the act's own members.
    init(_ kind: Kind, _ json: JSON, at pointer: JSONPointer = .root, besides: [String]) throws(ConfigurationError) {
        let members = try Members(json, at: pointer, known: besides + kind.members)
        self.kind = kind
        var own: JSON = ["act": .string(kind.rawValue)]
        for member in kind.members { own[member] = members.object[member].flatMap { $0.isNull ? nil : $0 } }
        self.json = own
        try check(members)
    }

    /// An agent reads all that is there.
    mutating func concern(_ sequence: Int) {}

    private func check(_ members: Members) throws(ConfigurationError) {
        switch kind {
        case .say:
            guard let text = try members.string("text"), !text.isEmpty else { throw members.error("text", "something must be said") }
            for (index, title) in (try members.array("quickReplies") ?? []).enumerated() where title.string?.isEmpty != false {
                throw ConfigurationError(
                    members.pointer.appending("quickReplies").appending(index), "\(title.text) is no title of a quick reply")
            }
        case .card:
            guard let type = try members.string("type"), !type.isEmpty else { throw members.error("type", "content needs its type") }
            for name in ["text", "payload"] { _ = try members.string(name) }
            for name in ["items", "actions"] {
                for (index, item) in (try members.array(name) ?? []).enumerated() where item.object == nil {
                    throw ConfigurationError(members.pointer.appending(name).appending(index), "an object should stand here")
                }
            }
            _ = try members.object("displaySettings")
        case .file:
            for name in ["fileName", "mimeType"] {
                guard let value = try members.string(name), !value.isEmpty else { throw members.error(name, "a file needs it") }
            }
            let (url, content) = (try members.string("url"), try members.string("content"))
            guard (url == nil) != (content == nil) else {
                throw members.error("url", "a file has either its 'url' or its 'content' in Base64")
            }
            if let content, Base64.decode(content) == nil { throw members.error("content", "it is not Base64 (RFC 4648 §4)") }
            _ = try members.string("text")
        case .open: _ = try members.string("displayName")
        case .typing, .pause, .read, .close: break
        }
    }
}

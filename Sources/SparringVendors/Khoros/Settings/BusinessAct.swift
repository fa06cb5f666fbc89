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
            case .card: ["type", "text", "items", "actions", "fields", "payload", "displaySettings"]
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
            guard let type = try members.string("type"), !type.isEmpty else { throw members.error("type", "content needs its type") }
            for name in ["text", "payload"] { _ = try members.string(name) }
            for name in ["items", "actions", "fields"] {
                for (index, item) in (try members.array(name) ?? []).enumerated() where item.object == nil {
                    throw ConfigurationError(members.pointer.appending(name).appending(index), "expected an object")
                }
            }
            _ = try members.object("displaySettings")
        case .file:
            try members.checkFile()
            _ = try members.string("text")
        case .open: _ = try members.string("displayName")
        case .typing, .pause, .read, .close: break
        }
    }
}

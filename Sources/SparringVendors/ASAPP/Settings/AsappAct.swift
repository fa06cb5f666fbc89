import SparringEngine
import SparringJSON

/// Something that an agent does in a conversation, by the name that it has in the admin API, on the command line and in scripts.
struct AsappAct: ScriptedAct {
    enum Kind: String, CaseIterable, Sendable {
        case join, leave, say, transfer, close

        /// What may stand beside `act`.
        fileprivate var members: [String] { self == .say ? ["text"] : [] }
    }

    let kind: Kind
    /// As it was asked for, checked.
    var json: JSON

    static let echo: JSON = [
        ["on": "opened", "do": ["act": "join"]],
        ["on": "text", "do": ["act": "say", "text": .string(AgentScript<AsappAct>.placeholder)]],
    ]

    init(_ json: JSON, at pointer: JSONPointer) throws(ConfigurationError) {
        try self.init(try Self.kind(of: json, at: pointer), json, at: pointer, besides: ["act"])
    }

    /// - Parameter besides: what may stand there beside the act's own members.
    init(_ kind: Kind, _ json: JSON, at pointer: JSONPointer = .root, besides: [String]) throws(ConfigurationError) {
        let members = try Members(json, at: pointer, known: besides + kind.members)
        self.kind = kind
        self.json = Self.own(kind.rawValue, kind.members, of: members)
        if kind == .say { try members.checkSaying() }
    }

    /// No act is about a message of its own.
    mutating func concern(_ sequence: Int) {}
}

/// A vendor's admin operations: its agents' acts, the reading of a conversation, and what else it has.
public enum DeskOperation<Act: ActKind, Own>: RawRepresentable, CaseIterable, Sendable
where Own: RawRepresentable<String>, Own: CaseIterable, Own: Sendable {
    case act(Act)
    case readConversation
    case own(Own)

    public static var allCases: [Self] { Act.allCases.map(Self.act) + [.readConversation] + Own.allCases.map(Self.own) }

    public init?(rawValue: String) {
        if let act = Act(rawValue: rawValue) {
            self = .act(act)
        } else if let own = Own(rawValue: rawValue) {
            self = .own(own)
        } else if rawValue == "readConversation" {
            self = .readConversation
        } else {
            return nil
        }
    }

    public var rawValue: String {
        switch self {
        case .act(let act): act.rawValue
        case .readConversation: "readConversation"
        case .own(let own): own.rawValue
        }
    }
}

import SparringJSON
import SparringVendorKit

extension LivePerson {
    /// What agents do in a conversation.
    enum Act: String, ActKind {
        case join, leave, say, card, file, form
        case typing, pause, active, inactive, gone
        case accept, read, transfer, close

        static let echo: JSON = [
            ["on": "opened", "do": ["act": "join"]], ["on": "content", "do": ["act": "accept"]], ["do": ["act": "read"]],
            ["on": "text", "do": ["act": "say", "text": "{{text}}"]],
        ]

        var messages: String? { [.accept, .read].contains(self) ? "sequenceList" : nil }

        /// The chat state that it is (LivePerson reference 5.11); nil where it is none.
        var chatState: String? {
            switch self {
            case .typing: "COMPOSING"
            case .pause, .active, .inactive, .gone: rawValue.uppercased()
            default: nil
            }
        }
    }
}

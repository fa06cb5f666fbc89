import SparringJSON
import SparringVendorKit

extension ASAPP {
    /// What agents do in a conversation.
    enum Act: String, ActKind {
        case join, leave, say, transfer, close

        static let echo: JSON = [["on": "opened", "do": ["act": "join"]], ["on": "text", "do": ["act": "say", "text": "{{text}}"]]]
    }
}

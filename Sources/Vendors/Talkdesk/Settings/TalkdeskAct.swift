import SparringJSON
import SparringVendorKit

extension Talkdesk {
    /// What agents do in an interaction.
    enum Act: String, ActKind {
        case join, say, close

        static let echo: JSON = [["on": "opened", "do": ["act": "join"]], ["on": "text", "do": ["act": "say", "text": "{{text}}"]]]
    }
}

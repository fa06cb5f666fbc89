import SparringJSON
import SparringVendorKit

extension Khoros {
    /// What the business does in a conversation.
    enum Act: String, ActKind {
        case say, card, file
        case typing, pause, read
        case open, close

        static let echo: JSON = [["on": "content", "do": ["act": "read"]], ["on": "text", "do": ["act": "say", "text": "{{text}}"]]]

        func check(_ act: JSON, at pointer: JSONPointer) throws(ConfigurationError) {
            if self == .file { try Self.checkFile(act, at: pointer) }
        }
    }
}

import SparringJSON
import SparringVendorKit

extension CXone {
    /// What agents do in a contact.
    enum Act: String, ActKind {
        case join, leave, say, card, file
        case typing, pause, read, transfer, close
        case setStatus, setQueuePosition

        static let echo: JSON = [
            ["on": "opened", "do": ["act": "join"]], ["on": "content", "do": ["act": "read"]],
            ["on": "text", "do": ["act": "say", "text": "{{text}}"]],
        ]

        func check(_ act: JSON, at pointer: JSONPointer) throws(ConfigurationError) {
            switch self {
            case .file: try Self.checkFile(act, at: pointer)
            case .transfer:
                guard (act["agentTo"] == nil) != (act["queue"] == nil) else {
                    throw ConfigurationError(
                        pointer.appending("agentTo"), "to whom is missing: either an agent ('agentTo') or a queue ('queue')")
                }
            case .join, .leave, .say, .card, .typing, .pause, .read, .close, .setStatus, .setQueuePosition: break
            }
        }
    }
}

import SparringVendorKit

extension ASAPP {
    /// Somebody who takes conversations: the company's member `agents`.
    struct Agent: Decodable, DeskAgent {
        var id: String
        private var givenName: String?
        /// The agent's unprompted acts; nil: none.
        var script: AgentScript<Act>?

        private enum CodingKeys: String, CodingKey {
            case id, givenName = "name", script
        }

        var key: String { id }
        var name: String { givenName ?? id }
    }

    /// The acts of agents in a conversation.
    enum Act: String, ActKind {
        case join, leave, say, transfer, close

        static let echo: JSON = [["on": "opened", "do": ["act": "join"]], ["on": "text", "do": ["act": "say", "text": "{{text}}"]]]
    }
}

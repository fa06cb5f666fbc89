import SparringVendorKit

extension Talkdesk {
    /// Somebody who takes interactions: the account's member `agents`.
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

        var json: JSON { ["id": .string(id), "nickname": .string(name)] }
    }

    /// The acts of agents in an interaction.
    enum Act: String, ActKind {
        case join, say, close

        static let echo: JSON = [["on": "opened", "do": ["act": "join"]], ["on": "text", "do": ["act": "say", "text": "{{text}}"]]]
    }
}

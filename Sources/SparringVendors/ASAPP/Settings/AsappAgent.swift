import SparringJSON

extension ASAPP {
    /// Somebody who takes conversations: the company's member `agents`.
    struct Agent: Decodable, NamedAgent {
        var id: String
        private var givenName: String?
        /// What the agent does unprompted; nil: nothing.
        var script: AgentScript<DeskAct<Act>>?

        private enum CodingKeys: String, CodingKey {
            case id, givenName = "name", script
        }

        var name: String { givenName ?? id }

        /// As the admin API shows them.
        var json: JSON { ["userId": .string(id), "nickname": .string(name)] }

        var names: [String] { [id, name] }
    }
}

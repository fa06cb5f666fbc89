import SparringVendorKit

extension Khoros {
    /// Somebody who writes for the business: the app's member `agents`.
    struct Agent: Decodable, DeskAgent {
        /// `authorId` of what they write.
        var id: String
        private var givenName: String?
        private var givenAvatarURL: String?
        /// The agent's unprompted acts; nil: none.
        var script: AgentScript<Act>?

        private enum CodingKeys: String, CodingKey {
            case id, givenName = "name", givenAvatarURL = "avatarUrl", script
        }

        var key: String { id }
        var name: String { givenName ?? id }

        var avatarURL: String { givenAvatarURL ?? "https://brand.example/\(id).png" }
    }

    /// The acts of the business in a conversation.
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

import SparringVendorKit

extension CXone {
    /// One of a brand's agents: the brand's member `agents`, which are users in CXone's words.
    struct Agent: Decodable, DeskAgent {
        var id: Int64
        private var firstName: String
        private var givenSurname: String?
        private var givenNickname: String?
        private var givenLogin: String?
        private var givenAddress: String?
        private var givenImage: String?
        private var isBot: Bool
        /// The agent's unprompted acts; nil: none.
        var script: AgentScript<Act>?

        private enum CodingKeys: String, CodingKey {
            case id, firstName, givenSurname = "surname", givenNickname = "nickname", givenLogin = "loginUsername"
            case givenAddress = "emailAddress", givenImage = "imageUrl", isBot = "isBotUser", script
        }

        private var surname: String { givenSurname ?? String(id) }
        private var nickname: String { givenNickname ?? "" }
        private var emailAddress: String { givenAddress ?? "\(loginUsername)@brand.example" }
        private var imageURL: String { givenImage ?? "https://brand.example/\(loginUsername).png" }
        var loginUsername: String { givenLogin ?? "agent-\(id)" }

        var key: String { String(id) }
        var name: String { nickname.isEmpty ? "\(firstName) \(surname)" : nickname }

        func names(in tenant: String) -> [String] { [key, loginUsername, emailAddress] }

        /// The agent as clients see them (CXone reference 7.5). Without personal information it lacks what the real server drops, so
        /// that mobile clients cannot read it.
        func json(hidingPersonalInformation isHidden: Bool) -> JSON {
            var json: JSON = [
                "id": .integer(id), "firstName": .string(firstName), "surname": .string(surname), "nickname": .string(nickname),
                "imageUrl": .string(imageURL), "publicImageUrl": .string(imageURL),
            ]
            if isHidden { return json }
            json["emailAddress"] = .string(emailAddress)
            json["loginUsername"] = .string(loginUsername)
            json["isBotUser"] = .bool(isBot)
            json["isSurveyUser"] = false
            return json
        }
    }

    /// The acts of agents in a contact.
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

import SparringVendorKit

/// An interaction between a person and an agent (Talkdesk reference 3.5; assumed).
struct Interaction: Sendable {
    enum Status: String, Sendable {
        case started, connected, ended
    }

    var account: String
    var id: String
    /// Whom the token was issued for that began it.
    var person: String
    /// In the order of beginning.
    var number = 0
    var app: String
    var intention: String
    var metadata: JSON?
    var status = Status.started
    /// Why it has ended.
    var reason: String?
    /// The agent who has joined.
    var agent: String?
    var created: Timestamp
    var updated: Timestamp
    var ended: Timestamp?
}

/// Something that was said in an interaction.
struct InteractionMessage: Sendable {
    enum Author: String, Sendable {
        case person, agent
    }

    var id: String
    /// In its interaction, from 1.
    var number = 0
    var author: Author
    /// The person, or the agent's name.
    var name: String
    var text: String
    var created: Timestamp

    var json: JSON {
        ["id": .string(id), "author": .string(author.rawValue), "text": .string(text), "created_at": .string(created.description)]
    }
}

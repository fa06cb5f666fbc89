import SparringVendorKit

/// An occurrence in an interaction: an act of the person's app or of an agent, or work that fell due.
struct Talking: Occurrence {
    let db: Database
    let occasion: Occasion
    var interaction: Interaction
    var scriptDepth = 0

    var settings: Talkdesk.Settings { tenant.settings(of: Talkdesk.self) }

    init(_ interaction: Interaction, _ occasion: Occasion, _ db: Database) {
        (self.interaction, self.occasion, self.db) = (interaction, occasion, db)
    }

    /// - Parameter name: of the person, or of the agent.
    mutating func say(_ text: String, by author: InteractionMessage.Author, _ name: String) throws -> InteractionMessage {
        var message = InteractionMessage(id: draw("message").plainHex, author: author, name: name, text: text, created: now)
        message.number = try InteractionState.add(message, to: interaction, sandbox.id, db)
        interaction.updated = now
        try InteractionState.update(interaction, sandbox.id, db)
        return message
    }

    mutating func join(_ agent: Talkdesk.Agent) throws {
        interaction.status = .connected
        interaction.agent = agent.id
        interaction.updated = now
        try InteractionState.update(interaction, sandbox.id, db)
    }

    mutating func end(_ reason: String) throws {
        interaction.status = .ended
        interaction.reason = reason
        (interaction.updated, interaction.ended) = (now, now)
        try InteractionState.update(interaction, sandbox.id, db)
    }
}

extension Draw {
    /// The draw in the form of Talkdesk's ids.
    var plainHex: String { String(hex.prefix(32)) }
}

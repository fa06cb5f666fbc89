import SparringVendorKit

extension TalkdeskTokenState.Subject: DeskConsumer {
    var id: String { name }
    var isAnonymous: Bool { false }
    var signOuts: Int { 0 }
}

extension Interaction: DeskConversation {
    static let noun = "interaction"

    var consumer: String { person }
    var started: Timestamp { created }
}

/// People, their interactions, and the account's agents as the admin API has them.
extension Talkdesk {
    static let tenantNoun = "account"

    func consumers(of tenant: Tenant, _ db: Database) throws -> [TalkdeskTokenState.Subject] {
        try TalkdeskTokenState.subjects(of: tenant.id, tenant.sandbox, db)
    }

    func consumer(called name: String, of tenant: Tenant, _ db: Database) throws -> TalkdeskTokenState.Subject? {
        try consumers(of: tenant, db).first { $0.name.isSame(as: name) }
    }

    func conversations(of tenant: Tenant, _ db: Database) throws -> [Interaction] {
        try InteractionState.interactions(of: tenant.id, tenant.sandbox, db)
    }

    func conversation(_ id: String, of tenant: Tenant, _ db: Database) throws -> Interaction? {
        try InteractionState.interaction(id, of: tenant.id, tenant.sandbox, db)
    }

    /// Most tests have one interaction at a time.
    func meant(among all: [Interaction]) -> Interaction? { current(among: all) }

    func hand(
        for consumer: TalkdeskTokenState.Subject, in interaction: Interaction, _ occasion: Occasion, _ db: Database
    ) -> Talking { Talking(interaction, occasion, db) }

    func members(
        of interaction: Interaction, _ consumer: TalkdeskTokenState.Subject?, _ tenant: Tenant, _ db: Database
    ) throws -> JSON {
        let agent = tenant.settings(of: Talkdesk.self).agents.first { $0.id == interaction.agent }
        return .members([
            "account": .string(interaction.account), "app": .string(interaction.app), "intention": .string(interaction.intention),
            "metadata": interaction.metadata, "status": .string(interaction.status.rawValue),
            "reason": interaction.reason.map { .string($0) }, "agent": agent?.json,
        ])
    }

    func said(
        in interaction: Interaction, _ consumer: TalkdeskTokenState.Subject?, _ tenant: Tenant, _ db: Database
    ) throws -> JSON {
        let messages = try InteractionState.messages(of: interaction, tenant.sandbox, db).map { message -> JSON in
            [
                "sequence": .integer(Int64(message.number)), "time": .string(message.created.description),
                "from": .string(message.name), "author": .string(message.author.rawValue), "id": .string(message.id),
                "text": .string(message.text),
            ]
        }
        return ["messages": .array(messages)]
    }
}

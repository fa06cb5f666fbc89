import SparringVendorKit

/// The engagement that a consumer is shown, or the conversation that is open (LivePerson reference 9.1).
extension LivePerson {
    /// A consumer's open conversation, and where it began.
    struct OpenConversation: Sendable {
        var id: String
        var campaign: String?
        var engagement: String?
    }

    /// The open conversation of the consumer that the call names, which is shown in place of an engagement (LivePerson reference 9.1).
    func openConversation(of report: VisitorReport, _ call: Call, _ db: Database) throws -> OpenConversation? {
        for consumer in try consumers(of: report, call, db) {
            if let open = try ConversationState.open(of: consumer, account: call.tenant.id, sandbox: call.sandbox.id, db) {
                return OpenConversation(id: open.id, campaign: open.campaign, engagement: open.engagement)
            }
        }
        return nil
    }

    /// The ids that those whom the call names have at LivePerson, where they have signed in.
    func consumers(of report: VisitorReport, _ call: Call, _ db: Database) throws -> [String] {
        let settings = call.settings(of: self)
        func id(_ iss: String, _ sub: String) -> String { Draw(seed: call.sandbox.idSeed, "consumer", settings.accountId, iss, sub).hex }
        var possible: [String] = []
        // What the deprecated member holds is not said: the consumer's id at LivePerson, or at the brand.
        if let given = report.consumerId { possible += [given] + settings.trust.issuers.map { id($0.iss, given) } }
        for identity in report.identities {
            if identity.isAuthenticated {
                let trusted = identity.iss.map { issuers(called: $0, call) } ?? settings.trust.issuers
                possible += trusted.map { id($0.iss, identity.sub) }
            } else {
                // Whose JWT it is, that of the anonymous authorization or that of the sign-in with it, is not said.
                possible += [identity.sub, id(LivePersonToken.issuer, identity.sub)]
            }
        }
        return try possible.filter { try MonitoringState.hasSignedIn($0, call.sandbox.id, db) }
    }

    /// With the engagement where it began; where that is not known, the account's first.
    func detail(of conversation: OpenConversation, _ settings: LivePerson.Settings) -> JSON {
        let campaigns = settings.campaigns
        let campaign = conversation.campaign?.integer(in: LivePerson.Campaign.ids)
        let id = conversation.engagement?.integer(in: LivePerson.Campaign.ids)
        let began = campaign.flatMap { campaign in id.flatMap { campaigns.engagement($0, of: campaign) } }
        let further: JSON = ["conversationId": .string(conversation.id), "status": "conversation"]
        guard let engagement = began ?? campaigns.engagements.first else {
            // Nothing is known of where it began, yet clients read all of these as numbers.
            var detail: JSON = .members([
                "campaignId": .integer(campaign ?? 0), "engagementId": .integer(id ?? 0), "engagementRevision": 0,
                "connectorId": settings.connectors.first?.id ?? 0,
            ])
            for (name, value) in further.object ?? [:] { detail[name] = value }
            return detail
        }
        return detail(of: engagement, further, settings)
    }

    /// - Parameter further: the members that tell an engagement to show from an open conversation.
    func detail(of engagement: LivePerson.Engagement, _ further: JSON, _ settings: LivePerson.Settings) -> JSON {
        var detail: JSON = .members([
            "campaignId": .integer(engagement.campaign), "engagementId": .integer(engagement.id),
            "engagementRevision": .integer(engagement.revision),
            "connectorId": engagement.connectorId ?? settings.connectors.first?.id,
            "windowId": .string(engagement.windowId), "language": .string(engagement.language),
        ])
        for (name, value) in further.object ?? [:] { detail[name] = value }
        return detail
    }
}

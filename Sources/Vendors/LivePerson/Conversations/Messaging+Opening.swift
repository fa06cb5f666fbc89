import SparringVendorKit

/// Opening a conversation (LivePerson reference 5.7).
extension Messaging {
    struct Opened {
        var conversation: Conversation
        /// The journal's words for what was done.
        var words: String
        /// The findings about the request, which was met all the same.
        var findings: [Finding]
    }

    /// - Parameters:
    ///   - request: the body of a ConsumerRequestConversation, or of an AgentRequestConversation.
    ///   - clientProperties: what the client said that it is, if it did.
    ///   - agent: who takes part from the first; nil: nobody.
    func open(
        for consumer: String, _ request: JSON?, by clientProperties: JSON? = nil, with agent: Conversation.Participant? = nil
    ) throws -> Opened {
        let earlier = try Conversation.all(of: consumer, account: tenant.id, sandbox: sandbox.id, db)
        // Whether LivePerson allows a second open conversation is unknown (LivePerson reference 5.7): the account says.
        let open = earlier.filter { $0.state == "OPEN" }.map(\.id)
        if let first = open.first, !settings.messaging.allowsSecondConversation {
            throw Refusal("conversation-already-open", "conversation \(first) of \(consumer) is open")
        }
        let ttr = request?["ttrDefName"]?.string ?? "NORMAL"
        let beginning = try beginning(request)
        var context = request?["conversationContext"]
        // A context that comes without them has them where the client announced some (Messaging Agent SDK, Events).
        if let clientProperties, context?.object != nil, context?["clientProperties"] == nil {
            context?["clientProperties"] = clientProperties
        }
        var conversation = Conversation(
            id: draw("conversation").uuid, account: tenant.id, consumer: consumer, skill: beginning.skill,
            ttr: ["ttrType": .string(ttr), "value": .integer(Self.ttrSeconds[ttr] ?? 3600)], context: context,
            campaign: request?["campaignInfo"]?["campaignId"]?.idText, engagement: request?["campaignInfo"]?["engagementId"]?.idText,
            isFirst: earlier.isEmpty, at: now)
        (conversation.language, conversation.survey) = (beginning.language, beginning.survey)
        if !settings.messaging.systemMessages.isEmpty { _ = conversation.add(controller, at: now) }
        if let agent { _ = conversation.add(agent, at: now) }
        try conversation.store(sandbox: sandbox.id, db)
        try notify(conversation, before: nil)
        let proactive = try sayProactive(in: conversation)
        try announce(.opened, in: conversation)
        try playScript(on: [.opened], in: conversation)
        let words =
            "conversation \(conversation.id)" + beginning.words + proactive
            + (open.isEmpty ? "" : "; open besides: \(open.joined(separator: ", "))")
        return Opened(conversation: conversation, words: words, findings: beginning.findings)
    }

    /// Proactive messages that the consumer was pushed are said, once the window is there to show them.
    ///
    /// - Returns: what was done, for the journal.
    func sayProactive(in conversation: Conversation) throws -> String {
        guard let main = conversation.dialogs.first else { return "" }
        let messages = try ProactiveState.take(for: conversation.consumer, at: now, sandbox.id, db)
        for message in messages {
            try say(
                ["type": "ContentEvent", "contentType": "text/plain", "message": .string(message.text)],
                by: Conversation.Participant(id: message.sender, role: controller.role), in: main, of: conversation)
        }
        return messages.isEmpty ? "" : ", with \(messages.count) proactive message\(messages.count == 1 ? "" : "s")"
    }

    /// Seconds within which an answer is promised; the numbers are an account's own at LivePerson.
    private static let ttrSeconds: [String: Int64] = ["URGENT": 600, "NORMAL": 3600, "PRIORITIZED": 1800]

    // MARK: Where it begins

    /// The parts of a conversation that come from the engagement at which it begins.
    private struct Beginning {
        var skill: String
        var language: String?
        var survey: String?
        var words = ""
        var findings: [Finding] = []
    }

    private func beginning(_ request: JSON?) throws -> Beginning {
        let context = request?["conversationContext"]
        let asked = request?["skillId"]?.idText.flatMap { $0 == MessagingTerms.anySkill ? nil : $0 }
        var beginning = Beginning(
            skill: asked ?? MessagingTerms.anySkill, language: context?["lang"]?.string, survey: settings.messaging.survey)
        let campaign = request?["campaignInfo"]?["campaignId"]?.idText
        guard let id = request?["campaignInfo"]?["engagementId"]?.idText else {
            if let campaign, campaign.integer(in: LivePerson.Campaign.ids).map(settings.campaigns.hasCampaign) != true {
                beginning.findings = [Self.unknown("campaignInfo names campaign \(campaign), which the account does not have")]
            }
            return beginning
        }
        guard let campaign else {
            beginning.findings = [
                Finding("engagement-without-campaign", at: Self.place, "campaignInfo names engagement \(id) without its campaign")
            ]
            return beginning
        }
        guard let number = id.integer(in: LivePerson.Campaign.ids), let ofCampaign = campaign.integer(in: LivePerson.Campaign.ids),
            let engagement = settings.campaigns.engagement(number, of: ofCampaign)
        else {
            let words = "campaignInfo names engagement \(id) of campaign \(campaign), which the account does not have"
            beginning.findings = [Self.unknown(words)]
            return beginning
        }
        beginning.skill = asked ?? engagement.skill ?? MessagingTerms.anySkill
        beginning.language = engagement.language
        beginning.survey = engagement.survey ?? settings.messaging.survey
        beginning.words =
            " at engagement \(id): skill \(beginning.skill), language \(engagement.language)"
            + (beginning.survey.map { ", survey \($0)" } ?? "")
        if let objection = try objection(to: engagement, context) { beginning.findings = [objection] }
        return beginning
    }

    /// The member that says at which engagement a conversation begins.
    private static let place = "body:/campaignInfo"

    private static func unknown(_ words: String) -> Finding { Finding("unknown-engagement", at: place, words) }

    /// Why the engagement is stale; nil where it was shown in the session that the context names, or where that names none.
    private func objection(to engagement: LivePerson.Engagement, _ context: JSON?) throws -> Finding? {
        guard let visitor = context?["visitorId"]?.idText, let id = context?["sessionId"]?.idText else { return nil }
        let session = MonitoringState.Session(visitor: visitor, id: id)
        let shown = try MonitoringState.Fetched.all(in: session, sandbox.id, db)
        let which = "engagement \(engagement.id) of campaign \(engagement.campaign)"
        let whose = "session \(id) of visitor \(visitor)"
        guard try session.isKnown(sandbox.id, seenAfter: now - settings.monitoring.sessionLifetime, db) else {
            return Finding(
                "unknown-session", at: "body:/conversationContext",
                "the context names \(whose), which the Monitoring API does not know or no longer knows")
        }
        let fitting = shown.filter { $0.campaign == engagement.campaign && $0.engagement == engagement.id }
        func stale(_ words: String) -> Finding { Finding("stale-engagement", at: Self.place, "\(which) \(words)") }
        guard let last = fitting.last else { return stale("was not given out in \(whose)") }
        let interaction = context?["interactionContextId"]?.idText
        guard let meant = interaction.map({ id in fitting.first { String($0.context) == id } }) ?? last else {
            return stale("was given out in \(whose) with contextId \(last.context), not \(interaction ?? "")")
        }
        guard meant.revision == engagement.revision else {
            return stale("was given out in \(whose) at revision \(meant.revision); it is at \(engagement.revision) now")
        }
        return nil
    }
}

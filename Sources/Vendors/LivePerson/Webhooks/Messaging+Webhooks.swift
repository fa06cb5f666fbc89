import SparringVendorKit

/// Notifying apps of what happens in conversations: every app of all conversations of the account (assumed).
extension Messaging {
    /// - Parameter change: as followers of the dialog get it.
    func tellApps(_ change: JSON, of conversation: Conversation) throws {
        guard let type = change["event"]?["type"]?.string,
            let event = WebhookSettings.Event(rawValue: "\(LivePerson.webhookEvents).\(type)")
        else { return }
        try tellApps(LivePerson.webhookEvents, event, change, of: conversation)
    }

    /// "It always carries the complete state of the corresponding conversation" (Webhooks, Events).
    func tellApps(of conversation: Conversation) throws {
        try tellApps(LivePerson.webhookConversations, .conversationChange, change("UPSERT", conversation), of: conversation)
    }

    private func tellApps(
        _ type: String, _ event: WebhookSettings.Event, _ change: JSON, of conversation: Conversation
    ) throws {
        for app in settings.appInstallations where app.webhooks.endpoints[event] != nil {
            let posted: JSON = [
                "kind": "notification", "body": ["sentTs": .integer(now.milliseconds), "changes": [change]], "type": .string(type),
            ]
            let notification = WebhookNotification(app: app.id, event: event, conversation: conversation.id, posted: posted, since: now)
            // Due at commit time, so that they go out in sequence.
            try sandbox.schedule(notification.item(due: sandbox.clock.now, causedBy: occasion.origin), db)
        }
    }
}

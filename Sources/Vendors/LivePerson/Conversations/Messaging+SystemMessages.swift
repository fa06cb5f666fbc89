import SparringVendorKit

/// The system's messages in a conversation (assumed; that a CONTROLLER takes part is LivePerson reference 5.16).
extension Messaging {
    /// The account's own bot.
    var controller: Conversation.Participant {
        Conversation.Participant(id: Draw(seed: sandbox.idSeed, "controller", tenant.id).uuid, role: "CONTROLLER")
    }

    /// Publishes the account's text for the event, in the conversation's language, from the controller in the main dialog; often nothing.
    func announce(_ event: SystemMessages.Event, in conversation: Conversation) throws {
        guard let text = settings.messaging.systemMessages.text(for: event, in: conversation.language),
            let main = conversation.dialogs.first
        else { return }
        try say(
            ["type": "ContentEvent", "contentType": "text/plain", "message": .string(text)], by: controller, in: main, of: conversation)
    }

    /// Publishes what nobody asked to have published.
    func say(
        _ event: JSON, metadata: JSON? = nil, by bot: Conversation.Participant, in dialog: Conversation.Dialog,
        of conversation: Conversation
    ) throws {
        do { _ = try publish(event, metadata: metadata, by: bot, in: dialog, of: conversation) } catch let refusal as Refusal {
            throw ToolError("\(bot.role) cannot publish: \(refusal.cause)")
        }
    }
}

import SparringVendorKit

/// Publishing in a dialog (LivePerson reference 5.11 and 5.12).
extension Messaging {
    struct Published {
        /// Nil for a chat state, which takes none (LivePerson reference 5.11).
        var sequence: Int?
        /// It is on its way to a device of the consumer's.
        var isPushed = false
        /// The journal's words for what was done.
        var words: String
    }

    /// Publishes an event to everybody who follows the dialog, and pushes what an agent says to a consumer who is not there.
    ///
    /// - Parameter clientProperties: what the originator's client said that it is, if it did.
    func publish(
        _ event: JSON, metadata: JSON? = nil, audience: String? = nil, by originator: Conversation.Participant,
        with clientProperties: JSON? = nil, in dialog: Conversation.Dialog, of conversation: Conversation
    ) throws -> Published {
        guard dialog.state == "OPEN" else {
            throw Refusal("dialog-closed", "dialog \(dialog.id) was closed by \(dialog.closedBy ?? "?")")
        }
        let isCounted = event["type"]?.string != "ChatStateEvent"
        let sequence = isCounted ? try Conversation.nextSequence(dialog: dialog.id, sandbox: sandbox.id, db) : nil
        let change: JSON = .members([
            "sequence": sequence.map { .integer(Int64($0)) }, "originatorClientProperties": clientProperties,
            "originatorId": .string(originator.id), "originatorMetadata": originator.metadata(clientProperties),
            "serverTimestamp": isCounted ? .integer(now.milliseconds) : nil, "event": event,
            "conversationId": .string(conversation.id), "dialogId": .string(dialog.id),
            "messageAudience": .string(audience ?? MessagingTerms.everybody), "metadata": metadata,
        ])
        if let sequence { try Conversation.keep(change, sequence: sequence, dialog: dialog.id, sandbox: sandbox.id, db) }
        var words =
            "\(event["type"]?.string ?? "event")\(sequence.map { " \($0)" } ?? "") in dialog \(dialog.id)"
            + (event["message"]?.string.map { ": \($0.prefix(60))" } ?? "")
        try tellAgents(change, in: dialog, of: conversation)
        try tellApps(change, of: conversation)
        var isPushed = false
        if audience ?? MessagingTerms.everybody == MessagingTerms.everybody {
            let delivered = try tellConsumer(change, sequence, by: originator, in: dialog, of: conversation)
            isPushed = delivered.isPushed
            if !delivered.notes.isEmpty { words += " (\(delivered.notes.joined(separator: "; ")))" }
        }
        if dialog.type == Self.surveyDialog, originator.role == "CONSUMER", let taken = try takeAnswer(event, in: dialog, of: conversation)
        {
            words += "; " + taken
        }
        if originator.role == "CONSUMER" { try playScript(on: event, sequence, in: dialog, of: conversation) }
        return Published(sequence: sequence, isPushed: isPushed, words: words)
    }

    private func tellConsumer(
        _ change: JSON, _ sequence: Int?, by originator: Conversation.Participant, in dialog: Conversation.Dialog,
        of conversation: Conversation
    ) throws -> PusherState.Delivered {
        let sockets = sockets(of: conversation.consumer)
        let followers = sockets.filter { $0.session.dialogs.contains(dialog.id) }
        for (socket, _) in followers {
            try outbox.notify(LivePerson.eventsHappened, ["changes": [change]], to: socket)
        }
        let event = change["event"]
        // What the system says is no message of an agent's (assumed).
        guard let sequence, followers.isEmpty, originator.role != "CONSUMER", originator.role != controller.role,
            event?.isContent == true, dialog.type == "MAIN"
        else { return PusherState.Delivered() }
        // A socket that does not follow the dialog keeps pushes away, yet nothing has been received.
        try PusherState.missed(conversation.consumer, conversation: conversation.id, sequence: sequence, sandbox.id, db)
        let agent = settings.agents.first { $0.pid == originator.id }
        let message = PushMessage(
            conversation: conversation.id, dialog: dialog.id, originator: "\(tenant.id).\(agent?.userId ?? "0")",
            nickname: agent?.nickname ?? "Agent", text: Self.alert(event), sequence: sequence)
        return try PusherState.deliver(message, to: conversation.consumer, hasOpenSocket: !sockets.isEmpty, occasion, db)
    }

    /// The text that a push shows for content that is no text (assumed).
    private static func alert(_ event: JSON?) -> String {
        if event?["contentType"]?.string == MessagingTerms.secureInvitation { return "Sent a secure form" }
        return event?["message"]?.string ?? event?["message"]?["caption"]?.string
            ?? (event?["content"] == nil ? "Sent a file" : "Sent a card")
    }

    /// Sends a consumer's socket a dialog's events from a sequence on; what has been sent is read.
    func catchUp(_ socket: Socket, from sequence: Int, in dialog: Conversation.Dialog, of conversation: Conversation) throws {
        let events = try Conversation.events(dialog: dialog.id, from: sequence, sandbox: sandbox.id, db)
            .filter(MessagingTerms.isForEverybody)
        try outbox.notify(
            LivePerson.eventsHappened, ["changes": .array(events)], to: socket,
            cause: "\(events.count) events of dialog \(dialog.id) from sequence \(sequence) on")
        if dialog.type == "MAIN", let last = events.last?["sequence"]?.integer(in: MessagingTerms.sequences) {
            try PusherState.received(conversation.consumer, conversation: conversation.id, upTo: last, sandbox.id, db)
        }
    }
}

import SparringVendorKit

/// Handlers of the tag "Messaging" (LivePerson reference 5.10 to 5.12).
extension LivePerson {
    static let eventsHappened = "eventsPublished"

    func subscribeEvents(_ db: Database, _ call: Call) throws -> Decision {
        let (known, socket) = try consumerSession(of: call)
        let body = call.body?["body"]
        let messaging = Messaging(call.occasion, db)
        let (conversation, dialog) = try messaging.dialog(body?["dialogId"]?.idText ?? "", of: known.consumer)
        if dialog.type == "MAIN", dialog.state == "OPEN" { _ = try messaging.sayProactive(in: conversation) }
        var session = known
        session.dialogs.insert(dialog.id)
        socket.remember(ConsumerSession.key, session)
        try messaging.catchUp(socket, from: body?["fromSeq"]?.integer(in: MessagingTerms.sequences) ?? 0, in: dialog, of: conversation)
        return .answer(reply("events-subscribed", body: [:], call))
    }

    func publishEvent(_ db: Database, _ call: Call) throws -> Decision {
        let session = try consumerSession(of: call).session
        let body = call.body?["body"]
        let messaging = Messaging(call.occasion, db)
        let (conversation, dialog) = try messaging.dialog(body?["dialogId"]?.idText ?? "", of: session.consumer)
        let published = try messaging.publish(
            body?["event"] ?? [:], metadata: call.body?["metadata"], by: session.participant, with: session.clientProperties,
            in: dialog, of: conversation)
        return .answer(reply("event-published", body: ["sequence": .integer(Int64(published.sequence ?? 0))], call, cause: published.words))
    }
}

import SparringVendorKit

/// Handlers of the tag "AgentMessaging" (LivePerson reference 7).
extension LivePerson {
    static let agentEventDistributed = "agentEventDistributed"
    static let agentEventsPublished = "agentEventsPublished"

    func agentPublishEvent(_ db: Database, _ call: Call) throws -> Decision {
        let session = try agentSession(of: call).session
        let body = call.body?["body"]
        let messaging = Messaging(call.occasion, db)
        let (conversation, dialog) = try messaging.dialog(body?["dialogId"]?.idText ?? "")
        guard let originator = session.participant(in: conversation, dialog: dialog) else {
            throw Refusal("agent-not-in-conversation", "\(session.agent.nickname) takes no part in dialog \(dialog.id)")
        }
        let published = try messaging.publish(
            body?["event"] ?? [:], metadata: call.body?["metadata"], audience: body?["messageAudience"]?.string, by: originator,
            in: dialog, of: conversation)
        return .answer(
            reply("agent-event-published", body: ["sequence": .integer(Int64(published.sequence ?? 0))], call, cause: published.words))
    }

    /// node-agent-sdk asks for all of a dialog with newerThanSequence 0, so that number 0 must be among what is newer.
    func agentQueryMessages(_ db: Database, _ call: Call) throws -> Decision {
        _ = try agentSession(of: call)
        let body = call.body?["body"]
        let messaging = Messaging(call.occasion, db)
        let (_, dialog) = try messaging.dialog(body?["dialogId"]?.idText ?? "")
        func number(_ name: String) -> Int? {
            let given = body?[name]
            let range = -1...MessagingTerms.sequences.upperBound
            return given?.integer(in: range) ?? given?.string?.integer(in: range)
        }
        var events = try Conversation.events(
            dialog: dialog.id, from: number("fromSeq") ?? number("newerThanSequence") ?? 0, sandbox: call.sandbox.id, db)
        if let older = number("olderThanSequence") { events.removeAll { $0["sequence"]?.integer(in: 0...Int.max) ?? 0 >= older } }
        // The last ones: a client asks for them from the end backwards.
        if let most = number("maxQuantity"), most >= 0 { events = events.suffix(most) }
        return .answer(reply("agent-messages-told", body: .array(events.map(messaging.agentForm)), call, cause: "\(events.count) events"))
    }
}

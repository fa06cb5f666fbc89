import GRDB
import SparringEngine
import SparringJSON
import SparringJournal

/// Behaviours of the tag "Messaging" (reference 5.10 to 5.12).
extension LivePerson {
    func subscribeEvents(_ db: Database, _ call: Call) throws -> Outcome {
        try asConsumer(call) { session, socket in
            let body = call.body?["body"]
            let id = body?["dialogId"]?.idText ?? ""
            guard let conversation = try Conversation.of(dialog: id, sandbox: call.sandbox.id, db),
                conversation.consumer == session.consumer
            else { return .refusal(Refusal("dialog-unknown", "\(session.consumer) has no dialog '\(id)'")) }
            var session = session
            session.dialogs.insert(id)
            socket.remember(ConsumerSession.key, session)
            let from = Int(body?["fromSeq"]?.integer ?? 0)
            let events = try Conversation.events(dialog: id, from: from, sandbox: call.sandbox.id, db)
            try call.outbox.send(
                Self.eventsHappened, Self.notification(Self.eventsHappened, ["changes": .array(events)], socket), to: socket,
                cause: "\(events.count) events of dialog \(id) from sequence \(from) on")
            return .answer(reply("events-subscribed", body: [:], call))
        }
    }

    static let eventsHappened = "eventsPublished"

    func publishEvent(_ db: Database, _ call: Call) throws -> Outcome {
        try asConsumer(call) { session, _ in
            let body = call.body?["body"]
            let id = body?["dialogId"]?.idText ?? ""
            guard let conversation = try Conversation.of(dialog: id, sandbox: call.sandbox.id, db),
                conversation.consumer == session.consumer, let dialog = conversation.dialogs.first(where: { $0.id == id })
            else { return .refusal(Refusal("dialog-unknown", "\(session.consumer) has no dialog '\(id)'")) }
            guard dialog.state == "OPEN" else {
                return .refusal(Refusal("dialog-closed", "dialog \(id) was closed by \(dialog.closedBy ?? "?")"))
            }
            let event = body?["event"] ?? [:]
            let sequence = try publish(
                event, metadata: call.body?["metadata"], by: Conversation.Participant(id: session.consumer, role: "CONSUMER"), in: id,
                conversation, call, db)
            let what = event["message"]?.string.map { ": \($0.prefix(60))" } ?? ""
            return .answer(
                reply(
                    "event-published", body: ["sequence": .integer(Int64(sequence ?? 0))], call,
                    cause: "\(event["type"]?.string ?? "event")\(sequence.map { " \($0)" } ?? "") in dialog \(id)\(what)"))
        }
    }

    /// Publishes an event of a participant to everybody subscribed to the dialog.
    ///
    /// - Returns: its sequence; nil for a chat state, which takes none (reference 5.11).
    func publish(
        _ event: JSON, metadata: JSON?, by originator: Conversation.Participant, in dialog: String, _ conversation: Conversation,
        _ call: Call, _ db: Database
    ) throws -> Int? {
        let isCounted = event["type"]?.string != "ChatStateEvent"
        let sequence = isCounted ? try Conversation.takeSequence(dialog: dialog, sandbox: call.sandbox.id, db) : nil
        let change: JSON = .members([
            "sequence": sequence.map { .integer(Int64($0)) }, "originatorId": .string(originator.id),
            "originatorMetadata": ["id": .string(originator.id), "role": .string(originator.role)],
            "serverTimestamp": isCounted ? .integer(call.now.milliseconds) : nil, "event": event,
            "conversationId": .string(conversation.id), "dialogId": .string(dialog), "messageAudience": "ALL", "metadata": metadata,
        ])
        if let sequence { try Conversation.keep(change, sequence: sequence, dialog: dialog, sandbox: call.sandbox.id, db) }
        for socket in call.sockets where socket.tenant.id == call.tenant.id {
            guard let session = socket.session, session.dialogs.contains(dialog) else { continue }
            try call.outbox.send(
                Self.eventsHappened, Self.notification(Self.eventsHappened, ["changes": [change]], socket), to: socket)
        }
        return sequence
    }
}

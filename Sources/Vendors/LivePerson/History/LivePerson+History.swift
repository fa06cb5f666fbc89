import SparringVendorKit

/// Handlers of the tag "History": a consumer's past conversations (service msgHist).
extension LivePerson {
    func searchConversationMetadata(_ db: Database, _ call: Call, _ bearer: LivePersonToken.Bearer) throws -> Decision {
        let query = try HistoryQuery(call)
        let all = try Conversation.all(of: bearer.consumer, account: call.tenant.id, sandbox: call.sandbox.id, db)
        let fitting = query.fitting(all)
        return .answer(
            "conversation-metadata",
            [
                "_responseMetadata": [
                    "count": .integer(Int64(fitting.count)), "self": query.link(call), "shardsStatusResult": ["partialResult": false],
                ], "conversationHistoryMetadataRecords": .array(query.page(fitting).map(\.historyRecord)),
            ])
    }

    /// The events that the consumer may see, of all dialogs, in the order in which they happened. A conversation that is still open is answered
    /// like any other (assumed).
    func readConversationContent(_ db: Database, _ call: Call, _ bearer: LivePersonToken.Bearer) throws -> Decision {
        let conversation = try Messaging(call.occasion, db).conversation(call.query("conversationId") ?? "", of: bearer.consumer)
        let events = try conversation.dialogs.flatMap { dialog in
            try Conversation.events(dialog: dialog.id, from: 0, sandbox: call.sandbox.id, db)
        }
        let shown = events.filter(MessagingTerms.isForEverybody)
        return .answer("conversation-content", ["messageEventRecords": .array(shown.map(Conversation.historyRecord))])
    }
}

extension Conversation {
    /// One of `conversationHistoryMetadataRecords`.
    fileprivate var historyRecord: JSON {
        .members([
            "convId": .string(id),
            "participants": .array((dialogs.first?.participants ?? []).map { Self.view($0) }),
            "state": .string(state), "startTs": .integer(started.milliseconds), "endTs": ended.map { .integer($0.milliseconds) },
            "csat": csat,
        ])
    }

    /// One of `messageEventRecords`, from the change as the socket was sent it. Sequences number what has content; a rich content is a string of
    /// JSON here.
    fileprivate static func historyRecord(_ change: JSON) -> JSON {
        var event = SecureForm.historyForm(of: change["event"] ?? [:])
        if let content = event["content"] { event["content"] = .string(content.text) }
        return .members([
            "sequence": event["type"] == "AcceptStatusEvent" ? nil : change["sequence"], "originatorId": change["originatorId"],
            "serverTimestamp": change["serverTimestamp"], "event": event,
        ])
    }
}

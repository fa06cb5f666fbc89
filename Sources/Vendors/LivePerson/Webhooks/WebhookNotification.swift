import SparringVendorKit

/// A notification that is posted to one app about an event in one conversation.
struct WebhookNotification: Sendable {
    static let kind = "webhook"
    /// "Between each attempt, Webhooks will wait for 30 seconds" (Webhooks, Retry Policy).
    static let interval = Duration.seconds(30)

    /// The app installation's id.
    var app: String
    var event: WebhookSettings.Event
    var conversation: String
    var posted: JSON
    /// When it happened.
    var since: Timestamp
    /// 1: the first.
    var attempt = 1
}

extension WebhookNotification {
    init?(_ body: JSON) {
        guard let app = body["app"]?.string, let event = body["event"]?.string.flatMap(WebhookSettings.Event.init(rawValue:)),
            let conversation = body["conversation"]?.string, let since = body["since"]?.integer
        else { return nil }
        self.init(app: app, event: event, conversation: conversation, posted: body["posted"] ?? [:], since: Timestamp(milliseconds: since))
        attempt = body["attempt"]?.integer(in: 1...Int.max) ?? 1
    }

    var json: JSON {
        [
            "app": .string(app), "event": .string(event.rawValue), "conversation": .string(conversation), "posted": posted,
            "since": .integer(since.milliseconds), "attempt": .integer(Int64(attempt)),
        ]
    }

    var words: String { "\(event.rawValue) of conversation \(conversation) to app installation \(app)" }

    func item(due: Timestamp, causedBy: JournalEntry.Origin?) -> DueItem {
        DueItem(
            due: due, vendor: LivePerson.vendorName, kind: Self.kind, what: "\(words), attempt \(attempt)",
            lane: WebhookBacklog(app: app, conversation: conversation).lane,
            key: conversation, body: json, causedBy: causedBy)
    }
}

import SparringVendorKit

/// Notifications of one conversation that an app with a retention time has not taken yet, in the order in which they are to reach it ("retry
/// based on time to live guarantees the order of events within conversations", Webhooks, Retry Policy). LivePerson holds back all of the app's
/// conversations while one of its endpoints fails; here each conversation waits for itself alone.
struct WebhookBacklog: Sendable {
    static let kind = "webhookBacklog"
    /// "The maximum gap between two consecutive retries is 5 minutes."
    private static let longestWait = 300

    var app: String
    var conversation: String
    /// How often it has failed in a row.
    var failures = 1

    init(app: String, conversation: String) { (self.app, self.conversation) = (app, conversation) }

    init?(_ body: JSON) {
        guard let app = body["app"]?.string, let conversation = body["conversation"]?.string else { return nil }
        self.init(app: app, conversation: conversation)
        failures = body["failures"]?.integer(in: 0...Int.max) ?? 0
    }

    /// "The first retry attempt is made after 2 seconds, the second after 4 and the third after 8."
    var wait: Duration { failures == 0 ? .zero : .seconds(min(Self.longestWait, 1 << min(failures, 9))) }

    /// One app's notifications of a conversation are sent one after the other; nothing else waits for them.
    var lane: String { "webhooks of \(app), conversation \(conversation)" }

    var key: String { "backlog of \(app), conversation \(conversation)" }

    func item(at now: Timestamp, causedBy: JournalEntry.Origin?) -> DueItem {
        DueItem(
            due: now + wait, vendor: LivePerson.vendorName, kind: Self.kind,
            what: "backlog of conversation \(conversation) for app installation \(app)", lane: lane, key: key,
            body: ["app": .string(app), "conversation": .string(conversation), "failures": .integer(Int64(failures))], causedBy: causedBy)
    }
}

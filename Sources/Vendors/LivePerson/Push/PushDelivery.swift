import SparringVendorKit

/// From a message to the devices: who is to get a push, and what becomes of each attempt.
extension PusherState {
    /// The outcome for a message that is to be pushed.
    struct Delivered: Sendable {
        /// At least one push is on its way.
        var isPushed = false
        /// Notes on what was done and what was not, in words.
        var notes: [String] = []
    }

    /// Counts a message as unread and has it pushed to the consumer's devices, one push for each; inside the savepoint of what published it.
    ///
    /// - Parameter hasOpenSocket: then the message arrives that way, and nothing is counted or pushed.
    @discardableResult
    static func deliver(
        _ message: PushMessage, to consumer: String, hasOpenSocket: Bool = false, _ occasion: Occasion, _ db: Database
    ) throws -> Delivered {
        if hasOpenSocket, !message.service.isProactive { return Delivered(notes: ["the consumer's socket is open: no push"]) }
        let sandbox = occasion.sandbox.id
        if !message.service.isProactive {
            try missed(consumer, conversation: message.conversation, sequence: message.sequence, sandbox, db)
        }
        let unread = try unread(consumer, sandbox, db).reduce(0) { $0 + $1.count }
        // A proactive message is in no conversation yet, so it counts in its own badge only (assumed).
        let badge = unread + (message.service.isProactive ? 1 : 0)
        let registrations = try registrations(of: consumer, sandbox, db)
        if registrations.isEmpty { return Delivered(notes: ["the consumer has no registered device: no push"]) }
        let settings = occasion.tenant.settings(of: LivePerson.self).push
        var delivered = Delivered()
        for registration in registrations {
            if registration.isOnlyProactive, !message.service.isProactive {
                delivered.notes.append("\(registration.app) was unregistered from agents' messages: no push")
                continue
            }
            guard let type = PushSettings.PushType(rawValue: registration.pushType) else { continue }
            if let objection = settings.objection(to: registration.app, registration.pushType) {
                delivered.notes.append("\(objection): no push")
                continue
            }
            let posted = PushPayload.proxyForm(
                message, account: occasion.tenant.id, pushType: type, device: registration.device, badge: badge)
            try occasion.sandbox.schedule(
                PushAttempt(registration: registration, posted: posted, number: 1)
                    .item(due: occasion.sandbox.clock.now, causedBy: occasion.origin), db)
            delivered.isPushed = true
            delivered.notes.append("push with badge \(badge) to device \(registration.device)")
        }
        return delivered
    }
}

/// One of the up to four attempts to have a push delivered.
struct PushAttempt: Sendable {
    static let kind = "push"
    /// LivePerson re-sends every 10 s, up to 4 attempts (LivePerson reference 8.4).
    static let limit = 4
    static let interval = Duration.seconds(10)

    var registration: String
    var consumer: String
    var subject: String
    var app: String
    var device: String
    var posted: JSON
    var number: Int

    init(registration: PusherState.Registration, posted: JSON, number: Int) {
        (self.registration, consumer, subject) = (registration.id, registration.consumer, registration.subject)
        (app, device) = (registration.app, registration.device)
        (self.posted, self.number) = (posted, number)
    }

    init(_ body: JSON) {
        func text(_ name: String) -> String { body[name]?.string ?? "" }
        (registration, consumer, subject) = (text("registration"), text("consumer"), text("subject"))
        (app, device, posted) = (text("app"), text("device"), body["posted"] ?? [:])
        number = body["attempt"]?.integer(in: 1...Self.limit) ?? 1
    }

    var isProactive: Bool { PushPayload.service(of: posted)?.isProactive ?? false }

    func item(due: Timestamp, causedBy: JournalEntry.Origin?) -> DueItem {
        DueItem(
            due: due, vendor: LivePerson.vendorName, kind: Self.kind, what: "push for \(subject) to device \(device), attempt \(number)",
            lane: device,
            key: registration,
            body: [
                "registration": .string(registration), "consumer": .string(consumer), "subject": .string(subject), "app": .string(app),
                "device": .string(device), "attempt": .integer(Int64(number)), "posted": posted,
            ], causedBy: causedBy)
    }
}

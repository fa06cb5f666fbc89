import SparringVendorKit

/// One conversation with its dialogs, as stored.
struct Conversation: Sendable {
    /// The seconds within which a consumer can be promised an answer: ten years at most.
    static let ttrSeconds = 0...Duration.longest.components.seconds
    /// Milliseconds since 1970 that an agent's request can name.
    static let times = 0...Timestamp.latest.milliseconds

    var id: String
    var account: String
    var consumer: String
    /// OPEN or CLOSE: that of the main dialog.
    var state = "OPEN"
    /// OPEN or CLOSE: that of the whole, a survey included.
    var stage = "OPEN"
    var skill: String
    var ttr: JSON
    var context: JSON?
    var campaign: String?
    var engagement: String?
    /// The language of system messages and the survey that follows: those of the engagement it began at, if any.
    var language: String?
    var survey: String?
    var isFirst: Bool
    var started: Timestamp
    var updated: Timestamp
    var ended: Timestamp?
    var closeReason: String?
    var csat: JSON?
    /// When an agent has said that the next answer is due, whatever `ttr` promises; nil: nobody has.
    var manualETTR: Timestamp?
    /// The agents' note on the conversation; nil: none.
    var note: String?
    /// In the order of opening; the first is the main one.
    var dialogs: [Dialog]

    struct Dialog: Sendable {
        var id: String
        var type: String
        var state = "OPEN"
        var started: Timestamp
        var ended: Timestamp?
        var closedBy: String?
        var closedCause: String?
        var participants: [Participant]

        /// The app installation whose bot asks in a survey (node-agent-sdk's survey bot reads it). That it has the bot's id is assumed.
        var surveyor: String? { type == Messaging.surveyDialog ? participants.first { $0.role == "AGENT" }?.id : nil }
    }

    struct Participant: Sendable, Equatable {
        var id: String
        var role: String
    }
}

extension Conversation {
    init(
        id: String, account: String, consumer: String, skill: String, ttr: JSON, context: JSON?, campaign: String?, engagement: String?,
        isFirst: Bool, at now: Timestamp
    ) {
        // The main dialog has the conversation's id (LivePerson reference 5.7).
        let main = Dialog(id: id, type: "MAIN", started: now, participants: [Participant(id: consumer, role: "CONSUMER")])
        self.init(
            id: id, account: account, consumer: consumer, skill: skill, ttr: ttr, context: context, campaign: campaign,
            engagement: engagement, isFirst: isFirst, started: now, updated: now, dialogs: [main])
    }

    /// An agent has taken it.
    var isAssigned: Bool { !assigned.isEmpty }
    /// UUIDs of the agents who are to answer; none where the conversation waits for one.
    var assigned: [String] { (dialogs.first?.participants ?? []).filter { $0.role == "ASSIGNED_AGENT" }.map(\.id) }
}

/// Changes.
extension Conversation {
    /// Closes one dialog; the main one closes the conversation's state, and the last one its stage.
    mutating func close(dialog id: String, by role: String, cause: String, at now: Timestamp) {
        guard let index = dialogs.firstIndex(where: { $0.id == id && $0.state == "OPEN" }) else { return }
        dialogs[index].state = "CLOSE"
        dialogs[index].ended = now
        dialogs[index].closedBy = role
        dialogs[index].closedCause = cause
        updated = now
        if dialogs[index].type == "MAIN" {
            state = "CLOSE"
            closeReason = role
        }
        if dialogs.allSatisfy({ $0.state == "CLOSE" }) {
            stage = "CLOSE"
            ended = now
        }
    }

    /// Adds somebody to the main dialog.
    ///
    /// - Returns: false where they took part in that role already.
    mutating func add(_ participant: Participant, at now: Timestamp) -> Bool {
        guard let main = dialogs.indices.first, !dialogs[main].participants.contains(participant) else { return false }
        dialogs[main].participants.append(participant)
        updated = now
        return true
    }

    /// - Returns: false where they did not take part in that role.
    @discardableResult
    mutating func remove(_ participant: Participant, at now: Timestamp) -> Bool {
        guard let main = dialogs.indices.first, dialogs[main].participants.contains(participant) else { return false }
        dialogs[main].participants.removeAll { $0 == participant }
        updated = now
        return true
    }

    mutating func closeAll(by role: String, cause: String, at now: Timestamp) {
        for dialog in dialogs { close(dialog: dialog.id, by: role, cause: cause, at: now) }
    }
}

import SparringVendorKit

/// Changing a conversation (LivePerson reference 5.13).
extension Messaging {
    struct Changed {
        var conversation: Conversation
        /// The journal's words for what was done.
        var words: String
        /// The main dialog was closed.
        var isResolved: Bool
    }

    /// Applies the elements of `conversationField`, all or none, and tells everybody subscribed.
    func change(_ conversation: Conversation, _ fields: [JSON], by actor: Conversation.Participant) throws -> Changed {
        var changed = conversation
        var done: [String] = []
        for field in fields { done.append(try apply(field, to: &changed, before: conversation, by: actor)) }
        let survey = try openSurvey(in: &changed, before: conversation, fields, by: actor)
        let isResolved = conversation.state == "OPEN" && changed.state == "CLOSE"
        if isResolved { try announce(.closed, in: conversation) }
        try changed.store(sandbox: sandbox.id, db)
        try notify(changed, before: conversation)
        if changed.isAssigned, !conversation.isAssigned { try announce(.assigned, in: changed) }
        try beginSurvey(of: changed, before: conversation)
        try playScript(from: conversation, to: changed)
        return Changed(
            conversation: changed,
            words: "\(done.joined(separator: ", ")) in conversation \(conversation.id)" + (survey.map { "; \($0)" } ?? ""),
            isResolved: isResolved)
    }

    /// - Returns: what was done, in words.
    private func apply(
        _ field: JSON, to conversation: inout Conversation, before: Conversation, by actor: Conversation.Participant
    ) throws(Refusal) -> String {
        let isConsumer = actor.role == "CONSUMER"
        let name = field["field"]?.string ?? ""
        switch name {
        case "ConversationStateField", "Stage": return try closeAll(field, name, in: &conversation, before: before, by: actor)
        case "DialogChange": return try closeDialog(field, in: &conversation, by: actor)
        case "TTRField":
            conversation.ttr = .members(["ttrType": field["ttrType"] ?? "NORMAL", "value": field["value"] ?? conversation.ttr["value"]])
            conversation.updated = now
            return "set ttr"
        case "CSATRate" where isConsumer:
            conversation.csat = .members([
                "csatRate": field["csatRate"], "csatResolutionConfirmation": field["csatResolutionConfirmation"], "status": field["status"],
            ])
            conversation.updated = now
            return Self.words(ofRating: field)
        case "ParticipantsChange" where !isConsumer: return try changeParticipants(field, in: &conversation, by: actor)
        case "Skill" where !isConsumer: return try handOver(field, in: &conversation)
        case "ManualETTR" where !isConsumer: return try setManualETTR(field, in: &conversation)
        case "Note" where !isConsumer: return try setNote(field, in: &conversation)
        default:
            throw Refusal("request-malformed", "\(isConsumer ? "a consumer" : "an agent") cannot change '\(name)'")
        }
    }

    /// The rating in words, for the journal: with the status SKIPPED, the consumer gave none, and with PARTIALLY_FILLED not all of it (LivePerson
    /// reference 5.13).
    private static func words(ofRating field: JSON) -> String {
        let status = field["status"]?.string
        guard status != "SKIPPED" else { return "skipped the rating" }
        let rate = field["csatRate"]?.integer.map { "rated with \($0)" } ?? "rated without a number"
        return status == "PARTIALLY_FILLED" ? rate + ", partially filled" : rate
    }

    // MARK: Closing

    private func closeAll(
        _ field: JSON, _ name: String, in conversation: inout Conversation, before: Conversation, by actor: Conversation.Participant
    ) throws(Refusal) -> String {
        guard field["conversationState"]?.string == "CLOSE" else {
            throw Refusal("request-malformed", "\(name) can only be set to CLOSE")
        }
        // Clients close state and stage in one request (the survey tutorial).
        guard before.stage == "OPEN" else { throw Refusal("conversation-closed", "the conversation is closed already") }
        conversation.closeAll(by: actor.closer, cause: "Closed by \(actor.closer.lowercased())", at: now)
        return "closed all"
    }

    private func closeDialog(
        _ field: JSON, in conversation: inout Conversation, by actor: Conversation.Participant
    ) throws(Refusal) -> String {
        let id = field["dialog"]?["dialogId"]?.idText ?? ""
        let state = field["dialog"]?["state"]?.string
        guard field["type"]?.string == "UPDATE", state == "CLOSE" || state == nil else {
            throw Refusal("request-malformed", "DialogChange has the type UPDATE, and state CLOSE if any")
        }
        guard let dialog = conversation.dialogs.first(where: { $0.id == id }) else {
            throw Refusal("dialog-unknown", "the conversation has no dialog '\(id)'")
        }
        // A survey bot updates a dialog for the sake of the request's metadata alone (survey-bot).
        guard state != nil else { return "updated dialog \(id)" }
        guard dialog.state == "OPEN" else { throw Refusal("dialog-closed", "dialog \(id) is closed already") }
        let cause = field["dialog"]?["closedCause"]?.string ?? "Closed by \(actor.closer.lowercased())"
        conversation.close(dialog: id, by: actor.closer, cause: cause, at: now)
        return "closed dialog \(id)"
    }

    // MARK: Who takes part

    private func changeParticipants(
        _ field: JSON, in conversation: inout Conversation, by actor: Conversation.Participant
    ) throws(Refusal) -> String {
        guard conversation.state == "OPEN" else { throw Refusal("conversation-closed", "the conversation is closed already") }
        let role = field["role"]?.string ?? ""
        guard MessagingTerms.agentRoles.contains(role) else {
            throw Refusal("request-malformed", "nobody can be made or unmade '\(role)' of a conversation")
        }
        let asked = field["userId"]?.idText ?? actor.id
        guard let agent = settings.agents.first(where: { $0.isCalled(asked, in: tenant.id) }) else {
            throw Refusal("participant-forbidden", "the account has no agent '\(asked)'")
        }
        let participant = Conversation.Participant(id: agent.pid, role: role)
        switch field["type"]?.string {
        case "ADD":
            guard conversation.add(participant, at: now) else { return "\(agent.nickname) is \(role) already" }
            return "\(agent.nickname) joined as \(role)"
        case "REMOVE":
            guard conversation.remove(participant, at: now) else { return "\(agent.nickname) was no \(role)" }
            return "\(agent.nickname) left as \(role)"
        case let other:
            throw Refusal("request-malformed", "ParticipantsChange can ADD and REMOVE, not '\(other ?? "")'")
        }
    }

    /// To the agents who have the skill: the agent who was assigned no longer is.
    private func handOver(_ field: JSON, in conversation: inout Conversation) throws(Refusal) -> String {
        guard conversation.state == "OPEN" else { throw Refusal("conversation-closed", "the conversation is closed already") }
        guard field["type"]?.string == "UPDATE", let skill = field["skill"]?.idText, !skill.isEmpty else {
            throw Refusal("request-malformed", "Skill can only be UPDATEd to a skill's id")
        }
        for participant in conversation.dialogs.first?.participants ?? [] where participant.role == "ASSIGNED_AGENT" {
            conversation.remove(participant, at: now)
        }
        conversation.skill = skill
        conversation.updated = now
        return "handed over to skill \(skill)"
    }

    // MARK: What agents set

    /// When the next answer is due, whatever `ttr` promises, until it is taken back with null (LivePerson's schema of
    /// ExConversationChangeNotification; setManualETTR and restoreManualETTR of node-agent-sdk's first client).
    private func setManualETTR(_ field: JSON, in conversation: inout Conversation) throws(Refusal) -> String {
        guard conversation.state == "OPEN" else { throw Refusal("conversation-closed", "the conversation is closed already") }
        if field["time"]?.isNull == true {
            conversation.manualETTR = nil
        } else {
            guard let time = field["time"]?.integer(in: Conversation.times) else {
                throw Refusal("request-malformed", "ManualETTR has a time in milliseconds, or null")
            }
            conversation.manualETTR = Timestamp(milliseconds: time)
        }
        conversation.updated = now
        return conversation.manualETTR.map { "set the manual ETTR to \($0)" } ?? "took the manual ETTR back"
    }

    /// An empty text takes the note away (assumed), whether the conversation is open or not.
    private func setNote(_ field: JSON, in conversation: inout Conversation) throws(Refusal) -> String {
        guard let note = field["note"]?.string else { throw Refusal("request-malformed", "Note has a note, which is a text") }
        conversation.note = note.isEmpty ? nil : note
        conversation.updated = now
        return note.isEmpty ? "took the note away" : "set the note"
    }

    // MARK: Telling

    /// Tells everybody subscribed: an UPSERT where the conversation fits, a DELETE where it did and does not any more.
    func notify(_ conversation: Conversation, before: Conversation?) throws {
        try tellAgents(of: conversation, before: before)
        try tellApps(of: conversation)
        for (socket, session) in sockets(of: conversation.consumer) {
            for (id, filter) in session.conversations {
                let kind = filter.fits(conversation) ? "UPSERT" : before.map(filter.fits) == true ? "DELETE" : nil
                guard let kind else { continue }
                try outbox.notify(
                    LivePerson.conversationsChanged, ["subscriptionId": .string(id), "changes": [try change(kind, conversation)]],
                    to: socket)
            }
        }
    }
}

extension Conversation.Participant {
    /// The participant as `closedBy` and `closeReason` call them (LivePerson reference 5.9).
    var closer: String { role == "CONSUMER" ? role : "AGENT" }
}

import SparringVendorKit

/// An agent's acts, no matter who has them done: a test by the admin API, or a script.
extension Messaging: DeskHand {
    func assigned(in conversation: Conversation) -> LivePerson.Agent? { settings.agents.first { conversation.assigned.contains($0.pid) } }

    func takes(_ agent: LivePerson.Agent, _ conversation: Conversation) -> Bool { agent.hasSkill(conversation.skill) }

    func lane(of conversation: Conversation) -> String { conversation.id }

    /// Does what an agent is asked to; who says something without having joined joins first.
    func perform(_ act: DeskAct<LivePerson.Act>, by agent: LivePerson.Agent, in conversation: Conversation) throws -> Acted<Conversation> {
        switch act.kind {
        case .join:
            let role = act.json["role"]?.string ?? role(of: agent, in: conversation)
            return try alter(conversation, [Self.joining(agent, as: role)], by: agent)
        case .leave:
            let roles = conversation.roles(of: agent)
            guard !roles.isEmpty else {
                throw Refusal("participant-unknown", "\(agent.nickname) does not take part in conversation \(conversation.id)")
            }
            return try alter(conversation, roles.map { Self.participation("REMOVE", agent, as: $0) }, by: agent)
        case .transfer:
            return try alter(conversation, [["field": "Skill", "type": "UPDATE", "skill": act.json["skill"] ?? ""]], by: agent)
        case .close: return try alter(conversation, [Self.closing(act, conversation)], by: agent)
        case .accept, .read: return try acknowledge(act, by: agent, in: conversation)
        case .form: return try say(try invitation(act, in: conversation), act, by: agent, in: conversation)
        case .say, .card, .file, .typing, .pause, .active, .inactive, .gone:
            return try say(act.event ?? [:], act, by: agent, in: conversation)
        }
    }

    // MARK: Changing

    private static func participation(_ type: String, _ agent: LivePerson.Agent, as role: String) -> JSON {
        ["field": "ParticipantsChange", "type": .string(type), "role": .string(role), "userId": .string(agent.pid)]
    }

    private static func joining(_ agent: LivePerson.Agent, as role: String) -> JSON { participation("ADD", agent, as: role) }

    /// Closing the main dialog lets a survey follow; closing everything does not (LivePerson reference 5.13). Without a cause none would.
    private static func closing(_ act: DeskAct<LivePerson.Act>, _ conversation: Conversation) -> JSON {
        if act.json["survey"]?.bool == false { return ["field": "ConversationStateField", "conversationState": "CLOSE"] }
        return [
            "field": "DialogChange", "type": "UPDATE",
            "dialog": .members(["dialogId": .string(conversation.id), "state": "CLOSE", "closedCause": act.json["closedCause"]]),
        ]
    }

    /// The role in which the agent takes part, or would: beside an assigned agent, as a manager (assumed).
    private func role(of agent: LivePerson.Agent, in conversation: Conversation) -> String {
        conversation.roles(of: agent).first ?? (conversation.assigned.isEmpty ? "ASSIGNED_AGENT" : "MANAGER")
    }

    private func alter(_ conversation: Conversation, _ fields: [JSON], by agent: LivePerson.Agent) throws -> Acted<Conversation> {
        let actor = Conversation.Participant(id: agent.pid, role: role(of: agent, in: conversation))
        let changed = try change(conversation, fields, by: actor)
        let isHeard = sockets(of: conversation.consumer).contains { _, session in
            session.conversations.contains { $0.filter.fits(changed.conversation) || $0.filter.fits(conversation) }
        }
        return Acted(conversation: changed.conversation, delivery: isHeard ? .socket : .missed, done: [changed.words])
    }

    // MARK: Saying

    private func say(
        _ event: JSON, _ act: DeskAct<LivePerson.Act>, by agent: LivePerson.Agent, in conversation: Conversation
    ) throws -> Acted<Conversation> {
        var (conversation, done) = (conversation, [String]())
        if conversation.roles(of: agent).isEmpty {
            let joined = try alter(conversation, [Self.joining(agent, as: role(of: agent, in: conversation))], by: agent)
            (conversation, done) = (joined.conversation, joined.done)
        }
        guard let main = conversation.dialogs.first else { throw Refusal("dialog-unknown", "there is no main dialog") }
        let originator = Conversation.Participant(id: agent.pid, role: role(of: agent, in: conversation))
        let isHeard = sockets(of: conversation.consumer).contains { $0.session.dialogs.contains(main.id) }
        let audience = act.json["messageAudience"]?.string
        let said = try publish(event, metadata: act.json["metadata"], audience: audience, by: originator, in: main, of: conversation)
        let isForConsumer = audience ?? MessagingTerms.everybody == MessagingTerms.everybody
        let delivery: Delivery = !isForConsumer ? .missed : isHeard ? .socket : said.isPushed ? .push : .missed
        return Acted(conversation: conversation, sequence: said.sequence, delivery: delivery, done: done + [said.words])
    }

    /// Accepts or reads what is named, else all of the consumer's that no agent has yet.
    private func acknowledge(
        _ act: DeskAct<LivePerson.Act>, by agent: LivePerson.Agent, in conversation: Conversation
    ) throws -> Acted<Conversation> {
        let status = act.kind == .accept ? "ACCEPT" : "READ"
        let wanted: [Int]
        if let named = act.json["sequenceList"]?.oneOrMore.compactMap({ $0.integer(in: MessagingTerms.sequences) }) {
            let stranger = try named.first {
                try Conversation.event($0, dialog: conversation.id, sandbox: sandbox.id, db)?.isSaidByConsumer != true
            }
            if let stranger {
                throw Refusal("sequence-unknown", "sequence \(stranger) of dialog \(conversation.id) is not a message from the consumer")
            }
            wanted = named
        } else {
            wanted = try unacknowledged(act, in: conversation)
        }
        guard !wanted.isEmpty else {
            let word = act.kind == .accept ? "accepted" : "read"
            return Acted(conversation: conversation, delivery: .missed, done: ["all that the consumer said has been \(word) already"])
        }
        let event: JSON = [
            "type": "AcceptStatusEvent", "status": .string(status), "sequenceList": .array(wanted.map { .integer(Int64($0)) }),
        ]
        var acted = try say(event, act, by: agent, in: conversation)
        acted.done[acted.done.count - 1] += ": \(status) of \(wanted.map(String.init).joined(separator: ", "))"
        return acted
    }

    private func unacknowledged(_ act: DeskAct<LivePerson.Act>, in conversation: Conversation) throws -> [Int] {
        let events = try Conversation.events(dialog: conversation.id, from: 0, sandbox: sandbox.id, db)
        // What is read has been accepted too.
        let sufficient: Set<String> = act.kind == .accept ? ["ACCEPT", "READ"] : ["READ"]
        let receipts = events.filter { !$0.isConsumers && sufficient.contains($0["event"]?["status"]?.string ?? "") }
        let known = Set(
            receipts.flatMap { $0["event"]?["sequenceList"]?.oneOrMore.compactMap { $0.integer(in: MessagingTerms.sequences) } ?? [] })
        return events.filter(\.isSaidByConsumer).compactMap { $0["sequence"]?.integer(in: MessagingTerms.sequences) }.filter {
            !known.contains($0)
        }
    }
}

extension Conversation {
    /// The roles in which an agent takes part, in the order of joining.
    func roles(of agent: LivePerson.Agent) -> [String] {
        (dialogs.first?.participants ?? []).filter { $0.id == agent.pid && MessagingTerms.agentRoles.contains($0.role) }.map(\.role)
    }
}

extension JSON {
    /// Whether a change is an event of the consumer's.
    fileprivate var isConsumers: Bool { self["originatorMetadata"]?["role"] == "CONSUMER" }
    fileprivate var isSaidByConsumer: Bool { isConsumers && self["event"]?.isContent == true }

    /// Whether an event is something said, not a state or a receipt.
    var isContent: Bool { ["ContentEvent", "RichContentEvent"].contains(self["type"]?.string) }
}

/// The events that set agents' scripts off.
extension Messaging {
    /// The consumer published an event.
    func playScript(on event: JSON, _ sequence: Int?, in dialog: Conversation.Dialog, of conversation: Conversation) throws {
        guard dialog.type == "MAIN", event.isContent else { return }
        let text = event["contentType"] == "text/plain" ? event["message"]?.string : nil
        try playScript(on: text == nil ? [.content] : [.content, .text], in: conversation, text: text, sequence: sequence)
    }

    /// A conversation was changed.
    func playScript(from before: Conversation, to after: Conversation) throws {
        if before.state == "OPEN", after.state == "CLOSE" { try playScript(on: [.closed], in: after) }
        if after.state == "OPEN", before.skill != after.skill { try playScript(on: [.opened], in: after) }
    }
}

import GRDB
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// Playing the steps of agents' scripts: due work of the kind "agentStep".
extension LivePerson {
    static let agentStep = "agentStep"
    /// Scripts that hand a conversation over to each other must come to an end.
    private static let deepestScript = 16

    func playStep(_ db: Database, _ call: DueCall) throws -> DueOutcome {
        var messaging = Messaging(call.occasion, db)
        let body = call.item.body
        messaging.scriptDepth = body["depth"]?.integer(in: 1...Self.deepestScript + 1) ?? 1
        let pid = body["agent"]?.string ?? ""
        let agent = call.settings(of: self).agents.first { $0.pid == pid }
        let who = agent?.nickname ?? "an agent"
        let what = "step \(body["step"]?.text ?? "?") of \(who)'s script"
        guard let agent, let conversation = try? messaging.conversation(body["conversation"]?.string ?? "").get(),
            conversation.state == "CLOSE" || messaging.scripted(conversation)?.pid == pid
        else { return DueOutcome("\(what) not played: the conversation is not \(who)'s any more") }
        guard messaging.scriptDepth <= Self.deepestScript else {
            return DueOutcome("\(what) not played: scripts hand conversation \(conversation.id) to and fro, the consumer says nothing")
        }
        switch try messaging.perform(try DeskAct(body["do"] ?? [:], at: .root), by: agent, in: conversation) {
        case .failure(let refusal): return DueOutcome("\(what) not played: \(refusal.cause)", details: ["do": body["do"] ?? [:]])
        case .success(let acted):
            return DueOutcome("\(what): \(acted.done.joined(separator: "; "))", details: ["delivery": .string(acted.delivery.rawValue)])
        }
    }
}

/// What sets scripts off.
extension Messaging {
    /// Whose script answers in a conversation: the assigned agent's, or where nobody is assigned that of the account's first agent who has a
    /// script and the skill. Nil where an agent without a script is assigned: somebody else plays them.
    func scripted(_ conversation: Conversation) -> AgentSettings? {
        let assigned = settings.agents.first { conversation.assigned.contains($0.pid) }
        if let assigned { return assigned.script == nil ? nil : assigned }
        return settings.agents.first { $0.script != nil && $0.hasSkill(conversation.skill) }
    }

    func playScript(on events: Set<ScriptEvent>, in conversation: Conversation, text: String? = nil, sequence: Int? = nil) throws {
        guard let agent = scripted(conversation) else { return }
        for (step, delay) in agent.script?.due(on: events, text: text, sequence: sequence) ?? [] {
            try sandbox.schedule(
                DueItem(
                    due: now + delay, vendor: tenant.vendor, kind: LivePerson.agentStep,
                    what: "step \(step.number) of \(agent.nickname)'s script in conversation \(conversation.id): \(step.act.kind.rawValue)",
                    lane: conversation.id,
                    key: conversation.id,
                    body: [
                        "conversation": .string(conversation.id), "agent": .string(agent.pid), "step": .integer(Int64(step.number)),
                        "depth": .integer(Int64(scriptDepth + 1)), "do": step.act.json,
                    ], causedBy: origin), db)
        }
    }

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

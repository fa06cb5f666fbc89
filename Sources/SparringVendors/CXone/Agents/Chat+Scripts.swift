import GRDB
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// Playing the steps of agents' scripts: due work of the kind "agentStep".
extension CXone {
    /// Scripts that hand a contact over to each other must come to an end.
    private static let deepestScript = 16

    func playStep(_ db: Database, _ call: DueCall) throws -> DueOutcome {
        let body = call.item.body
        let number = body["agent"]?.integer ?? 0
        let agent = call.settings(of: self).agents.first { $0.id == number }
        let what = "step \(body["step"]?.text ?? "?") of \(agent?.name ?? "an agent")'s script"
        guard let agent,
            let contact = try ThreadState.contact(body["contact"]?.string ?? "", of: call.tenant.id, call.sandbox.id, db),
            let channel = call.settings(of: self).channel(contact.channel)
        else { return DueOutcome("\(what) not played: the contact is gone") }
        var chat = Chat(call.occasion, db, vendor: self, channel: channel, customer: contact.thread.customer)
        chat.scriptDepth = body["depth"]?.integer(in: 1...Self.deepestScript + 1) ?? 1
        guard contact.status == .closed || chat.scripted(contact)?.id == agent.id else {
            return DueOutcome("\(what) not played: contact \(contact.id) is not \(agent.name)'s any more")
        }
        guard chat.scriptDepth <= Self.deepestScript else {
            return DueOutcome("\(what) not played: scripts hand contact \(contact.id) to and fro, the customer says nothing")
        }
        switch try chat.perform(try ChatAct(body["do"] ?? [:], at: .root), by: agent, in: contact) {
        case .failure(let refusal): return DueOutcome("\(what) not played: \(refusal.cause)", details: ["do": body["do"] ?? [:]])
        case .success(let acted):
            return DueOutcome("\(what): \(acted.done.joined(separator: "; "))", details: ["delivery": .string(acted.delivery.rawValue)])
        }
    }
}

/// What sets scripts off.
extension Chat {
    static let agentStep = "agentStep"

    /// Whose script answers in a contact: the assigned agent's, or where nobody is assigned that of the brand's first agent who has one. Nil where an agent
    /// without a script is assigned: somebody else plays them.
    func scripted(_ contact: ChatContact) -> ChatAgent? {
        if let assigned = agent(contact.assignee) { return assigned.script == nil ? nil : assigned }
        return settings.agents.first { $0.script != nil }
    }

    /// - Parameter message: the customer's, where one sets it off.
    func playScript(on events: Set<ScriptEvent>, in contact: ChatContact, _ message: ChatMessage? = nil) throws {
        guard let agent = scripted(contact) else { return }
        for (step, delay) in agent.script?.due(on: events, text: message?.text, sequence: message?.number) ?? [] {
            try sandbox.schedule(
                DueItem(
                    due: now + delay, vendor: tenant.vendor, kind: Self.agentStep,
                    what: "step \(step.number) of \(agent.name)'s script in contact \(contact.id): \(step.act.kind.rawValue)",
                    lane: contact.thread.customer,
                    key: contact.id,
                    body: [
                        "contact": .string(contact.id), "agent": .integer(agent.id), "step": .integer(Int64(step.number)),
                        "depth": .integer(Int64(scriptDepth + 1)), "do": step.act.json,
                    ], causedBy: origin), db)
        }
    }
}

import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// Scripts, and the events that set them off.
extension DeskHand {
    static var agentStep: String { "agentStep" }

    /// The agent whose script answers in a conversation: the assigned one, or where nobody is assigned the tenant's first with a script who
    /// takes the conversation. Nil where an agent without a script is assigned: somebody else plays them.
    func scripted(in conversation: Conversation) -> Agent? {
        if let assigned = assigned(in: conversation) { return assigned.script == nil ? nil : assigned }
        return settings.agents.first { $0.script != nil && takes($0, conversation) }
    }

    /// Schedules the steps that events set off.
    ///
    /// - Parameters:
    ///   - text: what the consumer said where that was a text.
    ///   - sequence: its number in the conversation; nil: the consumer said nothing.
    public func playScript(on events: Set<ScriptEvent>, in conversation: Conversation, text: String? = nil, sequence: Int? = nil) throws {
        guard let agent = scripted(in: conversation), let script = agent.script else { return }
        for (step, delay) in script.due(on: events, text: text, sequence: sequence) {
            let what = "step \(step.number) of \(agent.name)'s script in \(Conversation.noun) \(conversation.id): \(step.act.kind.rawValue)"
            let body: JSON = [
                "agent": .string(agent.key), "step": .integer(Int64(step.number)), "depth": .integer(Int64(scriptDepth + 1)),
                "do": step.act.json,
            ]
            try sandbox.schedule(
                DueItem(
                    due: now + delay, vendor: tenant.vendor, kind: Self.agentStep, what: what, lane: lane(of: conversation),
                    key: conversation.id, body: body, causedBy: origin), db)
        }
    }
}

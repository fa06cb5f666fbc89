import GRDB
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// What sets scripts off.
extension Chat {
    static let agentStep = "agentStep"

    /// Whose script answers in a contact: the assigned agent's, or where nobody is assigned that of the brand's first agent who has one. Nil where an agent
    /// without a script is assigned: somebody else plays them.
    func scripted(_ contact: ChatContact) -> CXone.Agent? {
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

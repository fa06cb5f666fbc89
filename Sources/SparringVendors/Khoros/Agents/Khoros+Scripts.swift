import GRDB
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// Playing the steps of agents' scripts: due work of the kind "agentStep".
extension Khoros {
    func playStep(_ db: Database, _ call: DueCall) throws -> DueOutcome {
        let body = call.item.body
        let agent = call.settings(of: self).agents.first { $0.id == body["agent"]?.string }
        let what = "step \(body["step"]?.text ?? "?") of \(agent?.name ?? "an agent")'s script"
        let all = try MessengerConversationState.conversations(of: call.tenant.id, call.sandbox.id, db)
        guard let agent, let conversation = all.first(where: { $0.id == body["conversation"]?.string }),
            let user = try MessengerUserState.user(conversation.user, of: call.tenant.id, call.sandbox.id, db)
        else { return DueOutcome("\(what) not played: the conversation is gone") }
        let messenger = Messenger(call.occasion, db, vendor: self, user: user, base: call.addresses.baseURL)
        switch try messenger.perform(try DeskAct(body["do"] ?? [:], at: .root), by: agent, in: conversation) {
        case .failure(let refusal): return DueOutcome("\(what) not played: \(refusal.cause)", details: ["do": body["do"] ?? [:]])
        case .success(let acted):
            return DueOutcome("\(what): \(acted.done.joined(separator: "; "))", details: ["delivery": .string(acted.delivery.rawValue)])
        }
    }
}

extension Messenger {
    static let agentStep = "agentStep"

    /// Has the script of the business's first agent who has one play what an event sets off.
    ///
    /// - Parameter message: the user's, where one sets it off.
    func playScript(on events: Set<ScriptEvent>, in conversation: MessengerConversation, _ message: MessengerMessage? = nil) throws {
        guard let agent = settings.agents.first(where: { $0.script != nil }), let script = agent.script else { return }
        // What a script does sets off nothing: only users do.
        if origin.operation.hasSuffix(".\(Self.agentStep)") { return }
        for (step, delay) in script.due(on: events, text: message?.text, sequence: message?.number) {
            try sandbox.schedule(
                DueItem(
                    due: now + delay, vendor: tenant.vendor, kind: Self.agentStep,
                    what: "step \(step.number) of \(agent.name)'s script in conversation \(conversation.id): \(step.act.kind.rawValue)",
                    lane: user.name, key: conversation.id,
                    body: [
                        "conversation": .string(conversation.id), "agent": .string(agent.id), "step": .integer(Int64(step.number)),
                        "do": step.act.json,
                    ], causedBy: origin), db)
        }
    }
}

import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// What agents do, by a test through the admin API or by a script.
extension Talking {
    struct Acted {
        /// The message's number in its interaction; nil for an act that says nothing.
        var sequence: Int?
        /// In words, in order.
        var done: [String] = []
    }

    mutating func perform(_ act: DeskAct<Talkdesk.Act>, by agent: Talkdesk.Agent) throws -> Result<Acted, Refusal> {
        if let ended = interaction.ended {
            return .failure(Refusal("interaction-ended", "interaction \(interaction.id) ended at \(ended)"))
        }
        var acted = Acted()
        if act.kind != .close, interaction.agent != agent.id {
            try join(agent)
            acted.done.append("\(agent.name) joined interaction \(interaction.id)")
        }
        switch act.kind {
        case .join: if acted.done.isEmpty { acted.done.append("\(agent.name) had joined before") }
        case .say:
            let message = try say(act.json["text"]?.string ?? "", by: .agent, agent.name)
            acted.sequence = message.number
            acted.done.append("message \(message.number) of interaction \(interaction.id)")
        case .close:
            try end(act.json["reason"]?.string ?? "")
            acted.done.append("interaction \(interaction.id) has ended")
            try playScript(on: [.closed])
        }
        return .success(acted)
    }

    static let agentStep = "agentStep"

    /// Has the script of the account's first agent who has one play what an event sets off.
    ///
    /// - Parameter message: the person's, where one sets it off.
    func playScript(on events: Set<ScriptEvent>, _ message: InteractionMessage? = nil) throws {
        // What a script does sets off nothing: only people do.
        if origin.operation.hasSuffix(".\(Self.agentStep)") { return }
        let agents = tenant.settings(of: Talkdesk.self).agents
        guard let agent = agents.first(where: { $0.script != nil }), let script = agent.script else { return }
        for (step, delay) in script.due(on: events, text: message?.text, sequence: message?.number) {
            try sandbox.schedule(
                DueItem(
                    due: now + delay, vendor: tenant.vendor, kind: Self.agentStep,
                    what: "step \(step.number) of \(agent.name)'s script in interaction \(interaction.id): \(step.act.kind.rawValue)",
                    lane: origin.lane, key: interaction.id,
                    body: [
                        "interaction": .string(interaction.id), "agent": .string(agent.id), "step": .integer(Int64(step.number)),
                        "do": step.act.json,
                    ], causedBy: origin), db)
        }
    }
}

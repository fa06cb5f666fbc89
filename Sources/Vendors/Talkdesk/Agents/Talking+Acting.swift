import SparringVendorKit

/// Agents' acts, by a test through the admin API or by a script.
extension Talking: DeskHand {
    func assigned(in interaction: Interaction) -> Talkdesk.Agent? { settings.agents.first { $0.id == interaction.agent } }

    func lane(of interaction: Interaction) -> String { interaction.person }

    mutating func perform(
        _ act: DeskAct<Talkdesk.Act>, by agent: Talkdesk.Agent, in interaction: Interaction
    ) throws -> Acted<Interaction> {
        if let ended = interaction.ended {
            throw Refusal("interaction-ended", "interaction \(interaction.id) ended at \(ended)")
        }
        var acted = Acted(conversation: interaction)
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
            try playScript(on: [.closed], in: self.interaction)
        }
        acted.conversation = self.interaction
        return acted
    }
}

import SparringVendorKit

/// Agents' acts, by a test through the admin API or by a script.
extension CompanyChat: DeskHand {
    func assigned(in issue: Issue) -> ASAPP.Agent? { settings.agents.first { $0.id == issue.agent } }

    func lane(of issue: Issue) -> String { customer.name }

    mutating func perform(
        _ act: DeskAct<ASAPP.Act>, by agent: ASAPP.Agent, in issue: Issue
    ) throws -> Acted<Issue> {
        if let closed = issue.closed {
            throw Refusal("conversation-closed", "conversation \(issue.id) was closed at \(closed)")
        }
        if let assigned = issue.agent, assigned != agent.id {
            let name = settings.agents.first { $0.id == assigned }?.name ?? assigned
            throw Refusal("another-agent-is-assigned", "\(name) is assigned to conversation \(issue.id)")
        }
        var (issue, acted) = (issue, Acted(conversation: issue, delivery: Delivery.missed))
        let hears: Delivery = sockets.isEmpty ? .missed : .socket
        if act.kind == .join || act.kind == .say, issue.agent == nil {
            issue = try change(issue) { ($0.stage, $0.agent) = (.live, agent.id) }
            try tell(.agentAssigned)
            (acted.delivery, acted.done) = (hears, ["\(agent.name) is assigned to conversation \(issue.id)"])
        }
        switch act.kind {
        case .join: if acted.done.isEmpty { acted.done = ["\(agent.name) was assigned before"] }
        case .leave, .transfer:
            guard issue.agent != nil else {
                throw Refusal("no-agent-is-assigned", "nobody is assigned to conversation \(issue.id)")
            }
            let isLeaving = act.kind == .leave
            issue = try change(issue) { ($0.stage, $0.agent) = (isLeaving ? .idle : .queue, nil) }
            acted.done = [isLeaving ? "\(agent.name) left conversation \(issue.id)" : "conversation \(issue.id) waits in the queue"]
        case .say:
            let message = try keep(act.json["text"]?.string ?? "", by: .agent, agent.name, in: issue)
            let delivered = try deliver(message)
            acted.sequence = message.sequence
            acted.delivery = delivered.delivery
            acted.done += ["message \(message.sequence) of conversation \(issue.id)"] + delivered.done
        case .close:
            issue = try close(issue)
            (acted.delivery, acted.done) = (hears, ["conversation \(issue.id) is closed"])
        }
        acted.conversation = issue
        return acted
    }
}

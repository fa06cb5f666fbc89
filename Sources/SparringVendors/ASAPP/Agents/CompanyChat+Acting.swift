import GRDB
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// What agents do, by a test through the admin API or by a script.
extension CompanyChat {
    struct Acted {
        /// The message's number in its conversation; nil for an act that says nothing.
        var sequence: Int?
        var delivery = Delivery.none
        /// In words, in order.
        var done: [String] = []
    }

    mutating func perform(_ act: DeskAct<ASAPP.Act>, by agent: ASAPP.Agent, in issue: Issue) throws -> Result<Acted, Refusal> {
        if let closed = issue.closed {
            return .failure(Refusal("conversation-closed", "conversation \(issue.id) was closed at \(closed)"))
        }
        if let assigned = issue.agent, assigned != agent.id {
            let name = settings.agents.first { $0.id == assigned }?.name ?? assigned
            return .failure(Refusal("another-agent-is-assigned", "\(name) is assigned to conversation \(issue.id)"))
        }
        var (issue, acted) = (issue, Acted())
        let hears: Delivery = sockets.isEmpty ? .none : .socket
        if act.kind == .join || act.kind == .say, issue.agent == nil {
            issue = try change(issue) { ($0.stage, $0.agent) = (.live, agent.id) }
            try tell(.agentAssigned)
            acted = Acted(delivery: hears, done: ["\(agent.name) is assigned to conversation \(issue.id)"])
        }
        switch act.kind {
        case .join: if acted.done.isEmpty { acted.done = ["\(agent.name) was assigned before"] }
        case .leave, .transfer:
            guard issue.agent != nil else {
                return .failure(Refusal("no-agent-is-assigned", "nobody is assigned to conversation \(issue.id)"))
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
            acted = Acted(delivery: hears, done: ["conversation \(issue.id) is closed"])
        }
        return .success(acted)
    }

    // MARK: Scripts

    static let agentStep = "agentStep"

    /// Has the script of the company's first agent who has one play what an event sets off.
    ///
    /// - Parameter message: the customer's, where one sets it off.
    func playScript(on events: Set<ScriptEvent>, in issue: Issue, _ message: IssueMessage? = nil) throws {
        // What a script does sets off nothing: only customers do.
        if origin.operation.hasSuffix(".\(Self.agentStep)") { return }
        guard let agent = settings.agents.first(where: { $0.script != nil }), let script = agent.script else { return }
        for (step, delay) in script.due(on: events, text: message?.text, sequence: message?.sequence) {
            try sandbox.schedule(
                DueItem(
                    due: now + delay, vendor: tenant.vendor, kind: Self.agentStep,
                    what: "step \(step.number) of \(agent.name)'s script in conversation \(issue.id): \(step.act.kind.rawValue)",
                    lane: customer.name, key: issue.id,
                    body: [
                        "issue": .string(issue.id), "agent": .string(agent.id), "step": .integer(Int64(step.number)), "do": step.act.json,
                    ], causedBy: origin), db)
        }
    }
}

extension ASAPP {
    /// Playing the steps of agents' scripts: due work of the kind "agentStep".
    func playStep(_ db: Database, _ call: DueCall) throws -> DueOutcome {
        let body = call.item.body
        let agent = call.settings(of: self).agents.first { $0.id == body["agent"]?.string }
        let what = "step \(body["step"]?.text ?? "?") of \(agent?.name ?? "an agent")'s script"
        guard let agent, let issue = try IssueState.issue(body["issue"]?.string ?? "", of: call.tenant.id, call.sandbox.id, db),
            let customer = try CompanyCustomerState.customer(issue.customer, of: call.tenant.id, call.sandbox.id, db)
        else { return DueOutcome("\(what) not played: the conversation is gone") }
        var chat = CompanyChat(call.occasion, db, vendor: self, customer: customer)
        switch try chat.perform(try DeskAct(body["do"] ?? [:], at: .root), by: agent, in: issue) {
        case .failure(let refusal): return DueOutcome("\(what) not played: \(refusal.cause)", details: ["do": body["do"] ?? [:]])
        case .success(let acted):
            return DueOutcome("\(what): \(acted.done.joined(separator: "; "))", details: ["delivery": .string(acted.delivery.rawValue)])
        }
    }
}

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
        switch try chat.perform(try DeskAct(body["do"] ?? [:], at: .root), by: agent, in: contact) {
        case .failure(let refusal): return DueOutcome("\(what) not played: \(refusal.cause)", details: ["do": body["do"] ?? [:]])
        case .success(let acted):
            return DueOutcome("\(what): \(acted.done.joined(separator: "; "))", details: ["delivery": .string(acted.delivery.rawValue)])
        }
    }
}

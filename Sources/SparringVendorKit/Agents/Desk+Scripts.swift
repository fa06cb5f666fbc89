public import GRDB
public import SparringEngine
import SparringJSON
import SparringSandbox

/// Agents' unprompted acts, played from their scripts.
extension Desk {
    public static var agentStep: String { Hand.agentStep }
    /// Scripts that set each other off must come to an end.
    private static var deepestScript: Int { 16 }

    /// Plays a step of an agent's script: due work of the kind `agentStep`.
    public func playStep(_ db: Database, _ call: DueCall) throws -> DueOutcome {
        let body = call.item.body
        let agent = call.settings(of: self).agents.first { $0.key == body["agent"]?.idText }
        let what = "step \(body["step"]?.text ?? "?") of \(agent?.name ?? "an agent")'s script"
        do {
            let acted = try play(body, by: agent, call, db)
            return DueOutcome(
                "\(what): \(acted.done.joined(separator: "; "))",
                details: acted.delivery.map { ["delivery": .string($0.rawValue)] } ?? [:])
        } catch let refusal as Refusal {
            return DueOutcome("\(what) not played: \(refusal.cause)", details: ["do": body["do"] ?? [:]])
        }
    }

    private func play(_ step: JSON, by agent: Hand.Agent?, _ call: DueCall, _ db: Database) throws -> Acted<Conversation> {
        func refused(_ cause: String) -> Refusal { Refusal("step-not-played", cause) }
        let noun = Conversation.noun
        guard let agent, let conversation = try conversation(call.item.key ?? "", of: call.tenant, db),
            let consumer = try consumer(called: conversation.consumer, of: call.tenant, db)
        else { throw refused("the \(noun) is gone") }
        var hand = try hand(for: consumer, in: conversation, call.occasion, db)
        hand.scriptDepth = step["depth"]?.integer(in: 1...Self.deepestScript + 1) ?? 1
        guard conversation.ended != nil || hand.scripted(in: conversation)?.key == agent.key else {
            throw refused("\(noun) \(conversation.id) is not \(agent.name)'s any more")
        }
        guard hand.scriptDepth <= Self.deepestScript else {
            throw refused("scripts set each other off in \(noun) \(conversation.id), the consumer says nothing")
        }
        return try hand.perform(DeskAct(step["do"] ?? [:]), by: agent, in: conversation)
    }
}

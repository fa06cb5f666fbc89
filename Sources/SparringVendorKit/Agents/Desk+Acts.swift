public import GRDB
public import SparringEngine
import SparringJSON
import SparringSandbox

/// Agents' acts, by a test through the admin API.
extension Desk {
    public func adminHandler(of operation: AdminOperation) -> AdminHandler {
        switch operation {
        case .act(let kind): act(kind)
        case .readConversation: .read(readConversation)
        case .own(let operation): adminHandler(of: operation)
        }
    }

    public func lane(_ db: Database, _ request: AdminRequest) throws -> String {
        try lane(of: DeskAim(self, request, db).consumer(), of: request.tenant, db)
    }

    /// In the lane of the consumer.
    private func act(_ kind: Hand.Act) -> AdminHandler {
        .act(
            checking: { (body: JSON) throws(ConfigurationError) in try check(DeskAct(kind, body), at: .root) }, in: lane
        ) { db, request, occasion in
            let aim = DeskAim(self, request, db)
            let (act, consumer) = (DeskAct(kind, request.body), try aim.consumer())
            var (agent, acted) = try perform(act, aim, for: consumer, occasion)
            acted.done += remarks(on: act)
            let json = JSON.members([
                "conversation": .string(acted.conversation.id), "consumer": .string(consumer.name), "agent": agent.json,
                "act": .string(kind.rawValue), "sequence": acted.sequence.map { .integer(Int64($0)) },
                "delivery": acted.delivery.map { .string($0.rawValue) }, "done": .array(acted.done.map { .string($0) }),
            ])
            return Answer("agent-acted", json, cause: "\(agent.name) to \(consumer.name): \(acted.done.joined(separator: "; "))")
        }
    }

    private func perform(
        _ act: DeskAct<Hand.Act>, _ aim: DeskAim<Self>, for consumer: Consumer, _ occasion: Occasion
    ) throws -> (Hand.Agent, Acted<Conversation>) {
        guard let conversation = try aim.conversation() else {
            let agent = try aim.agent(assigned: nil)
            guard let acted = try begin(act, by: agent, for: consumer, occasion, aim.db) else { throw try aim.nothingOpen(for: consumer) }
            return (agent, acted)
        }
        var hand = try hand(for: consumer, in: conversation, occasion, aim.db)
        let agent = try aim.agent(assigned: hand.assigned(in: conversation))
        return (agent, try hand.perform(act, by: agent, in: conversation))
    }
}

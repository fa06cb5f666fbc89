import GRDB
import SparringEngine
import SparringJSON
import SparringSandbox

/// Which interaction the admin API means, and which agent.
struct InteractionAim {
    static let members = ["consumer", "conversation", "agent"]

    let tenant: Tenant
    let db: Database
    private let request: Members

    init(_ body: JSON, _ tenant: Tenant, _ db: Database) throws {
        (self.tenant, self.db) = (tenant, db)
        request = try Members(.object((body.object ?? [:]).filter { Self.members.contains($0.key) }), known: Self.members)
    }

    /// Whom `consumer` names.
    func consumer() throws -> String? {
        guard let name = try request.string("consumer"), !name.isEmpty else { return nil }
        let known = try TalkdeskTokenState.subjects(of: tenant.id, tenant.sandbox, db).map(\.name)
        guard known.containsSame(as: name) else {
            throw request.error("consumer", "no token was issued for '\(name)'" + Nearest.hint(for: name, in: known))
        }
        return name
    }

    /// The one that `conversation` names, else the consumer's newest that has not ended; without either the account's newest.
    func interaction() throws -> Interaction {
        let all = try InteractionState.interactions(of: tenant.id, tenant.sandbox, db)
        let consumer = try consumer()
        if let id = try request.string("conversation") {
            guard let interaction = all.first(where: { $0.id.isSame(as: id) }) else {
                throw request.error("conversation", "there is no interaction '\(id)'" + Nearest.hint(for: id, in: all.map(\.id)))
            }
            if let consumer, !interaction.person.isSame(as: consumer) {
                throw request.error("conversation", "interaction \(id) is \(interaction.person)'s and not \(consumer)'s")
            }
            return interaction
        }
        let running = all.filter { $0.ended == nil && (consumer == nil || $0.person == consumer) }
        guard let newest = running.last else {
            throw request.error("consumer", "\(consumer ?? "nobody") has \(consumer == nil ? "an" : "no") interaction that has not ended")
        }
        return newest
    }

    /// The one who is named; else who has joined, or the account's first.
    func agent(for interaction: Interaction) throws -> TalkdeskAgent {
        let agents = tenant.settings(of: Talkdesk.self).agents
        if let name = try request.string("agent") {
            if let agent = agents.first(where: { $0.isCalled(name) }) { return agent }
            throw request.error(
                "agent", "the account has no agent '\(name)'" + Nearest.hint(for: name, in: agents.flatMap { [$0.id, $0.name] }))
        }
        if let joined = agents.first(where: { $0.id == interaction.agent }) ?? agents.first { return joined }
        throw request.error("agent", "the account has no agents: its member 'agents' is empty")
    }
}

import GRDB
import SparringEngine
import SparringJSON
import SparringSandbox

/// Which interaction the admin API means, and which agent.
struct InteractionAim {
    private let aim: AdminAim
    private var tenant: Tenant { aim.tenant }
    private var db: Database { aim.db }

    init(_ body: JSON, _ tenant: Tenant, _ db: Database) throws { aim = try AdminAim(body, tenant, db) }

    /// Whom `consumer` names.
    func consumer() throws -> String? {
        guard let name = try aim.consumer() else { return nil }
        let known = try TalkdeskTokenState.subjects(of: tenant.id, tenant.sandbox, db).map(\.name)
        guard known.containsSame(as: name) else {
            throw aim.error("consumer", "no token was issued for '\(name)'", nearest: name, among: known)
        }
        return name
    }

    /// The one that `conversation` names, else the consumer's newest that has not ended; without either the account's newest.
    func interaction() throws -> Interaction {
        let all = try InteractionState.interactions(of: tenant.id, tenant.sandbox, db)
        let consumer = try consumer()
        if let id = try aim.conversation() {
            guard let interaction = all.first(where: { $0.id.isSame(as: id) }) else {
                throw aim.error("conversation", "there is no interaction '\(id)'", nearest: id, among: all.map(\.id))
            }
            if let consumer, !interaction.person.isSame(as: consumer) {
                throw aim.error("conversation", "interaction \(id) is \(interaction.person)'s and not \(consumer)'s")
            }
            return interaction
        }
        let running = all.filter { $0.ended == nil && (consumer == nil || $0.person == consumer) }
        guard let newest = running.last else {
            throw aim.error("consumer", "\(consumer ?? "nobody") has \(consumer == nil ? "an" : "no") interaction that has not ended")
        }
        return newest
    }

    /// The one who is named; else who has joined, or the account's first.
    func agent(for interaction: Interaction) throws -> Talkdesk.Agent {
        try aim.agent(among: tenant.settings(of: Talkdesk.self).agents, of: "the account") { $0.id == interaction.agent }
    }
}

import GRDB
import SparringEngine
import SparringJSON
import SparringSandbox

/// An agent of a tenant, whom requests of the admin API may name.
protocol NamedAgent: Sendable {
    /// What they may be called by.
    var names: [String] { get }
}

extension NamedAgent {
    func isCalled(_ name: String) -> Bool { names.containsSame(as: name) }
}

/// The members by which a request of the admin API says whom it means.
struct AdminAim {
    static let members = ["consumer", "conversation", "agent"]

    let tenant: Tenant
    let db: Database
    private let request: Members

    init(_ body: JSON, _ tenant: Tenant, _ db: Database) throws {
        (self.tenant, self.db) = (tenant, db)
        request = try Members(.object((body.object ?? [:]).filter { Self.members.contains($0.key) }), known: Self.members)
    }

    /// Nil where nobody is named.
    func consumer() throws -> String? { try request.string("consumer").flatMap { $0.isEmpty ? nil : $0 } }

    func conversation() throws -> String? { try request.string("conversation") }

    /// - Parameter known: names that may have been meant.
    func error(_ member: String, _ words: String, nearest name: String? = nil, among known: [String] = []) -> ConfigurationError {
        request.error(member, words + (name.map { Nearest.hint(for: $0, in: known) } ?? ""))
    }

    /// The one that `agent` names, else the first one who is assigned, else the tenant's first.
    ///
    /// - Parameter company: what the vendor calls its tenant: `the brand`.
    func agent<Agent: NamedAgent>(among agents: [Agent], of company: String, isAssigned: (Agent) -> Bool = { _ in false }) throws -> Agent {
        if let name = try request.string("agent") {
            if let agent = agents.first(where: { $0.isCalled(name) }) { return agent }
            throw error("agent", "\(company) has no agent '\(name)'", nearest: name, among: agents.flatMap(\.names))
        }
        if let agent = agents.first(where: isAssigned) ?? agents.first { return agent }
        throw error("agent", "\(company) has no agents: its member 'agents' is empty")
    }
}

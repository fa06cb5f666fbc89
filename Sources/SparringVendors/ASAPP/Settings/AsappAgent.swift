import SparringEngine
import SparringJSON

/// Somebody who takes conversations: the company's member `agents`.
struct AsappAgent: NamedAgent {
    var id: String
    var name: String
    /// What the agent does unprompted; nil: nothing.
    var script: AgentScript<AsappAct>?

    static let member = "agents"
    static let standard: JSON = [["id": "1", "name": "Grace Hopper"]]

    /// As the admin API shows them.
    var json: JSON { ["userId": .string(id), "nickname": .string(name)] }

    var names: [String] { [id, name] }

    static func read(_ company: Members) throws(ConfigurationError) -> [AsappAgent] {
        var agents: [AsappAgent] = []
        for (index, json) in (try company.array(member) ?? []).enumerated() {
            let script = AgentScript<AsappAct>.member
            let members = try Members(
                json, at: company.pointer.appending(member).appending(index), known: ["id", "name", script])
            guard let id = try members.string("id"), !id.isEmpty else { throw members.error("id", "an agent needs an id") }
            if agents.contains(where: { $0.id.isSame(as: id) }) { throw members.error("id", "it is another agent's already") }
            var agent = AsappAgent(id: id, name: try members.string("name") ?? id)
            if let json = members.object[script], !json.isNull {
                agent.script = try AgentScript<AsappAct>(json, at: members.pointer.appending(script))
            }
            agents.append(agent)
        }
        return agents
    }
}

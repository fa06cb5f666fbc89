import SparringEngine
import SparringJSON

/// Somebody who takes interactions: the account's member `agents`.
struct TalkdeskAgent: NamedAgent {
    var id: String
    var name: String
    /// What the agent does unprompted; nil: nothing.
    var script: AgentScript<TalkdeskAct>?

    static let member = "agents"
    static let standard: JSON = [["id": "1", "name": "Grace Hopper"]]

    var json: JSON { ["id": .string(id), "nickname": .string(name)] }

    var names: [String] { [id, name] }

    static func read(_ account: Members) throws(ConfigurationError) -> [TalkdeskAgent] {
        var agents: [TalkdeskAgent] = []
        for (index, json) in (try account.array(member) ?? []).enumerated() {
            let script = AgentScript<TalkdeskAct>.member
            let members = try Members(
                json, at: account.pointer.appending(member).appending(index), known: ["id", "name", script])
            guard let id = try members.string("id"), !id.isEmpty else { throw members.error("id", "an agent needs an id") }
            if agents.contains(where: { $0.id.isSame(as: id) }) { throw members.error("id", "it is another agent's already") }
            var agent = TalkdeskAgent(id: id, name: try members.string("name") ?? id)
            if let json = members.object[script], !json.isNull {
                agent.script = try AgentScript<TalkdeskAct>(json, at: members.pointer.appending(script))
            }
            agents.append(agent)
        }
        return agents
    }
}

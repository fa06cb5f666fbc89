import SparringEngine
import SparringJSON

/// Somebody who writes for the business: the app's member `agents`.
struct BusinessAgent: NamedAgent {
    /// `authorId` of what they write.
    var id: String
    var name: String
    var avatarURL: String
    /// What the agent does unprompted; nil: nothing.
    var script: AgentScript<BusinessAct>?

    static let member = "agents"
    static let standard: JSON = [["id": "ada", "name": "Ada"]]

    var names: [String] { [id, name] }

    static func read(_ app: Members) throws(ConfigurationError) -> [BusinessAgent] {
        var agents: [BusinessAgent] = []
        for (index, json) in (try app.array(member) ?? []).enumerated() {
            let members = try Members(
                json, at: app.pointer.appending(member).appending(index),
                known: ["id", "name", "avatarUrl", AgentScript<BusinessAct>.member])
            guard let id = try members.string("id"), !id.isEmpty else { throw members.error("id", "an agent needs an id") }
            if agents.contains(where: { $0.id.isSame(as: id) }) { throw members.error("id", "it is another agent's already") }
            var agent = BusinessAgent(
                id: id, name: try members.string("name") ?? id,
                avatarURL: try members.string("avatarUrl") ?? "https://brand.example/\(id).png")
            if let script = members.object[AgentScript<BusinessAct>.member], !script.isNull {
                agent.script = try AgentScript<BusinessAct>(script, at: members.pointer.appending(AgentScript<BusinessAct>.member))
            }
            agents.append(agent)
        }
        return agents
    }
}

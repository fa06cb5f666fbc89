import SparringEngine
import SparringJSON

/// One of a brand's agents: the brand's member `agents`, which are users in CXone's words.
struct ChatAgent: NamedAgent {
    var id: Int64
    var firstName: String
    var surname: String
    var nickname: String
    var loginUsername: String
    var emailAddress: String
    var imageURL: String
    var isBot: Bool
    /// What the agent does unprompted; nil: nothing.
    var script: AgentScript<ChatAct>?

    static let member = "agents"
    static let standard: JSON = [["id": 12_328, "firstName": "Ada", "surname": "Lovelace", "loginUsername": "ada"]]
    private static let known = [
        "id", "firstName", "surname", "nickname", "loginUsername", "emailAddress", "imageUrl", "isBotUser", AgentScript<ChatAct>.member,
    ]

    var name: String { nickname.isEmpty ? "\(firstName) \(surname)" : nickname }

    var names: [String] { [String(id), loginUsername, emailAddress] }

    static func read(_ brand: Members) throws(ConfigurationError) -> [ChatAgent] {
        var agents: [ChatAgent] = []
        for (index, json) in (try brand.array(member) ?? []).enumerated() {
            let members = try Members(json, at: brand.pointer.appending(member).appending(index), known: known)
            // The SDK for Android reads an Int (AgentModel.kt:26).
            guard let id = try members.integer("id", in: 1...Int64(Int32.max)) else {
                throw members.error("id", "an agent needs their number")
            }
            let loginUsername = try members.string("loginUsername") ?? "agent-\(id)"
            var agent = ChatAgent(
                id: id, firstName: try members.string("firstName") ?? "Agent", surname: try members.string("surname") ?? String(id),
                nickname: try members.string("nickname") ?? "", loginUsername: loginUsername,
                emailAddress: try members.string("emailAddress") ?? "\(loginUsername)@brand.example",
                imageURL: try members.string("imageUrl") ?? "https://brand.example/\(loginUsername).png",
                isBot: try members.bool("isBotUser") ?? false)
            if let script = members.object[AgentScript<ChatAct>.member], !script.isNull {
                agent.script = try AgentScript<ChatAct>(script, at: members.pointer.appending(AgentScript<ChatAct>.member))
            }
            for (name, isTaken) in [
                ("id", agents.contains { $0.id == id }), ("loginUsername", agents.contains { $0.loginUsername == loginUsername }),
            ] where isTaken {
                throw members.error(name, "it is another agent's already")
            }
            agents.append(agent)
        }
        return agents
    }

    /// As clients see the agent (CXone reference 7.5). Without personal information what the real server drops is missing, which mobile clients
    /// cannot read.
    func json(hidingPersonalInformation isHidden: Bool) -> JSON {
        var json: JSON = [
            "id": .integer(id), "firstName": .string(firstName), "surname": .string(surname), "nickname": .string(nickname),
            "imageUrl": .string(imageURL), "publicImageUrl": .string(imageURL),
        ]
        if isHidden { return json }
        json["emailAddress"] = .string(emailAddress)
        json["loginUsername"] = .string(loginUsername)
        json["isBotUser"] = .bool(isBot)
        json["isSurveyUser"] = false
        return json
    }
}

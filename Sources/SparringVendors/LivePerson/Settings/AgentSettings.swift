import SparringJSON
import SparringSandbox

/// One of an account's agents: the account's member `agents`.
struct AgentSettings: Sendable {
    /// As agents are numbered in an account.
    var userId: String
    /// By which conversations know the agent: a UUID.
    var pid: String
    var loginName: String
    var password: String
    /// What a sign-in by assertion or by API key must bring; nil: the agent does not sign in so.
    var assertion: String?
    var apiKey: APIKey?
    /// As consumers see the agent.
    var nickname: String
    /// The rest of the public profile; without a full name, the nickname stands for it.
    var fullName, employeeId, pictureUrl: String?
    /// Ids of the skills whose conversations are offered to the agent; empty: all.
    var skills: [String]
    var profile: Profile
    /// Whether a subscription shows the agent conversations that it takes no part in. At LivePerson, this is a permission (node-agent-sdk's README);
    /// which profiles have it is not public.
    var seesAllConversations: Bool
    /// What the agent does unprompted; nil: nothing.
    var script: AgentScript<AgentAct>?

    /// What an agent may do, as LivePerson's profiles are called.
    enum Profile: String, Sendable, CaseIterable {
        case agent
        /// Changes and closes conversations without joining them (close-conversation-bot).
        case manager
        case administrator

        var mayChangeAnyConversation: Bool { self != .agent }
    }

    struct APIKey: Sendable {
        var appKey: String
        var secret: String
        var accessToken: String
        var accessTokenSecret: String
    }

    static let member = "agents"
    private static let known = [
        "userId", "userPid", "loginName", "password", "assertion", "apiKey", "nickname", "fullName", "employeeId", "pictureUrl", "skills",
        "profile", "seesAllConversations", AgentScript<AgentAct>.member,
    ]
    private static let standard: JSON = [["userId": "55", "loginName": "agent", "password": "agent-secret", "nickname": "Alex"]]

    /// What one of the account may be called by: number, the older form with the account before it, UUID or login name (LivePerson reference 7).
    func isCalled(_ name: String, account: String) -> Bool { [userId, "\(account).\(userId)", pid, loginName].containsSame(as: name) }

    /// Whether conversations of a skill are offered to the agent.
    func hasSkill(_ skill: String) -> Bool { skills.isEmpty || skill == MessagingTerms.anySkill || skills.contains(skill) }

    /// What every client may read of the agent (LivePerson, Messaging Window API: get agent public profile).
    var publicProfile: JSON {
        .members([
            "nickname": .string(nickname), "fullName": .string(fullName ?? nickname), "employeeId": employeeId.map { .string($0) },
            "pictureUrl": pictureUrl.map { .string($0) },
        ])
    }

    /// Whether the body of a login is this agent's: name and password, an assertion, or an API key (LivePerson reference 7).
    func signsIn(with body: JSON) -> Bool {
        if let given = body["assertion"]?.string { return assertion.map(given.isSame) ?? false }
        guard body["username"]?.string?.isSame(as: loginName) == true else { return false }
        if let given = body["password"]?.string { return given.isSame(as: password) }
        guard let apiKey, let given = APIKey(body) else { return false }
        return apiKey.isSame(as: given)
    }

    /// Completes the agents of a new account: each gets its UUID.
    static func complete(_ given: [JSON]?, for context: TenantContext) -> JSON {
        let agents = given ?? standard.array ?? []
        return .array(
            agents.map { agent in
                guard agent.object != nil, agent["userPid"] == nil, let id = agent["userId"]?.idText else { return agent }
                var agent = agent
                agent["userPid"] = .string(pid(of: id, account: context.id))
                return agent
            })
    }

    /// The UUID of an agent to whom none was given: the same however often the account is configured.
    private static func pid(of userId: String, account: String) -> String { Draw(seed: 0, "agent", account, userId).uuid }

    static func read(_ account: Members) throws(ConfigurationError) -> [AgentSettings] {
        var agents: [AgentSettings] = []
        for (index, json) in (try account.array(member) ?? []).enumerated() {
            let members = try Members(json, at: account.pointer.appending(member).appending(index), known: known)
            guard let userId = members.object["userId"]?.idText, !userId.isEmpty else {
                throw members.error("userId", "an agent needs its number")
            }
            let pid = try members.string("userPid") ?? pid(of: userId, account: account.object["accountId"]?.string ?? "")
            guard !pid.isEmpty else { throw members.error("userPid", "an agent needs its UUID") }
            let loginName = try members.string("loginName") ?? "agent-\(userId)"
            var agent = AgentSettings(
                userId: userId, pid: pid, loginName: loginName, password: try members.string("password") ?? "agent-secret",
                assertion: try members.string("assertion"), apiKey: try key(members),
                nickname: try members.string("nickname") ?? loginName, fullName: try members.string("fullName"),
                employeeId: try members.string("employeeId"), pictureUrl: try members.string("pictureUrl"),
                skills: try members.strings("skills") ?? [],
                profile: try members.word("profile", Profile.self) ?? .agent,
                seesAllConversations: try members.bool("seesAllConversations") ?? true)
            if let script = members.object[AgentScript<AgentAct>.member], !script.isNull {
                agent.script = try AgentScript<AgentAct>(script, at: members.pointer.appending(AgentScript<AgentAct>.member))
            }
            if let assertion = agent.assertion, agents.contains(where: { $0.assertion?.isSame(as: assertion) == true }) {
                throw members.error("assertion", "it is another agent's already")
            }
            for (name, value) in [("userId", userId), ("userPid", pid), ("loginName", loginName)]
            where agents.contains(where: { $0.userId == value || $0.pid == value || $0.loginName == value }) {
                throw members.error(name, "'\(value)' is another agent's already")
            }
            agents.append(agent)
        }
        return agents
    }

    private static func key(_ agent: Members) throws(ConfigurationError) -> APIKey? {
        guard let json = agent.object["apiKey"], !json.isNull else { return nil }
        _ = try Members(json, at: agent.pointer.appending("apiKey"), known: APIKey.members)
        guard let key = APIKey(json) else {
            throw agent.error("apiKey", "an API key needs \(APIKey.members.joined(separator: ", ")), all of them strings")
        }
        return key
    }
}

extension AgentSettings.APIKey {
    static let members = ["appKey", "secret", "accessToken", "accessTokenSecret"]

    /// Nil where a part is missing.
    init?(_ json: JSON) {
        let parts = Self.members.compactMap { json[$0]?.string }
        guard parts.count == Self.members.count else { return nil }
        self.init(appKey: parts[0], secret: parts[1], accessToken: parts[2], accessTokenSecret: parts[3])
    }

    func isSame(as other: Self) -> Bool {
        let parts = [
            (appKey, other.appKey), (secret, other.secret), (accessToken, other.accessToken), (accessTokenSecret, other.accessTokenSecret),
        ]
        return !parts.map { $0.0.isSame(as: $0.1) }.contains(false)
    }
}

import SparringVendorKit

extension LivePerson {
    /// One of an account's agents: an element of the account's `agents`.
    struct Agent: Decodable, DeskAgent {
        /// An agent's permissions, under the names of LivePerson's profiles.
        enum Profile: String, Decodable, Sendable {
            case agent
            /// Changes and closes conversations without joining them (close-conversation-bot).
            case manager
            case administrator

            var mayChangeAnyConversation: Bool { self != .agent }
        }

        struct APIKey: Decodable, Sendable {
            var appKey: String
            var secret: String
            var accessToken: String
            var accessTokenSecret: String
        }

        private var number: JSON
        /// The id by which conversations know the agent: a UUID.
        var pid: String
        private var givenLoginName: String?
        var password: String
        /// The assertion or the API key that a sign-in of that kind must bring; nil: the agent does not sign in so.
        var assertion: String?
        var apiKey: APIKey?
        private var givenNickname: String?
        /// The rest of the public profile; without a full name, the nickname stands for it.
        var fullName, employeeId, pictureUrl: String?
        /// Ids of the skills whose conversations are offered to the agent; empty: all.
        var skills: [String]
        var profile: Profile
        /// Whether a subscription shows the agent conversations that it takes no part in. At LivePerson, this is a permission (node-agent-sdk's README);
        /// which profiles have it is not public.
        var seesAllConversations: Bool
        /// The agent's unprompted acts; nil: none.
        var script: AgentScript<Act>?

        private enum CodingKeys: String, CodingKey {
            case number = "userId"
            case pid = "userPid"
            case givenLoginName = "loginName"
            case password, assertion, apiKey
            case givenNickname = "nickname"
            case fullName, employeeId, pictureUrl, skills, profile, seesAllConversations, script
        }

        /// The agent's number in the account.
        var userId: String { Self.text(number) }
        var loginName: String { givenLoginName ?? "agent-\(userId)" }
        /// The agent's name, as consumers see it.
        var nickname: String { givenNickname ?? loginName }

        private static func text(_ number: JSON) -> String { number.idText ?? number.text }

        /// The agent's names: the number, the older form with the account before it, the UUID and the login name (LivePerson reference 7).
        func names(in account: String) -> [String] { [userId, "\(account).\(userId)", pid, loginName] }

        var key: String { pid }
        var name: String { nickname }
        var json: JSON { ["userId": .string(userId), "nickname": .string(nickname)] }

        /// Whether conversations of a skill are offered to the agent.
        func hasSkill(_ skill: String) -> Bool { skills.isEmpty || skill == MessagingTerms.anySkill || skills.contains(skill) }

        /// The profile of the agent that every client may read (LivePerson, Messaging Window API: get agent public profile).
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
            guard let apiKey, let given = try? body.decoded(APIKey.self) else { return false }
            return apiKey.isSame(as: given)
        }

        /// An account's configuration with a UUID for each agent that was given none: the same however often the account is configured.
        static func identified(in account: JSON) -> JSON {
            guard let agents = account["agents"]?.array else { return account }
            var identified = account
            identified["agents"] = .array(
                agents.map { agent in
                    guard agent["userPid"] == nil, let number = agent["userId"] else { return agent }
                    let pid = Draw(seed: 0, "agent", account["accountId"]?.string ?? "", text(number)).uuid
                    return agent.filled(["userPid": .string(pid)])
                })
            return identified
        }

        /// - Throws: where the agent is called what another is called, or signs in by the same assertion.
        func requireApart(from others: some Sequence<Agent>, at place: JSONPointer) throws(ConfigurationError) {
            if let assertion, others.contains(where: { $0.assertion?.isSame(as: assertion) == true }) {
                throw ConfigurationError(place.appending("assertion"), "it is another agent's already")
            }
            for (name, value) in [("userId", userId), ("userPid", pid), ("loginName", loginName)]
            where others.contains(where: { [$0.userId, $0.pid, $0.loginName].contains(value) }) {
                throw ConfigurationError(place.appending(name), "'\(value)' is another agent's already")
            }
        }
    }
}

extension LivePerson.Agent.APIKey {
    func isSame(as other: Self) -> Bool {
        let parts = [
            (appKey, other.appKey), (secret, other.secret), (accessToken, other.accessToken), (accessTokenSecret, other.accessTokenSecret),
        ]
        return !parts.map { $0.0.isSame(as: $0.1) }.contains(false)
    }
}

extension LivePerson {
    /// The acts of agents in a conversation.
    enum Act: String, ActKind {
        case join, leave, say, card, file, form
        case typing, pause, active, inactive, gone
        case accept, read, transfer, close

        static let echo: JSON = [
            ["on": "opened", "do": ["act": "join"]], ["on": "content", "do": ["act": "accept"]], ["do": ["act": "read"]],
            ["on": "text", "do": ["act": "say", "text": "{{text}}"]],
        ]

        var messages: String? { [.accept, .read].contains(self) ? "sequenceList" : nil }

        /// The chat state that it is (LivePerson reference 5.11); nil where it is none.
        var chatState: String? {
            switch self {
            case .typing: "COMPOSING"
            case .pause, .active, .inactive, .gone: rawValue.uppercased()
            default: nil
            }
        }
    }
}

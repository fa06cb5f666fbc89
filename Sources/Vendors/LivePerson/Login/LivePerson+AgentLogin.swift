import SparringVendorKit

/// Handlers of the tag "AgentLogin" (LivePerson reference 7).
extension LivePerson {
    /// The spelling of LivePerson's pages, and that of two clients: LivePersonInc/faas-cli sends the second, mkwong04/livePersonBotPOC looks for
    /// it in the login's answer. Names of cookies are compared as they are written (RFC 6265 §5.3).
    private static let sessionCookies = ["Session_id", "session_id"]

    func agentLogin(_ db: Database, _ call: Call) throws -> Decision {
        guard let agent = call.settings(of: self).agents.first(where: { $0.signsIn(with: call.body ?? [:]) }) else {
            throw Refusal("credentials-refused", "no agent of account \(call.tenant.id) signs in like this")
        }
        let lifetime = call.settings(of: self).agentSessionLifetime
        let login = AgentState.Login(
            account: call.tenant.id, bearer: call.secret("bearer").hex, csrf: call.secret("csrf").hex,
            cookie: String(call.secret("agent session").hex.prefix(32)), agent: agent.pid, expires: call.now + lifetime)
        try login.insert(call.sandbox.id, db)
        for credential in [login.bearer, login.csrf] { try call.sandbox.issued(credential, to: agent.loginName, db) }
        let config: JSON = [
            "loginName": .string(agent.loginName), "userId": .string(agent.userId), "userPid": .string(agent.pid), "userPrivileges": [],
            "isAdmin": .bool(agent.profile == .administrator), "isLPA": false,
        ]
        return .answer(
            "agent-logged-in",
            [
                "bearer": .string(login.bearer), "csrf": .string(login.csrf), "sessionId": .string(login.cookie),
                "wsuk": .string(String(call.secret("wsuk").number(below: 1_000_000_000_000_000_000))),
                "sessionTTl": .string(String(lifetime.milliseconds)), "config": config,
                "csdsCollectionResponse": ["baseURIs": .array(serviceLocations(call))], "accountData": [:],
            ], headers: Self.cookies(login), cause: "\(agent.nickname) (\(agent.pid)) is signed in until \(login.expires)")
    }

    func agentRefresh(_ db: Database, _ call: Call) throws -> Decision {
        guard Self.cookie(of: call) != nil else {
            throw Refusal("session-expired", "there is no cookie \(Self.sessionCookies.joined(separator: " or "))")
        }
        let login = try session(call, db)
        let expires = call.now + call.settings(of: self).agentSessionLifetime
        try AgentState.extend(login.bearer, until: expires, call.sandbox.id, db)
        return .answer("session-refreshed", headers: Self.cookies(login), cause: "the session lasts until \(expires)")
    }

    func agentLogout(_ db: Database, _ call: Call) throws -> Decision {
        let login = try session(call, db)
        try AgentState.extend(login.bearer, until: call.now, call.sandbox.id, db)
        return .answer("agent-logged-out", cause: "the session of agent \(login.agent) is over")
    }

    /// The session that a call names by its cookie, or else by its bearer, and may extend or end.
    private func session(_ call: Call, _ db: Database) throws -> AgentState.Login {
        var login: AgentState.Login?
        if let cookie = Self.cookie(of: call) {
            login = try AgentState.login(cookie: cookie, call.sandbox.id, db)
        } else if let words = call.header(.authorization)?.split(separator: " "), words.count == 2 {
            login = try AgentState.login(bearer: String(words[1]), call.sandbox.id, db)
        }
        guard let login, login.account == call.tenant.id else {
            throw Refusal("session-expired", "account \(call.tenant.id) has no such session")
        }
        guard call.now < login.expires else {
            throw Refusal("session-expired", "the session ended \((call.now - login.expires).words) ago")
        }
        if let csrf = call.field("csrf"), !csrf.isSame(as: login.csrf) {
            throw Refusal("csrf-mismatch", "csrf is not that of the session")
        }
        return login
    }

    /// The session's cookie; nil if there is none. Of two, that of LivePerson's pages counts.
    private static func cookie(of call: Call) -> String? {
        let cookies = (call.header(.cookie) ?? "").split(separator: ";").map { $0.trimmingPrefix { $0 == " " } }
        for name in sessionCookies {
            if let cookie = cookies.first(where: { $0.hasPrefix(name + "=") }) { return String(cookie.dropFirst(name.count + 1)) }
        }
        return nil
    }

    private static func cookies(_ login: AgentState.Login) -> HTTPFields {
        var fields: HTTPFields = [:]
        for name in sessionCookies { fields.append(HTTPField(name: .setCookie, value: "\(name)=\(login.cookie); Path=/; HttpOnly")) }
        return fields
    }
}

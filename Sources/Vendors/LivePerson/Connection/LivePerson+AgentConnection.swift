import SparringVendorKit

/// Handlers of the tag "AgentConnection": an agent's socket from its opening to its end (LivePerson reference 7).
extension LivePerson {
    func openAgentSocket(_ db: Database, _ call: Call) throws -> Decision {
        guard let socket = call.socket else { throw ToolError("the call opens no socket") }
        let bearer = call.path("bearer")
        guard let login = try AgentState.login(bearer: bearer, call.sandbox.id, db), login.account == call.tenant.id else {
            throw Refusal("token-refused", "account \(call.tenant.id) gave out no such bearer")
        }
        guard call.now < login.expires else { throw Refusal("token-refused", "the session ended \((call.now - login.expires).words) ago") }
        guard let agent = call.settings(of: self).agents.first(where: { $0.pid == login.agent }) else {
            throw Refusal("token-refused", "the account has no agent \(login.agent) any more")
        }
        watchIdleness(of: socket, call)
        socket.assign(to: Messaging.agents(of: call.tenant))
        socket.remember(AgentSession.key, AgentSession(agent: agent, bearer: bearer, version: call.query("v") ?? "2.1"))
        socket.identify(as: call.sandbox.owner(of: bearer) ?? agent.loginName)
        socket.setTimer(Self.agentSessionEnd, at: login.expires)
        return .answer("socket-opened", cause: "opened by agent \(agent.nickname) (\(agent.pid))")
    }

    static let agentSessionEnd = "agent session"

    /// A refresh may have put the end off meanwhile.
    func agentSessionEnded(_ socket: Socket, _ outbox: Outbox, _ db: Database) throws {
        let login = try socket.agentSession.flatMap { try AgentState.login(bearer: $0.bearer, socket.sandbox.id, db) }
        if let login, socket.sandbox.clock.now < login.expires {
            socket.setTimer(Self.agentSessionEnd, at: login.expires)
        } else {
            outbox.close(socket, 4401, "", cause: "the session of agent \(socket.lane) ended")
        }
    }

    func agentGetClock(_ call: Call) -> Decision {
        .answer(reply("agent-clock-told", body: ["currentTime": .integer(call.now.milliseconds)], call))
    }

    /// Agents' sockets have a session from the first.
    func agentSession(of call: Call) throws -> (session: AgentSession, socket: Socket) {
        guard let socket = call.socket, let session = socket.agentSession else { throw ToolError("the call has no agent's socket") }
        return (session, socket)
    }
}

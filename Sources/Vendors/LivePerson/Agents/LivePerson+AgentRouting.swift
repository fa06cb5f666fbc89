import SparringVendorKit

/// Handlers of the tag "AgentRouting": an agent's state, and the rings that offer it conversations (LivePerson reference 7).
extension LivePerson {
    static let agentStateChanged = "agentStateChanged"
    static let routingTasksChanged = "routingTasksChanged"

    func setAgentState(_ db: Database, _ call: Call) throws -> Decision {
        let session = try agentSession(of: call).session
        let availability = call.body?["body"]?["availability"]?.string ?? "AWAY"
        let messaging = Messaging(call.occasion, db)
        try AgentState.setAvailability(availability, of: session.agent.pid, account: call.tenant.id, call.sandbox.id, db)
        try messaging.tellAgents(ofState: availability, of: session.agent)
        let offered = try messaging.offerWaiting(to: session.agent)
        return .answer(reply("agent-state-set", call, cause: "\(session.agent.nickname) is \(availability)" + Self.words(offered)))
    }

    /// Follows the agent that the request names, else the agent that asks.
    func subscribeAgentsState(_ call: Call) throws -> Decision {
        let (known, socket) = try agentSession(of: call)
        var session = known
        let id = call.draw("subscription").uuid
        let named = call.body?["body"]?["agentId"]?.idText
        let agent = call.settings(of: self).agents.first { agent in
            named.map { agent.isCalled($0, in: call.tenant.id) } ?? false
        }
        session.states.append((id, agent?.pid ?? session.agent.pid))
        socket.remember(AgentSession.key, session)
        return .answer(reply("agents-state-subscribed", body: ["subscriptionId": .string(id)], call))
    }

    /// Offers waiting conversations at once; earlier rings, such as those from before a reconnect, are sent again.
    func subscribeRoutingTasks(_ db: Database, _ call: Call) throws -> Decision {
        let (known, socket) = try agentSession(of: call)
        var session = known
        let id = call.draw("subscription").uuid
        let filter = RoutingFilter(call.body?["body"])
        let messaging = Messaging(call.occasion, db)
        try messaging.tellRings(to: socket, subscription: id, agent: session.agent, where: filter.fits)
        session.routing.append((id, filter))
        socket.remember(AgentSession.key, session)
        let offered = try messaging.offerWaiting(to: session.agent)
        return .answer(reply("routing-tasks-subscribed", body: ["subscriptionId": .string(id)], call, cause: Self.words(offered)))
    }

    /// Replaces the filter as a whole. The agent is notified of rings that fit only the new filter, and is offered waiting conversations; it can
    /// still accept a ring that does not fit the new filter. All of this is assumed.
    func updateRoutingTaskSubscription(_ db: Database, _ call: Call) throws -> Decision {
        let (known, socket) = try agentSession(of: call)
        var session = known
        let body = call.body?["body"]
        let id = body?["subscriptionId"]?.idText ?? ""
        guard let index = session.routing.firstIndex(where: { $0.id == id }) else {
            throw Refusal("subscription-unknown", "the socket has no subscription '\(id)' to routing tasks")
        }
        let (former, filter) = (session.routing[index].filter, RoutingFilter(body))
        let messaging = Messaging(call.occasion, db)
        try messaging.tellRings(to: socket, subscription: id, agent: session.agent) { filter.fits($0) && !former.fits($0) }
        session.routing[index].filter = filter
        socket.remember(AgentSession.key, session)
        let offered = try messaging.offerWaiting(to: session.agent)
        return .answer(
            reply(
                "routing-task-subscription-updated", body: ["subscriptionId": .string(id)], call,
                cause: "follows \(filter.words)" + Self.words(offered)))
    }

    func updateRingState(_ db: Database, _ call: Call) throws -> Decision {
        let session = try agentSession(of: call).session
        let body = call.body?["body"]
        guard body?["ringState"]?.string == "ACCEPTED" else {
            throw Refusal("request-malformed", "a ring can only be ACCEPTED, not '\(body?["ringState"]?.string ?? "")'")
        }
        let words = try Messaging(call.occasion, db).accept(ring: body?["ringId"]?.idText ?? "", by: session.agent)
        return .answer(reply("ring-state-updated", call, cause: words))
    }

    private static func words(_ offered: [String]) -> String {
        offered.isEmpty ? "" : "; offered \(offered.count == 1 ? "conversation" : "conversations") \(offered.joined(separator: ", "))"
    }

    // MARK: Due work

    func expireRing(_ db: Database, _ call: DueCall) throws -> DueOutcome {
        DueOutcome(try Messaging(call.occasion, db).expire(ring: call.item.body["ring"]?.string ?? ""))
    }
}

import SparringVendorKit

/// How a conversation comes to an agent (LivePerson reference 5.16: unknown at LivePerson; 7 for what agents see of it). A conversation without an
/// assigned agent waits. It rings at once at every agent who is ONLINE with its skill and has subscribed to routing tasks; the first to
/// accept is assigned, and the others' rings are taken back. A ring runs out; an agent who let it run out is offered the conversation again
/// when it next says that it is ONLINE, or subscribes again.
extension Messaging {
    /// Begins, goes on or ends the wait of a conversation that has changed.
    func route(_ conversation: Conversation, before: Conversation?) throws {
        let task = try RoutingState.task(of: conversation.id, sandbox.id, db)
        guard conversation.state == "OPEN", conversation.assigned.isEmpty else {
            guard let task, task.isWaiting else { return }
            try RoutingState.stopWaiting(conversation.id, sandbox.id, db)
            for ring in try RoutingState.rings(of: conversation.id, sandbox.id, db) { try end(ring, "WITHDRAWN", conversation) }
            return
        }
        let rings = try RoutingState.rings(of: conversation.id, sandbox.id, db)
        let isSuggested = task?.suggested.map { agent in !rings.contains { $0.agent == agent } } ?? false
        let isHandedOver = isSuggested || before.map { $0.skill != conversation.skill || !$0.assigned.isEmpty } ?? false
        guard task?.isWaiting != true || isHandedOver else { return }
        try RoutingState.wait(conversation.id, account: tenant.id, isTransfer: isHandedOver || task?.isTransfer == true, sandbox.id, db)
        for ring in rings { try end(ring, "WITHDRAWN", conversation) }
        for agent in settings.agents { try offer(conversation, to: agent) }
    }

    /// Offers an agent everything that waits and that it has no ring of.
    ///
    /// - Returns: the ids of what it was offered.
    func offerWaiting(to agent: LivePerson.Agent) throws -> [String] {
        var offered: [String] = []
        for id in try RoutingState.waiting(account: tenant.id, sandbox.id, db) {
            guard let conversation = try Conversation.find(id, sandbox: sandbox.id, db) else { continue }
            if try offer(conversation, to: agent) { offered.append(id) }
        }
        return offered
    }

    /// - Returns: false where the agent is not one to offer it to, or has been.
    @discardableResult
    private func offer(_ conversation: Conversation, to agent: LivePerson.Agent) throws -> Bool {
        guard let task = try RoutingState.task(of: conversation.id, sandbox.id, db), try isFree(agent, for: conversation, task),
            try RoutingState.rings(of: conversation.id, sandbox.id, db).allSatisfy({ $0.agent != agent.pid })
        else { return false }
        let earlier = try RoutingState.count(of: conversation.id, sandbox.id, db)
        let number = draw("ring \(conversation.id) \(earlier)").number(below: 10_000_000_000_000)
        let ring = RoutingState.Ring(
            id: "\(conversation.id)_\(tenant.id)_\(number)", conversation: conversation.id, agent: agent.pid, state: "WAITING",
            expires: now + settings.messaging.ringExpiration)
        try ring.insert(account: tenant.id, sandbox.id, db)
        try sandbox.schedule(
            DueItem(
                due: ring.expires, vendor: tenant.vendor, kind: Self.ringExpiry,
                what: "end of the ring of conversation \(conversation.id) at agent \(agent.loginName)", lane: agent.loginName,
                key: Self.key(of: ring), body: ["ring": .string(ring.id)], causedBy: origin), db)
        try tell(agent.pid, "UPSERT", conversation, [ring], "conversation \(conversation.id) rings until \(ring.expires)")
        return true
    }

    static let ringExpiry = "expireRing"
    private static func key(of ring: RoutingState.Ring) -> String { "ring \(ring.id)" }

    /// OCCUPIED agents are offered what others hand over, and nothing new (node-agent-sdk's README).
    private func isFree(_ agent: LivePerson.Agent, for conversation: Conversation, _ task: RoutingState.Task) throws -> Bool {
        let availability = try AgentState.availability(of: agent.pid, account: tenant.id, sandbox.id, db)
        guard availability == "ONLINE" || availability == "OCCUPIED" && task.isTransfer else { return false }
        let isAtHand = agentSockets.contains { _, session in
            session.agent.pid == agent.pid && session.routing.contains { $0.filter.fits(conversation) }
        }
        guard isAtHand else { return false }
        if let suggested = task.suggested { return suggested == agent.pid }
        return agent.hasSkill(conversation.skill)
    }

    // MARK: The end of a ring

    /// - Returns: what was done, in words.
    func accept(ring id: String, by agent: LivePerson.Agent) throws -> String {
        guard let ring = try RoutingState.ring(id, account: tenant.id, sandbox.id, db), ring.agent == agent.pid else {
            throw Refusal("ring-unknown", "\(agent.nickname) has no ring '\(id)'")
        }
        guard let conversation = try Conversation.find(ring.conversation, sandbox: sandbox.id, db), ring.state == "WAITING" else {
            throw Refusal("ring-expired", "the ring is \(ring.state)")
        }
        guard now < ring.expires else {
            throw Refusal("ring-expired", "the ring ran out \((now - ring.expires).words) ago")
        }
        try RoutingState.set("ACCEPTED", ring: ring.id, sandbox.id, db)
        try sandbox.cancelDueWork(of: tenant.vendor, key: Self.key(of: ring), db)
        let joining: JSON = [
            "field": "ParticipantsChange", "type": "ADD", "role": .string(agent.participant.role), "userId": .string(agent.pid),
        ]
        let changed: Changed
        do { changed = try change(conversation, [joining], by: agent.participant) } catch let refusal as Refusal {
            throw Refusal("ring-expired", refusal.cause)
        }
        var accepted = ring
        accepted.state = "ACCEPTED"
        try tell(agent.pid, "UPSERT", changed.conversation, [accepted], "the ring was accepted")
        return changed.words
    }

    /// - Returns: what became of it, in words.
    func expire(ring id: String) throws -> String {
        guard let ring = try RoutingState.ring(id, account: tenant.id, sandbox.id, db), ring.state == "WAITING",
            let conversation = try Conversation.find(ring.conversation, sandbox: sandbox.id, db)
        else { return "the ring has ended before" }
        try end(ring, "EXPIRED", conversation)
        let who = settings.agents.first { $0.pid == ring.agent }?.nickname ?? ring.agent
        let words = "\(who) did not accept conversation \(conversation.id) in time"
        guard try RoutingState.task(of: conversation.id, sandbox.id, db)?.suggested == ring.agent else { return words }
        // The agent whom it was suggested to does not want it: it goes to every agent with its skill (assumed).
        try RoutingState.suggest(nil, for: conversation.id, account: tenant.id, sandbox.id, db)
        for agent in settings.agents where agent.pid != ring.agent { try offer(conversation, to: agent) }
        return words + "; it is offered to others"
    }

    private func end(_ ring: RoutingState.Ring, _ state: String, _ conversation: Conversation) throws {
        try RoutingState.set(state, ring: ring.id, sandbox.id, db)
        try sandbox.cancelDueWork(of: tenant.vendor, key: Self.key(of: ring), db)
        try tell(ring.agent, "DELETE", conversation, [], "the ring of conversation \(conversation.id) is \(state)")
    }

    // MARK: Telling

    /// Tells a socket that subscribes of the agent's rings from before.
    func tellRings(
        to socket: Socket, subscription: String, agent: LivePerson.Agent, where isWanted: (Conversation) -> Bool
    ) throws {
        let changes = try RoutingState.rings(at: agent.pid, account: tenant.id, sandbox.id, db).compactMap { ring -> JSON? in
            guard now < ring.expires, let conversation = try Conversation.find(ring.conversation, sandbox: sandbox.id, db),
                isWanted(conversation)
            else { return nil }
            return ["type": "UPSERT", "result": result(conversation, [ring])]
        }
        if !changes.isEmpty { try send(changes, subscription, to: socket, "rings from before") }
    }

    /// The end of a ring goes to every subscription: the conversation may have another skill by now than when the ring began.
    private func tell(
        _ agent: String, _ kind: String, _ conversation: Conversation, _ rings: [RoutingState.Ring], _ cause: String
    ) throws {
        let change: JSON = ["type": .string(kind), "result": result(conversation, rings)]
        for (socket, session) in agentSockets where session.agent.pid == agent {
            for (id, filter) in session.routing where kind == "DELETE" || filter.fits(conversation) {
                try send([change], id, to: socket, cause)
            }
        }
    }

    private func send(_ changes: [JSON], _ subscription: String, to socket: Socket, _ cause: String) throws {
        let body: JSON = ["subscriptionId": .string(subscription), "changes": .array(changes)]
        try outbox.notify(LivePerson.routingTasksChanged, body, to: socket, cause: Cause(cause))
    }

    private func result(_ conversation: Conversation, _ rings: [RoutingState.Ring]) -> JSON {
        // The README's sample has as its weight when the consumer is promised an answer; an agent's own time overrides that.
        let promised =
            conversation.manualETTR ?? conversation.started
            + .seconds(conversation.ttr["value"]?.integer(in: Conversation.ttrSeconds) ?? 0)
        let details = rings.map { ring -> JSON in
            [
                "ringId": .string(ring.id), "ringState": .string(ring.state), "ringExpirationTs": .integer(ring.expires.milliseconds),
                "ringExpiration": .integer(settings.messaging.ringExpiration.milliseconds),
                "weight": .integer(promised.milliseconds),
            ]
        }
        return [
            "conversationId": .string(conversation.id), "consumerId": .string(conversation.consumer),
            "skillId": .string(conversation.skill),
            "taskCompleted": .bool(!conversation.assigned.isEmpty), "ringsDetails": .array(details),
        ]
    }
}

import GRDB
import SparringContract
public import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// What CXone adds to the admin API.
extension CXone {
    public func adminHandler(of operation: AdminOperation) -> AdminHandler {
        switch operation {
        case .join: agentAct(.join)
        case .leave: agentAct(.leave)
        case .say: agentAct(.say)
        case .card: agentAct(.card)
        case .file: agentAct(.file)
        case .typing: agentAct(.typing)
        case .pause: agentAct(.pause)
        case .read: agentAct(.read)
        case .transfer: agentAct(.transfer)
        case .close: agentAct(.close)
        case .setStatus: agentAct(.setStatus)
        case .setQueuePosition: agentAct(.setQueuePosition)
        case .offer: .act(in: Self.customer, offer)
        case .push: .act(in: Self.customer, push)
        case .signOut: .act(in: Self.customer, signOut)
        case .readConversation: .read(readConversation)
        }
    }

    private static func customer(_ db: Database, _ request: AdminRequest) throws -> String {
        let customer = try ContactAim(request.body, request.tenant, db).customer().id
        return try CustomerState.lane(of: customer, request.tenant.id, request.sandbox.id, db)
    }

    /// What an agent does in a contact, in the lane of its customer.
    private func agentAct(_ kind: ChatAct.Kind) -> AdminHandler {
        .act(
            checking: { (body: JSON) throws(ConfigurationError) in _ = try ChatAct(kind, body, besides: AdminAim.members) },
            in: { db, request in
                let customer = try ContactAim(request.body, request.tenant, db).contact().thread.customer
                return try CustomerState.lane(of: customer, request.tenant.id, request.sandbox.id, db)
            }
        ) { db, request, occasion in
            let aim = try ContactAim(request.body, request.tenant, db)
            let contact = try aim.contact()
            let agent = try aim.agent(for: contact)
            let act = try ChatAct(kind, request.body, besides: AdminAim.members)
            guard let channel = request.tenant.settings(of: CXone.self).channel(contact.channel) else {
                throw Refusal("channel-unknown", "channel '\(contact.channel)' is gone")
            }
            let chat = Chat(occasion, db, vendor: self, channel: channel, customer: contact.thread.customer)
            let acted = try chat.perform(act, by: agent, in: contact).get()
            let json = JSON.members([
                "conversation": .string(contact.id), "consumer": .string(contact.thread.customer),
                "agent": ["userId": .string(String(agent.id)), "nickname": .string(agent.name)], "act": .string(kind.rawValue),
                "sequence": acted.sequence.map { .integer(Int64($0)) }, "delivery": .string(acted.delivery.rawValue),
                "done": .array(acted.done.map { .string($0) }),
            ])
            return Answer("agent-acted", json, cause: "\(agent.name) to \(contact.thread.customer): \(acted.done.joined(separator: "; "))")
        }
    }

    // MARK: What is offered and pushed

    private func chats(with customer: String, _ occasion: Occasion, _ db: Database) -> [Chat] {
        occasion.settings(of: self).channels.map { Chat(occasion, db, vendor: self, channel: $0, customer: customer) }
    }

    /// `{"consumer","actionId"}`, or an action of its own: a welcome or a popup that no channel has.
    private func offer(_ db: Database, _ request: AdminRequest, _ occasion: Occasion) throws -> Answer {
        let members = try Members(
            request.body, known: ["consumer", "actionId", "actionType", "actionName", "bodyText", "variables", "handover"])
        let customer = try ContactAim(request.body, request.tenant, db).customer().id
        let chats = chats(with: customer, occasion, db)
        let id = try members.string("actionId")
        let action: ProactiveAction
        if let known = chats.flatMap(\.channel.proactiveActions).first(where: { $0.id == id }) {
            action = known
        } else if members.object["bodyText"] != nil {
            var described = members.object
            described["consumer"] = nil
            described["actionId"] = .string(id ?? ProactiveAction.id(occasion.origin.ordinal))
            action = try self.action(.object(described))
        } else {
            let known = chats.flatMap(\.channel.proactiveActions).map(\.id)
            throw members.error("actionId", "no channel has the action '\(id ?? "")'" + Nearest.hint(for: id ?? "", in: known))
        }
        var done: [String] = []
        for chat in chats where try chat.offer(action) { done.append("\(action.name) offered in channel '\(chat.channel.id)'") }
        if done.isEmpty { done.append("no socket of \(customer)'s is open") }
        return Answer("offered", ["done": .array(done.map { .string($0) })], cause: done.joined(separator: "; "))
    }

    /// An action that is described as a channel's configuration describes its own, by the same schema.
    private func action(_ described: JSON) throws(ConfigurationError) -> ProactiveAction {
        let brand: JSON = ["channelDefaults": ["proactiveActions": [described]]]
        let completed: JSON
        do throws(ConfigurationError) { completed = try contract.tenant?.completed(brand) ?? brand } catch {
            // Without the place in the brand.
            throw ConfigurationError(JSONPointer(tokens: Array(error.pointer.tokens.dropFirst(3))), error.message)
        }
        return try (completed["channelDefaults"]?["proactiveActions"]?.array?.first ?? described).decoded()
    }

    /// `{"consumer","text","title"}`: a notification on the devices of the customer's visitors.
    private func push(_ db: Database, _ request: AdminRequest, _ occasion: Occasion) throws -> Answer {
        let members = try Members(request.body, known: ["consumer", "text", "title"])
        guard let text = try members.string("text"), !text.isEmpty else { throw members.error("text", "something must be said") }
        let customer = try ContactAim(request.body, request.tenant, db).customer().id
        let devices = try chats(with: customer, occasion, db).first?.notify(
            text, title: try members.string("title") ?? "Brand", thread: nil)
        let done = (devices ?? []).map { "notification on device \($0)" }
        let words = done.isEmpty ? ["\(customer) has no registered device: no push"] : done
        return Answer("push-taken", ["done": .array(words.map { .string($0) })], cause: words.joined(separator: "; "))
    }

    /// `{"consumer"}`: ends their sockets, and makes all their tokens invalid.
    private func signOut(_ db: Database, _ request: AdminRequest, _ occasion: Occasion) throws -> Answer {
        let reason = try Members(request.body, known: ["consumer", "reason"]).string("reason")
        let customer = try ContactAim(request.body, request.tenant, db).customer().id
        try occasion.signsOut(customer, db)
        var done: [String] = []
        for socket in chats(with: customer, occasion, db).flatMap({ $0.sockets(of: customer) }) {
            // Which code the real gateway has for it is unknown (CXone reference 4.3).
            occasion.outbox.close(socket, 1008, "Signed out", cause: "\(customer) was signed out")
            done.append("socket \(socket.number) closed with 1008")
        }
        if done.isEmpty { done.append("no socket was open") }
        try TokenState.revoke(of: customer, request.tenant.id, request.sandbox.id, db)
        try CustomerState.count(.signOut, of: customer, request.tenant.id, request.sandbox.id, db)
        done.append("tokens given out before are refused")
        return Answer(
            "signed-out", ["done": .array(done.map { .string($0) })],
            cause: "\(customer) was signed out\(reason.map { " (\($0))" } ?? ""): \(done.joined(separator: "; "))")
    }
}

import GRDB
import SparringContract
import SparringEngine
import SparringJSON
import SparringJournal

/// Behaviours of the tag "Conversations" (reference 5.7 to 5.9, 5.13).
extension LivePerson {
    func requestConversation(_ db: Database, _ call: Call) throws -> Outcome {
        try asConsumer(call) { session, _ in
            let body = call.body?["body"]
            let earlier = try Conversation.all(of: session.consumer, account: call.tenant.id, sandbox: call.sandbox.id, db)
            // Whether LivePerson allows a second open conversation is unknown (reference 5.7): the account says.
            let open = earlier.filter { $0.state == "OPEN" }.map(\.id)
            if let first = open.first, !call.settings(of: self).messaging.allowsSecondConversation {
                return .refusal(Refusal("conversation-already-open", "conversation \(first) of \(session.consumer) is open"))
            }
            let ttr = body?["ttrDefName"]?.string ?? "NORMAL"
            let conversation = Conversation(
                id: call.draw("conversation").uuid, account: call.tenant.id, consumer: session.consumer,
                skill: body?["skillId"]?.idText ?? "-1", ttr: ["ttrType": .string(ttr), "value": .integer(Self.ttrSeconds[ttr] ?? 3600)],
                context: body?["conversationContext"], campaign: body?["campaignInfo"]?["campaignId"]?.idText,
                engagement: body?["campaignInfo"]?["engagementId"]?.idText, isFirst: earlier.isEmpty, at: call.now)
            try conversation.store(sandbox: call.sandbox.id, db)
            try notify(conversation, before: nil, call)
            let cause =
                "conversation \(conversation.id) of \(call.lane)"
                + (open.isEmpty ? "" : "; open besides: \(open.joined(separator: ", "))")
            return .answer(reply("conversation-requested", body: ["conversationId": .string(conversation.id)], call, cause: cause))
        }
    }

    /// Seconds within which an answer is promised; the numbers are an account's own at LivePerson.
    private static let ttrSeconds: [String: Int64] = ["URGENT": 600, "NORMAL": 3600, "PRIORITIZED": 1800]

    func subscribeConversations(_ db: Database, _ call: Call) throws -> Outcome {
        try asConsumer(call) { session, socket in
            var session = session
            let id = call.draw("subscription").uuid
            let filter = ConversationFilter(call.body?["body"])
            session.conversations.append((id, filter))
            socket.remember(ConsumerSession.key, session)
            let all = try Conversation.all(of: session.consumer, account: call.tenant.id, sandbox: call.sandbox.id, db)
            let changes = all.filter(filter.fits).map { Self.change("UPSERT", $0) }
            try call.outbox.send(
                Self.conversationsChanged,
                Self.notification(Self.conversationsChanged, ["subscriptionId": .string(id), "changes": .array(changes)], socket),
                to: socket, cause: "what is there already")
            return .answer(reply("conversations-subscribed", body: ["subscriptionId": .string(id)], call))
        }
    }

    func unsubscribeConversations(_ call: Call) throws -> Outcome {
        asConsumer(call) { session, socket in
            var session = session
            let id = call.body?["body"]?["subscriptionId"]?.idText ?? ""
            guard session.conversations.contains(where: { $0.id == id }) else {
                return .refusal(Refusal("subscription-unknown", "the socket has no subscription '\(id)'"))
            }
            session.conversations.removeAll { $0.id == id }
            socket.remember(ConsumerSession.key, session)
            return .answer(reply("conversations-unsubscribed", call))
        }
    }

    func updateConversation(_ db: Database, _ call: Call) throws -> Outcome {
        try asConsumer(call) { session, _ in
            let id = call.body?["body"]?["conversationId"]?.idText ?? ""
            guard var conversation = try Conversation.find(id, sandbox: call.sandbox.id, db), conversation.consumer == session.consumer,
                conversation.account == call.tenant.id
            else { return .refusal(Refusal("conversation-unknown", "\(session.consumer) has no conversation '\(id)'")) }
            let before = conversation
            var done: [String] = []
            for field in call.body?["body"]?["conversationField"]?.oneOrMore ?? [] {
                switch Self.apply(field, to: &conversation, by: "CONSUMER", at: call.now) {
                case .success(let what): done.append(what)
                case .failure(let refusal): return .refusal(refusal)
                }
            }
            try conversation.store(sandbox: call.sandbox.id, db)
            try notify(conversation, before: before, call)
            let isResolved = before.state == "OPEN" && conversation.state == "CLOSE"
            return .answer(
                reply(
                    "conversation-updated", body: .string(isResolved ? "OK Conversation resolved successfully" : "OK"), call,
                    cause: "\(done.joined(separator: ", ")) in conversation \(id)"))
        }
    }

    /// One element of `conversationField` (reference 5.13).
    ///
    /// - Returns: what was done, in words.
    static func apply(_ field: JSON, to conversation: inout Conversation, by role: String, at now: Timestamp) -> Result<String, Refusal> {
        let name = field["field"]?.string ?? ""
        switch name {
        case "ConversationStateField", "Stage":
            guard field["conversationState"]?.string == "CLOSE" else {
                return .failure(Refusal("request-malformed", "\(name) can only be set to CLOSE"))
            }
            guard conversation.stage == "OPEN" else {
                return .failure(Refusal("conversation-closed", "the conversation is closed already"))
            }
            conversation.closeAll(by: role, cause: "Closed by \(role.lowercased())", at: now)
            return .success("closed all")
        case "DialogChange":
            let id = field["dialog"]?["dialogId"]?.idText ?? ""
            guard field["type"]?.string == "UPDATE", field["dialog"]?["state"]?.string == "CLOSE" else {
                return .failure(Refusal("request-malformed", "DialogChange can only set a dialog to state CLOSE"))
            }
            guard let dialog = conversation.dialogs.first(where: { $0.id == id }) else {
                return .failure(Refusal("dialog-unknown", "the conversation has no dialog '\(id)'"))
            }
            guard dialog.state == "OPEN" else { return .failure(Refusal("dialog-closed", "dialog \(id) is closed already")) }
            conversation.close(
                dialog: id, by: role, cause: field["dialog"]?["closedCause"]?.string ?? "Closed by \(role.lowercased())", at: now)
            return .success("closed dialog \(id)")
        case "TTRField":
            conversation.ttr = .members(["ttrType": field["ttrType"] ?? "NORMAL", "value": field["value"] ?? conversation.ttr["value"]])
            conversation.updated = now
            return .success("set ttr")
        case "CSATRate":
            conversation.csat = .members([
                "csatRate": field["csatRate"], "csatResolutionConfirmation": field["csatResolutionConfirmation"], "status": field["status"],
            ])
            conversation.updated = now
            return .success("rated")
        default: return .failure(Refusal("request-malformed", "a consumer cannot change '\(name)'"))
        }
    }

    // MARK: Notifications

    static let conversationsChanged = "conversationsChanged"

    /// Tells everybody subscribed: an UPSERT where the conversation fits, a DELETE where it did and does not any more.
    func notify(_ conversation: Conversation, before: Conversation?, _ call: Call) throws {
        for socket in call.sockets where socket.tenant.id == call.tenant.id {
            guard let session = socket.session, session.consumer == conversation.consumer else { continue }
            for (id, filter) in session.conversations {
                let kind = filter.fits(conversation) ? "UPSERT" : before.map(filter.fits) == true ? "DELETE" : nil
                guard let kind else { continue }
                try call.outbox.send(
                    Self.conversationsChanged,
                    Self.notification(
                        Self.conversationsChanged, ["subscriptionId": .string(id), "changes": [Self.change(kind, conversation)]], socket),
                    to: socket)
            }
        }
    }

    private static func change(_ kind: String, _ conversation: Conversation) -> JSON {
        ["type": .string(kind), "result": conversation.view]
    }

    /// A notification's envelope as the contract's example has it.
    static func notification(_ message: String, _ body: JSON, _ socket: Socket) -> JSON {
        var notification = socket.channel.sent.first { $0.id == message }?.example ?? [:]
        notification["body"] = body
        return notification
    }
}

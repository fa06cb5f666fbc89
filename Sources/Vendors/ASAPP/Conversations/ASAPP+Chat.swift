import SparringVendorKit

/// The status, the socket and the messages (ASAPP reference 2.5 and 2.6).
extension ASAPP {
    func readStatus(_ chat: CompanyChat, _ call: Call) throws -> Decision {
        let issue = try IssueState.open(of: chat.customer, call.sandbox.id, chat.db)
        return .answer(
            "status-told", ["unreadMessages": .integer(Int64(chat.customer.unread)), "isLiveChat": .bool(issue?.isLive ?? false)],
            cause: issue.map { "conversation \($0.id) is in stage \($0.stage.rawValue)" } ?? "no conversation is open")
    }

    func requestSocket(_ chat: CompanyChat, _ call: Call) throws -> Decision {
        let header = call.header(.authorization) ?? ""
        let token = ChatSessionState.SocketToken(
            token: String(call.secret("socket token").hex.prefix(32)), company: call.tenant.id, session: header.credential,
            expiresAt: call.now + chat.settings.socketTokenLifetime)
        try ChatSessionState.insert(token, call.sandbox.id, chat.db)
        try call.sandbox.issued(token.token, to: chat.customer.name, chat.db)
        let query = "?asapp-api-id=\(PercentCoding.encoded(call.tenant.id))&token=\(token.token)"
        return .answer("socket-offered", ["url": .string(Self.socketBase(call.base) + path(.openSocket) + query)])
    }

    /// The scheme of a socket for that of a call.
    private static func socketBase(_ base: String) -> String { base.hasPrefix("http") ? "ws" + base.dropFirst(4) : base }

    func openSocket(_ db: Database, _ call: Call) throws -> Decision {
        guard let text = call.query("token"), !text.isEmpty else { throw Refusal("socket-token-missing", "token is missing") }
        let (company, sandbox) = (call.tenant.id, call.sandbox.id)
        guard let token = try ChatSessionState.socketToken(text, of: company, sandbox, db),
            let session = try ChatSessionState.session(token.session, of: company, sandbox, db),
            let customer = try CompanyCustomerState.customer(session.customer, of: company, sandbox, db)
        else { throw Refusal("socket-token-unknown", "there is no such socket token") }
        if let entry = token.usedBy { throw Refusal("socket-token-reused", "a socket was opened with it by entry \(entry)") }
        if session.isRevoked { throw Refusal("socket-token-revoked", "\(customer.name) was signed out") }
        if call.now >= token.expiresAt {
            throw Refusal("socket-token-expired", "the socket token expired \((call.now - token.expiresAt).words) ago")
        }
        guard let socket = call.socket else { throw ToolError("the call opens no socket") }
        try ChatSessionState.use(token, by: call.entry, sandbox, db)
        socket.assign(to: CompanyChat.owner(customer.id, of: company))
        try call.identify(socket, as: customer.name, db)
        var chat = CompanyChat(call.occasion, db, vendor: self, customer: customer)
        let missed = customer.unread
        try chat.enter()
        return .answer("socket-opened", cause: "\(customer.name) enters chat, \(missed) message\(missed == 1 ? "" : "s") unread")
    }

    func sendMessage(_ chat: CompanyChat, _ call: Call) throws -> Decision {
        let (id, text) = (call.field("clientMessageId") ?? "", call.field("text") ?? "")
        if let known = try IssueState.message(client: id, of: chat.customer, call.sandbox.id, chat.db) {
            let words = known.text.isSame(as: text) ? "it was sent before" : "a message with another text was sent before by this id"
            return .answer("message-sent", ["id": .string(known.id)], cause: words)
        }
        let open = try IssueState.open(of: chat.customer, call.sandbox.id, chat.db)
        var issue = try open ?? chat.begin()
        // Nobody would read what is said to an agent who has left.
        if issue.stage == .idle { issue = try chat.change(issue) { $0.stage = .queue } }
        let message = try chat.keep(text, by: .customer, in: issue, clientId: id)
        for socket in chat.sockets { try call.outbox.send("chatMessage", message.json, to: socket) }
        if open == nil { try chat.playScript(on: [.opened], in: issue) }
        try chat.playScript(on: [.content, .text], in: issue, text: message.text, sequence: message.sequence)
        return .answer("message-sent", ["id": .string(message.id)], cause: "message \(message.sequence) of conversation \(issue.id)")
    }

    func readMessages(_ chat: CompanyChat, _ call: Call) throws -> Decision {
        var messages = try IssueState.messages(of: chat.customer, call.sandbox.id, chat.db)
        if let after = call.query("after") {
            guard let index = messages.firstIndex(where: { $0.id.isSame(as: after) }) else {
                throw Refusal("message-unknown", "\(chat.customer.name) has no message \(after.quoted)")
            }
            messages.removeFirst(index + 1)
        }
        return .answer("messages-told", ["messages": .array(messages.map(\.json))])
    }

    func endChat(_ chat: CompanyChat, _ call: Call) throws -> Decision {
        guard let issue = try IssueState.open(of: chat.customer, call.sandbox.id, chat.db) else {
            return .answer("chat-ended", cause: "no conversation was open")
        }
        _ = try chat.close(issue)
        return .answer("chat-ended", cause: "conversation \(issue.id)")
    }
}

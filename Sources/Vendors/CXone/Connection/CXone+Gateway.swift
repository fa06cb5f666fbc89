import SparringVendorKit

/// Handlers of the tag "Gateway" (CXone reference 4.1), and what all messages of the socket share.
extension CXone {
    func openGateway(_ db: Database, _ call: Call, _ channel: Channel) throws -> Decision {
        guard let socket = call.socket else { throw ToolError("the call opens no socket") }
        if let limit = call.settings(of: self).idleLimit { socket.setTimer(Self.idleness, at: call.now + limit) }
        let visitor = call.query("visitorId") ?? ""
        var session = GatewaySession(channel: channel.id, visitor: visitor, platform: platform(of: call))
        session.named = call.query("customerId") ?? call.query("consumerId")
        func opened(_ cause: String) -> Decision {
            let isBlind = channel.hidesPersonalInformation && ["ios", "android"].contains(session.platform)
            var answer = Answer(
                "socket-opened",
                cause: isBlind ? cause + "; the channel hides personal information, and this SDK cannot read its agents" : cause)
            if channel.mode == .live, channel.availability == .offline {
                answer.findings = [Finding("live-chat-offline", at: "query:channelId", "channel '\(channel.id)' is offline")]
            }
            return .answer(answer)
        }
        guard channel.securedSessions else {
            socket.remember(GatewaySession.key, session)
            return opened("opened by visitor \(visitor); AuthorizeCustomer or ReconnectCustomer is to come")
        }
        let token = try customer(of: call.query("transactionToken") ?? "", visitor, channel, call, db)
        session.customer = token.customer
        socket.remember(GatewaySession.key, session)
        socket.assign(to: Chat.owner(token.customer, of: call.tenant.id, channel.id))
        if token.signIn != nil { try call.identify(socket, as: token.customer, db) }
        // The Web SDK's window is known by its destination, which comes with its first event.
        if session.platform != "web" {
            try Chat(call.occasion, db, vendor: self, channel: channel, customer: token.customer, call: call).greet()
        }
        return opened("opened by \(token.customer) with a transaction token")
    }

    private func customer(
        of text: String, _ visitor: String, _ channel: Channel, _ call: Call, _ db: Database
    ) throws -> TokenState.Token {
        guard !text.isEmpty else {
            throw Refusal("transaction-token-missing", "channel '\(channel.id)' has secured sessions, and no transactionToken came")
        }
        guard let token = try TokenState.token(text, .transaction, of: call.tenant.id, call.sandbox.id, db) else {
            throw Refusal("transaction-token-unknown", "the transaction token was not issued in this sandbox")
        }
        guard token.channel.isSame(as: channel.id), token.visitor.isSame(as: visitor) else {
            throw Refusal(
                "transaction-token-unknown", "the transaction token was issued to visitor \(token.visitor) in channel \(token.channel)")
        }
        if call.now >= token.expires, call.settings(of: self).refusesExpiredTransactionTokens {
            throw Refusal("transaction-token-expired", "the transaction token expired \((call.now - token.expires).words) ago")
        }
        return token
    }

    // MARK: Idleness

    private static let idleness = "idle limit"

    func timer(_ name: String, of socket: Socket, _ occasion: Occasion, _ db: Database) throws {
        guard let limit = occasion.settings(of: self).idleLimit else { return }
        let due = socket.lastTraffic + limit
        if socket.sandbox.clock.now < due {
            socket.setTimer(name, at: due)
        } else if !socket.isFrozen {
            occasion.outbox.close(socket, 1001, "Going away", cause: socket.idleCause(limit))
        }
    }

    // MARK: Messages

    /// A handler of messages that need a customer; they are refused until there is one.
    func asCustomer(_ act: @escaping @Sendable (Chat, JSON) throws -> Decision) -> Handler {
        .decide { db, call in
            guard let socket = call.socket, let session = socket.chat, let channel = call.settings(of: self).channel(session.channel) else {
                throw Refusal("not-authorized", "the socket's channel is gone")
            }
            guard let customer = session.customer else {
                // The Web SDK's connect() names the customer in the URL, but only its authorize() signs them in.
                let named = session.named.map {
                    "; that its URL names \($0.quoted) signs nobody in: without secured sessions call the Web SDK's authorize() after connect()"
                }
                let cause = "the socket was not signed in: AuthorizeCustomer or ReconnectCustomer comes first"
                throw Refusal("not-authorized", cause + (named ?? ""))
            }
            if let id = call.body?["payload"]?["destination"]?["id"]?.string { socket.change { $0.destination = id } }
            let chat = Chat(call.occasion, db, vendor: self, channel: channel, customer: customer, call: call)
            try chat.hearNames(call.body?["payload"])
            let data = call.body?["payload"]?["data"] ?? [:]
            var decision = try act(chat, data)
            if case .answer(var answer) = decision {
                answer.findings += Self.findings(of: call, customer: customer, channel)
                decision = .answer(try chat.fitting(answer))
            }
            return decision
        }
    }

    /// Findings about an event whose brand, channel or customer is not the one that the socket was opened for.
    private static func findings(of call: Call, customer: String, _ channel: Channel) -> [Finding] {
        let payload = call.body?["payload"]
        var findings: [Finding] = []
        if let id = payload?["brand"]?["id"]?.idText, id != call.tenant.id {
            findings.append(Finding("another-brand", at: "body:/payload/brand/id", "the socket belongs to brand \(call.tenant.id)"))
        }
        if let id = payload?["channel"]?["id"]?.string, !id.isSame(as: channel.id) {
            findings.append(Finding("another-channel", at: "body:/payload/channel/id", "the socket belongs to channel '\(channel.id)'"))
        }
        for name in ["customerIdentity", "consumerIdentity"] {
            guard let id = payload?[name]?["idOnExternalPlatform"]?.string, !id.isSame(as: customer) else { continue }
            findings.append(
                Finding(
                    "another-customer", at: "body:/payload/\(name)/idOnExternalPlatform", "the socket is signed in as \(customer.quoted)"))
        }
        return findings
    }

    /// A reply like the contract's example, with the event's id and, where given, data of its own.
    ///
    /// - Parameter data: nil: that of the example, if there is any.
    func reply(_ name: String, _ data: JSON? = nil, _ call: Call, cause: String? = nil) -> Answer {
        var reply = call.operation.answer(name)?.example ?? [:]
        reply["eventId"] = .string(Self.eventId(of: call))
        if let data { reply["postback"]?["data"] = data }
        return Answer(name, reply, cause: cause)
    }
}

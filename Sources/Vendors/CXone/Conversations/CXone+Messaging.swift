import SparringVendorKit

/// Handlers of the tag "Messaging" (CXone reference 5.1, 6.2 and 7.1).
extension CXone {
    func sendMessage(_ chat: Chat, _ data: JSON) throws -> Decision {
        try chat.checkToken(of: data)
        return try chat.say(data, as: .customer, refusal: "sending-message-failed")
    }

    func sendOutbound(_ chat: Chat, _ data: JSON) throws -> Decision {
        try chat.checkToken(of: data)
        return try chat.say(data, as: .welcome, refusal: "sending-outbound-failed")
    }

    func sendOfflineMessage(_ chat: Chat, _ data: JSON) throws -> Decision {
        guard chat.channel.mode == .live else {
            return chat.refused("sending-offline-message-failed", "channel '\(chat.channel.id)' is not a live chat")
        }
        let who = data["authorCustomerIdentity"]?["idOnExternalPlatform"]?.string ?? ""
        return .answer(chat.reply("offline-message-sent", cause: "\(who): \(data["messageContent"]?["payload"]?["text"]?.string ?? "")"))
    }

    func sendMessagePreview(_ chat: Chat, _ data: JSON) throws -> Decision {
        .answer(chat.acknowledged("\(chat.customer) types: \(data["messageContent"]?["payload"]?["text"]?.string ?? "")"))
    }

    func seeMessages(_ chat: Chat, _ data: JSON) throws -> Decision {
        guard let thread = try chat.thread(data.threadId ?? "") else { return chat.unknownThread(data) }
        let numbers = try MessageState.mark(.seen, in: thread, at: chat.now, chat.sandbox.id, chat.db)
        if let newest = numbers.last,
            let message = try MessageState.messages(of: thread, before: newest + 1, limit: 1, chat.sandbox.id, chat.db).first
        {
            try chat.push(
                "messageSeenChanged", "Message", "MessageSeenChanged", message.id,
                ["brand": chat.brandAndChannel[0].1, "message": try chat.shown(message)])
        }
        return .answer(chat.acknowledged("\(numbers.count) \(numbers.count == 1 ? "message" : "messages") of thread \(thread.id) seen"))
    }

    func type(_ chat: Chat, _ data: JSON) throws -> Decision {
        // The mobile SDKs tell it of a thread whose first message is being written.
        guard let thread = try chat.thread(data.threadId ?? "") else {
            var answer = chat.acknowledged("\(chat.customer) in a thread that has not begun")
            if chat.call?.socket?.chat?.platform == "web" {
                answer.findings = [Finding("typing-before-the-thread", at: "body:/payload/data/thread", "the thread has no message yet")]
            }
            return .answer(answer)
        }
        var answer = chat.acknowledged("\(chat.customer) in thread \(thread.id)")
        if chat.channel.mode == .live, let contact = try ThreadState.contact(of: thread, chat.sandbox.id, chat.db) {
            answer.findings = chat.findings(ofClosed: contact)
        }
        return .answer(answer)
    }

    /// A token that opens one URL to who asked for it.
    func generateAuthorizationToken(_ chat: Chat, _ data: JSON) throws -> Decision {
        let url = data["url"]?.string ?? ""
        let token = String(chat.secret("url token").hex.prefix(32))
        try TokenState.Token(
            token: token, kind: .url, brand: chat.brand, channel: chat.channel.id, visitor: chat.socket?.chat?.visitor ?? "",
            customer: chat.customer, expires: chat.now + chat.settings.transactionTokenLifetime, url: url
        ).insert(chat.sandbox.id, chat.db)
        try chat.sandbox.issued(token, to: chat.lane, chat.db)
        return .answer(chat.reply("authorization-token-generated", ["authorizationToken": ["token": .string(token)]], cause: "for \(url)"))
    }

    /// The handler of the tag "Messages" (CXone reference 3.8).
    func readMessage(_ db: Database, _ call: Call) throws -> Decision {
        let words = call.header(.authorization)?.split(separator: " ").map(String.init) ?? []
        guard words.count == 2, words[0].lowercased() == "bearer" else {
            throw Refusal("token-missing", "there is no Authorization: Bearer")
        }
        let (brand, sandbox, id) = (call.tenant.id, call.sandbox.id, call.path("messageId"))
        guard let token = try TokenState.token(words[1], .url, of: brand, sandbox, db), call.now < token.expires,
            token.url?.hasSuffix(path(.readMessage, ["brandId": brand, "messageId": id])) == true
        else { throw Refusal("token-unknown", "the token is none for this URL, or it has expired") }
        guard let message = try MessageState.message(id, of: brand, sandbox, db), message.thread.customer.isSame(as: token.customer),
            let channel = call.settings(of: self).channel(message.thread.channel)
        else { throw Refusal("message-unknown", "\(token.customer) has no message '\(id)'") }
        let chat = Chat(call.occasion, db, vendor: self, channel: channel, customer: token.customer)
        return .answer("message-found", try chat.shown(message))
    }
}

/// The handler of the tag "LargeEvents" (Event diagrams, Process Large Events; CXone reference 3.7).
extension CXone {
    func fetchLargeEvent(_ db: Database, _ call: Call) throws -> Decision {
        let key = call.path("event")
        guard let found = try LargeEventState.event(key, of: call.tenant.id, call.sandbox.id, db) else {
            throw Refusal("event-unknown", "no event was put there")
        }
        guard call.now < found.expires else { throw Refusal("url-expired", "the URL expired \((call.now - found.expires).words) ago") }
        var answer = Answer("event-fetched", found.frame, cause: "\(found.frame.bytes.count) bytes")
        answer.file = ServedFile(modified: found.keptAt)
        return .answer(answer)
    }
}

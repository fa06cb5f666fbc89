import SparringVendorKit

/// Handlers of the tag "Threads" (CXone reference 5.1, 6.1 and 9.4).
extension CXone {
    func recoverThread(_ chat: Chat, _ data: JSON) throws -> Decision {
        guard let thread = try chat.recoverable(data) else {
            try chat.loaded()
            let which = data.threadId.map { "'\($0)'" } ?? "at all"
            return chat.refused("recovering-thread-failed", "\(chat.customer) has no thread \(which) in channel '\(chat.channel.id)'")
        }
        let recovered = try chat.recovered(thread)
        try chat.loaded(thread)
        var answer = chat.reply("thread-recovered", recovered, cause: "thread \(thread.id)")
        // Event diagrams, Multi-Thread: a thread of the list is loaded, and opened then.
        if chat.socket?.chat?.unloaded.contains(thread.key) == true {
            answer.findings = [
                Finding(
                    "metadata-not-loaded", at: "body:/payload/data/thread",
                    "thread \(thread.id) is of the list, and its metadata was not asked for")
            ]
        }
        // An SDK keeps the id of a thread that it began itself (SDK for iOS 3.3.1, ChatThreadListService.swift): what began on another device it asks
        // for without.
        let isItsOwn = thread.visitor != nil && thread.visitor == chat.socket?.chat?.visitor
        if chat.channel.mode == .single, data.threadId == nil, isItsOwn,
            try MessageState.has(.customer, in: thread, chat.sandbox.id, chat.db)
        {
            answer.findings.append(
                Finding("thread-left-out", at: "body:/payload/data", "the customer wrote in thread \(thread.id), and its id did not come"))
        }
        return .answer(answer)
    }

    func recoverLivechat(_ chat: Chat, _ data: JSON) throws -> Decision {
        if let thread = try chat.recoverable(data) {
            let recovered = try chat.recovered(thread)
            try chat.loaded(thread)
            try chat.tellQueueAgain(thread)
            return .answer(chat.reply("livechat-recovered", recovered, cause: "thread \(thread.id)"))
        }
        try chat.loaded()
        let cause = "\(chat.customer) has no live chat in channel '\(chat.channel.id)'"
        guard chat.channel.isRecoveryGentle else { return chat.refused("recovering-livechat-failed", cause) }
        // iOS wants no data at all; Android reads the token; the Web SDK, which does not always say what it is, reads lists and takes the missing
        // thread for "not found" (CXone reference 6.1).
        let nothing: JSON? =
            switch chat.socket?.chat?.platform {
            case "ios": nil
            case "android": ["messagesScrollToken": ""]
            default: ["messages": [], "contactHistory": []]
            }
        var answer = chat.reply("livechat-recovered", nothing ?? [:], cause: cause)
        if nothing == nil, case .json(var body) = answer.body {
            body["postback"]?["data"] = nil
            answer.body = .json(body)
        }
        return .answer(answer)
    }

    func fetchThreadList(_ chat: Chat, _ data: JSON) throws -> Decision {
        let threads = try ThreadState.threads(of: chat.customer, chat.brand, chat.channel.id, chat.sandbox.id, chat.db)
        try chat.loaded()
        chat.socket?.change { $0.unloaded = Set(threads.map(\.key)) }
        return .answer(
            chat.reply(
                "thread-list-fetched", ["threads": .array(threads.map(\.json))], cause: "\(threads.count) threads of \(chat.customer)"))
    }

    func loadThreadMetadata(_ chat: Chat, _ data: JSON) throws -> Decision {
        if let id = data.threadId { chat.socket?.change { $0.unloaded.remove(ChatThread.key(id)) } }
        guard let thread = try chat.thread(data.threadId ?? "") else { return chat.unknownThread(data) }
        guard let last = try MessageState.messages(of: thread, limit: 1, chat.sandbox.id, chat.db).first else {
            return chat.refused("inconsistent-data", "nothing was said in thread \(thread.id)")
        }
        let contact = try ThreadState.contact(of: thread, chat.sandbox.id, chat.db)
        return .answer(
            chat.reply(
                "thread-metadata-loaded",
                ["ownerAssignee": chat.shown(chat.agent(contact?.assignee)), "lastMessage": try chat.shown(last)],
                cause: "thread \(thread.id)"))
    }

    func loadMoreMessages(_ chat: Chat, _ data: JSON) throws -> Decision {
        guard let thread = try chat.thread(data.threadId ?? "") else { return chat.unknownThread(data) }
        let token = data["scrollToken"]?.string ?? ""
        guard let before = Chat.position(ofScrollToken: token, in: thread) else {
            return chat.refused("inconsistent-data", "\(token.quoted) is not a scroll token of thread \(thread.id)")
        }
        let page = try chat.page(of: thread, before: before, contact: data["contact"]?["id"]?.string)
        let loaded: JSON = ["messages": .array(page.messages), "scrollToken": .string(page.scrollToken), "contactHistory": []]
        return .answer(chat.reply("more-messages-loaded", loaded, cause: "\(page.messages.count) messages before the \(before)th"))
    }

    func updateThread(_ chat: Chat, _ data: JSON) throws -> Decision {
        guard var thread = try chat.thread(data.threadId ?? "") else {
            return chat.refused("updating-thread-failed", "\(chat.customer) has no thread '\(data.threadId ?? "")'")
        }
        guard chat.channel.mode == .multi else {
            return chat.refused("updating-thread-failed", "channel '\(chat.channel.id)' is not multi-thread")
        }
        thread.name = data["thread"]?["threadName"]?.string ?? ""
        thread.updated = chat.now
        try ThreadState.update(thread, chat.sandbox.id, chat.db)
        return .answer(chat.reply("thread-updated", cause: "thread \(thread.id) is called '\(thread.name)'"))
    }

    func archiveThread(_ chat: Chat, _ data: JSON) throws -> Decision {
        guard var thread = try chat.thread(data.threadId ?? "") else {
            return chat.refused("archiving-thread-failed", "\(chat.customer) has no thread '\(data.threadId ?? "")'")
        }
        guard chat.channel.mode == .multi else {
            return chat.refused("archiving-thread-failed", "channel '\(chat.channel.id)' is not multi-thread")
        }
        thread.canAddMoreMessages = false
        thread.updated = chat.now
        try ThreadState.update(thread, chat.sandbox.id, chat.db)
        return .answer(chat.reply("thread-archived", cause: "thread \(thread.id)"))
    }
}

extension Chat {
    /// The thread that is named, else the customer's newest in the channel.
    func recoverable(_ data: JSON) throws -> ChatThread? {
        if let id = data.threadId { return try thread(id) }
        let threads = try ThreadState.threads(of: customer, brand, channel.id, sandbox.id, db)
        return threads.first(where: \.canAddMoreMessages) ?? threads.first
    }

    func unknownThread(_ data: JSON) -> Decision {
        refused("inconsistent-data", "\(customer) has no thread '\(data.threadId ?? "")' in channel '\(channel.id)'")
    }

    /// The data of the answer to a recovery.
    func recovered(_ thread: ChatThread) throws -> JSON {
        let contact = try ThreadState.contact(of: thread, sandbox.id, db)
        let shownContact = try contact.map { try shown($0) }
        let page = try page(of: thread)
        let assignee = shown(agent(contact?.assignee))
        let customer = try CustomerState.customer(thread.customer, of: brand, sandbox.id, db)
        return [
            "contact": shownContact ?? .null, "thread": thread.json, "messages": .array(page.messages),
            "messagesScrollToken": .string(page.scrollToken), "inboxAssignee": assignee, "ownerAssignee": assignee, "contactHistory": [],
            "customer": ["customFields": .array(customer?.fields ?? [])],
        ]
    }

    /// The newest messages, newest first, and where to go on.
    ///
    /// - Parameter contact: only what was said in it (CXone reference 5.1).
    func page(of thread: ChatThread, before: Int = .max, contact: String? = nil) throws -> (messages: [JSON], scrollToken: String) {
        let size = settings.historyPage
        // One more, to know whether there are any.
        let found = try MessageState.messages(of: thread, before: before, contact: contact, limit: size + 1, sandbox.id, db)
        let messages = found.prefix(size)
        let oldest = messages.last?.number ?? 1
        return (try messages.map(shown), found.count > size ? Self.scrollToken(oldest, in: thread) : "")
    }

    private static func scrollToken(_ number: Int, in thread: ChatThread) -> String {
        Base64.encode(Array("\(thread.key) \(number)".utf8))
    }

    /// Nil for a text that is none of the thread's.
    static func position(ofScrollToken token: String, in thread: ChatThread) -> Int? {
        guard let bytes = Base64.decode(token) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.hasPrefix(thread.key + " ") else { return nil }
        return String(text.dropFirst(thread.key.count + 1)).integer(in: 1...Int.max)
    }

    /// The customer's threads were loaded on the socket.
    ///
    /// - Parameter thread: the one that the client knows of now.
    func loaded(_ thread: ChatThread? = nil) throws {
        if let thread { socket?.change { $0.thread = thread.key } }
        try greet()
    }
}

import SparringJSON
import Support

/// "Single-Thread", "Multi-Thread", "Create Thread", "Chat with an Agent" and "End Contact" of the event diagrams.
extension ChatClient {
    /// Loads what the mode has, after each opening of the socket.
    func load() async throws -> Bool {
        switch mode {
        case .single, .live:
            let response = try await recover(mode == .single ? "RecoverThread" : "RecoverLivechat", device.thread)
            if case .lost = response { return false }
        case .multi:
            guard case .answered(let answer) = try await ask("FetchThreadList") else { return false }
            listed = (answer["postback"]?["data"]?["threads"]?.array ?? []).compactMap { $0["idOnExternalPlatform"]?.string }
            for id in listed {
                let named: JSON = ["thread": ["idOnExternalPlatform": .string(id)]]
                guard isDone(try await ask("LoadThreadMetadata", named)) else { return false }
            }
            if let id = conversation?.id, conversation?.state == .ready, case .lost = try await recover("RecoverThread", id) {
                return false
            }
        }
        // What the server offers of its own, such as a welcome, comes at once.
        for event in try await line?.arrived(isSettled: true) ?? [] { try await take(event) }
        return line != nil
    }

    /// A thread that is not there is no failure.
    private func recover(_ event: String, _ id: String?) async throws -> Response {
        let thread: JSON? = id.map { ["thread": ["idOnExternalPlatform": .string($0)]] }
        let response = try await ask(event, thread)
        guard case .answered(let answer) = response, let data = answer["postback"]?["data"],
            let found = data["thread"]?["idOnExternalPlatform"]?.string
        else { return response }
        let isOver = mode == .live && data["contact"]?["status"] == "closed"
        conversation = Conversation(id: found, state: isOver ? .closed : .ready, contact: data["contact"]?["id"]?.string)
        if mode != .multi { device.thread = found }
        let arrived = Set((data["messages"]?.array ?? []).compactMap { $0["idOnExternalPlatform"]?.string })
        outbox.removeAll { arrived.contains($0.id) }
        return response
    }

    /// Handles an event that the server sends unprompted.
    func hear(_ frame: JSON) {
        let (kind, data) = (frame["eventType"]?.string, frame["data"])
        let contact = data?["case"]
        switch kind {
        case "FireProactiveAction":
            let action = data?["proactiveAction"]?["action"]
            if action?["actionType"] == "WelcomeMessage" { welcome = action?["data"]?["content"]?["bodyText"]?.string }
        case "CaseCreated", "MessageCreated":
            guard contact?["threadIdOnExternalPlatform"]?.string == conversation?.id else { return }
            if conversation?.state == .pending { conversation?.state = .ready }
            conversation?.contact = contact?["id"]?.string ?? conversation?.contact
        case "CaseStatusChanged":
            guard contact?["status"] == "closed", contact?["id"]?.string == conversation?.contact else { return }
            if mode == .live { close() } else { conversation?.contact = nil }
        default: break
        }
    }

    private func close() {
        conversation?.state = .closed
        device.thread = nil
    }

    /// The user opens the oldest thread of the list.
    func openThread() async throws {
        guard mode == .multi, let id = listed.last else { return }
        _ = try await recover("RecoverThread", id)
    }

    // MARK: Saying

    /// In the thread there is, or in a new one of the device's own.
    func say(_ text: String, inNewThread: Bool = false) async throws {
        guard isShowingChat else { return }
        if conversation == nil || conversation?.state == .closed || inNewThread {
            let id = freshID()
            conversation = Conversation(id: id)
            if mode != .multi { device.thread = id }
        }
        try await takeArrivals()
        outbox.append((freshID(), text))
        try await flush()
        try await takeArrivals()
    }

    /// Sends what is not known to have arrived, with the id that it had.
    func flush() async throws {
        var failures = 0
        while let next = outbox.first, line != nil, failures < 4 {
            if conversation?.state == .pending, let welcome {
                self.welcome = nil
                // `{{customer.firstName|customer}}`: this client knows no names.
                let filled = welcome.replacing(/\{\{[^|}]*\|?([^}]*)\}\}/) { String($0.output.1) }
                _ = try await message("SendOutbound", freshID(), filled)
            }
            switch try await message("SendMessage", next.id, next.text) {
            case .answered:
                if conversation?.state == .pending { conversation?.state = .ready }
                outbox.removeAll { $0.id == next.id }
            case .refused(_, let about):
                failures += 1
                if about == "mock-access-token-expired" { device.access?.end = 0 }
                try await stage.pass(1)
            case .lost: try await reconnect()
            }
        }
    }

    private func message(_ event: String, _ id: String, _ text: String) async throws -> Response {
        guard let conversation else { return .lost }
        let form = (channel?.form ?? [:]).map { ["ident": .string($0), "value": .string($1)] as JSON }
        let token = try await accessToken()
        let (customer, contact) = platform == .web || event == "SendOutbound" ? ("consumer", "consumerContact") : ("customer", "contact")
        var data: JSON = [
            "thread": ["idOnExternalPlatform": .string(conversation.id)], "idOnExternalPlatform": .string(id),
            "messageContent": ["type": "TEXT", "payload": ["text": .string(text)]], "attachments": [],
            platform == .ios && event == "SendMessage" ? "deviceFingerprint" : "browserFingerprint": ["os": .string(platform.rawValue)],
        ]
        data[customer] = ["customFields": []]
        data[contact] = ["customFields": .array(form)]
        if let token { data["accessToken"] = ["token": .string(token)] }
        return try await ask(event, data)
    }

    /// The user sees an answer, and begins to type one.
    func readAndType() async throws {
        guard let conversation, conversation.state == .ready else { return }
        let thread: JSON = ["thread": ["idOnExternalPlatform": .string(conversation.id)]]
        for event in [platform == .web ? "MessageSeenByConsumer" : "MessageSeenByCustomer", "SenderTypingStarted", "SenderTypingEnded"] {
            _ = try await ask(event, thread)
        }
    }

    /// The user ends the live chat, and tries once more where the server refuses.
    func endContact() async throws {
        for _ in 1...2 {
            guard mode == .live, let conversation, conversation.state == .ready, let contact = conversation.contact else { return }
            let data: JSON = ["thread": ["idOnExternalPlatform": .string(conversation.id)], "contact": ["id": .string(contact)]]
            if isDone(try await ask("EndContact", data)) {
                try await takeArrivals()
                close()
            } else {
                try await stage.pass(5)
            }
        }
    }
}

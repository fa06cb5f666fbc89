import SparringVendorKit

/// Agents' acts, done by a test through the admin API or by a script.
extension Chat: DeskHand {
    func assigned(in contact: ChatContact) -> CXone.Agent? { agent(contact.assignee) }

    func lane(of contact: ChatContact) -> String { contact.thread.customer }

    /// Does what an agent is asked to; an agent who says something without being assigned is assigned first, unless another one is.
    func perform(_ act: DeskAct<CXone.Act>, by agent: CXone.Agent, in contact: ChatContact) throws -> Acted<ChatContact> {
        if contact.status == .closed, act.kind != .setStatus, act.kind != .read {
            throw Refusal("contact-closed", "contact \(contact.id) was closed at \(contact.statusUpdated)")
        }
        switch act.kind {
        case .join: return try assign(agent, to: contact)
        case .leave:
            guard contact.assignee == agent.id else {
                throw Refusal("not-assigned", "\(agent.name) is not assigned to contact \(contact.id)")
            }
            return try assign(nil, to: contact)
        case .transfer: return try transfer(act, from: contact)
        case .say, .card, .file: return try say(act, by: agent, in: contact)
        case .typing, .pause: return try type(act, by: agent, in: contact)
        case .read: return try read(contact, by: agent)
        case .close: return try setStatus(.closed, of: contact)
        case .setStatus: return try setStatus(act.json["status"]?.string.flatMap(ChatContact.Status.init) ?? .open, of: contact)
        case .setQueuePosition where channel.mode != .live:
            throw Refusal("not-a-live-chat", "only live chats have a place in a queue; channel '\(channel.id)' is \(channel.mode.rawValue)")
        case .setQueuePosition:
            let position = act.json["position"]?.integer(in: 0...Int(Int32.max)) ?? 1
            let isHeard = try tell(position: position, isAnyAgentOnline: act.json["isAnyAgentOnline"]?.bool == true, to: contact)
            return acted(contact, "contact \(contact.id) is at position \(position)", isHeard: isHeard)
        }
    }

    private func acted(_ contact: ChatContact, _ words: String, isHeard: Bool = false) -> Acted<ChatContact> {
        Acted(conversation: contact, delivery: isHeard ? .socket : .missed, done: [words])
    }

    // MARK: The contact

    private func setStatus(_ status: ChatContact.Status, of contact: ChatContact) throws -> Acted<ChatContact> {
        guard contact.status != status else {
            return acted(contact, "contact \(contact.id) is \(status.rawValue) already")
        }
        let changed = try set(status, of: contact)
        return acted(changed.contact, "contact \(contact.id) is \(status.rawValue)", isHeard: changed.isHeard)
    }

    /// A new contact is open once an agent has it (assumed).
    private func assign(_ agent: CXone.Agent?, to contact: ChatContact) throws -> Acted<ChatContact> {
        guard contact.assignee != agent?.id else {
            return acted(contact, "\(agent?.name ?? "nobody") is assigned to contact \(contact.id) already")
        }
        var contact = contact
        let previous = self.agent(contact.assignee)
        contact.assignee = agent?.id
        let isOpened = agent != nil && contact.status == .new
        if isOpened { (contact.status, contact.statusUpdated) = (.open, now) }
        try ThreadState.update(contact, sandbox.id, db)
        if isOpened { try tellStatus(of: contact) }
        let isHeard = try push(
            "caseInboxAssigneeChanged", "Case", "CaseInboxAssigneeChanged", "\(contact.id) \(agent?.id ?? 0)",
            data(["case": try shown(contact), "inboxAssignee": shown(agent), "previousInboxAssignee": shown(previous)]),
            to: everybody(in: contact))
        try tellQueue(of: contact)
        let words =
            agent.map { "\($0.name) is assigned to contact \(contact.id)" } ?? "nobody is assigned to contact \(contact.id) any more"
        return acted(contact, words, isHeard: isHeard)
    }

    private func transfer(_ act: DeskAct<CXone.Act>, from contact: ChatContact) throws -> Acted<ChatContact> {
        if let name = act.json["agentTo"]?.string {
            guard let agent = settings.agents.first(where: { $0.isCalled(name, in: tenant.id) }) else {
                throw Refusal("agent-unknown", "the brand has no agent '\(name)'")
            }
            return try assign(agent, to: contact)
        }
        var contact = contact
        let (queue, previous) = (act.json["queue"]?.string ?? "", contact.queue)
        let assignee = agent(contact.assignee)
        (contact.queue, contact.assignee) = (queue, nil)
        try ThreadState.update(contact, sandbox.id, db)
        let everybody = try everybody(in: contact)
        if let assignee {
            try push(
                "caseInboxAssigneeChanged", "Case", "CaseInboxAssigneeChanged", "\(contact.id) 0",
                data(["case": try shown(contact), "inboxAssignee": .null, "previousInboxAssignee": shown(assignee)]), to: everybody)
        }
        let isHeard = try push(
            "caseToRoutingQueueAssignmentChanged", "Case", "CaseToRoutingQueueAssignmentChanged", contact.id,
            data([
                "case": try shown(contact), "routingQueue": ["id": .string(queue)], "previousRoutingQueue": ["id": .string(previous)],
                "routingMode": "findmatch", "preferredUserForNextAssign": .null,
            ]), to: everybody)
        if assignee == nil, previous != queue { try tellQueue(of: contact, left: previous) }
        try tellQueue(of: contact)
        try playScript(on: [.opened], in: contact)
        return acted(contact, "contact \(contact.id) waits in queue \(queue)", isHeard: isHeard)
    }

    // MARK: Saying

    private func say(_ act: DeskAct<CXone.Act>, by agent: CXone.Agent, in contact: ChatContact) throws -> Acted<ChatContact> {
        var (contact, done) = (contact, [String]())
        if contact.assignee == nil {
            let acted = try assign(agent, to: contact)
            (contact, done) = (acted.conversation, acted.done)
        }
        let message = try add(
            ChatMessage(
                thread: contact.thread, id: draw("message").uuid, sentId: draw("sent message").uuid, contact: contact.id, author: .agent,
                byWhom: String(agent.id), content: act.content ?? [:], attachments: try attachments(of: act), created: now))
        var delivery = Delivery.socket
        done.append("message \(message.number) of thread \(contact.thread.id)")
        if try !pushCreated(message, contact) {
            let devices = try notify(message.text ?? "", title: agent.name, thread: contact.thread.id)
            delivery = devices.isEmpty ? .missed : .push
            done += devices.map { "notification on device \($0)" }
        }
        return Acted(conversation: contact, sequence: message.number, delivery: delivery, done: done)
    }

    private func attachments(of act: DeskAct<CXone.Act>) throws -> [JSON] {
        guard act.kind == .file else { return [] }
        let (name, mimeType) = (act.json["fileName"]?.string ?? "", act.json["mimeType"]?.string ?? "")
        var url = act.json["url"]?.string ?? ""
        if let bytes = act.json["content"]?.string.flatMap(Base64.decode) {
            url = (sockets(of: customer).first?.base ?? "") + (try vendor.upload(bytes, name, mimeType, occasion, db))
        }
        return [["url": .string(url), "friendlyName": .string(name), "mimeType": .string(mimeType), "fileName": .string(name)]]
    }

    private func type(_ act: DeskAct<CXone.Act>, by agent: CXone.Agent, in contact: ChatContact) throws -> Acted<ChatContact> {
        let (message, type) =
            act.kind == .typing ? ("agentTypingStarted", "SenderTypingStarted") : ("agentTypingEnded", "SenderTypingEnded")
        let isHeard = try push(
            message, "SenderAction", type, contact.id,
            data(["thread": contact.thread.json, "user": shown(agent), "direction": "outbound"]), to: everybody(in: contact))
        let words = act.kind == .typing ? "types" : "types no more"
        return acted(contact, "\(agent.name) \(words)", isHeard: isHeard)
    }

    private func read(_ contact: ChatContact, by agent: CXone.Agent) throws -> Acted<ChatContact> {
        let numbers = try MessageState.mark(.read, in: contact.thread, at: now, sandbox.id, db)
        let messages = try MessageState.messages(of: contact.thread, sandbox.id, db).filter { numbers.contains($0.number) }
        var isHeard = false
        for message in messages.reversed() {
            isHeard =
                try push(
                    "messageReadChanged", "Message", "MessageReadChanged", message.id,
                    ["brand": brandAndChannel[0].1, "message": try shown(message)], to: everybody(in: contact))
                || isHeard
        }
        let what = numbers.count == 1 ? "message" : "messages"
        let words = numbers.isEmpty ? "all that the customer said has been read already" : "\(numbers.count) \(what) read"
        return acted(contact, words, isHeard: isHeard)
    }

    // MARK: Devices

    /// Shows something on the devices of the customer's visitors. No payload of CXone's is known: this one is Sparring's own.
    ///
    /// - Returns: their tokens.
    func notify(_ text: String, title: String, thread: String?) throws -> [String] {
        let devices = try CustomerState.visitors(of: customer, brand, sandbox.id, db).compactMap(\.device)
        for token in devices {
            guard let device = try sandbox.devices.device(token, db) else { continue }
            let isApple = device.pushType == "APNS"
            let own = JSON.members(["brandId": .string(brand), "channelId": .string(channel.id), "threadId": thread.map { .string($0) }])
            let alert: JSON = ["title": .string(title), "body": .string(text)]
            let payload: JSON = isApple ? ["aps": ["alert": alert], "cxone": own] : ["notification": alert, "data": own]
            var file = payload
            file["Simulator Target Bundle"] = .string(device.app)
            try sandbox.devices.append(
                [
                    "vendor": .string(vendor.name), "appId": .string(device.app), "pushType": .string(device.pushType),
                    "consumer": .string(customer), "text": .string(text), "payload": payload,
                ], simulatorFile: isApple ? file : nil, to: token, at: now, db)
        }
        return devices
    }
}

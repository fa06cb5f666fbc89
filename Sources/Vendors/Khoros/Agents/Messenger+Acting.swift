import SparringVendorKit

/// The business's acts, by a test through the admin API or by a script.
extension Messenger: DeskHand {
    func lane(of conversation: MessengerConversation) -> String { user.name }

    func perform(
        _ act: DeskAct<Khoros.Act>, by agent: Khoros.Agent, in conversation: MessengerConversation
    ) throws -> Acted<MessengerConversation> { try perform(act, by: agent, in: Optional(conversation)) }

    /// - Parameter conversation: nil where the user has none: what is said begins one.
    func perform(_ act: DeskAct<Khoros.Act>, by agent: Khoros.Agent, in conversation: MessengerConversation?) throws -> Acted<
        MessengerConversation
    > {
        if let removed = conversation?.removed, act.kind != .open {
            throw Refusal("conversation-removed", "conversation \(conversation?.id ?? "") was removed at \(removed)")
        }
        switch act.kind {
        case .open:
            let begun = try begin(act.json, client: nil, heard: true)
            let delivery = sockets.isEmpty ? Delivery.missed : .socket
            return Acted(conversation: begun, delivery: delivery, done: ["conversation \(begun.id) was begun"])
        case .say, .card, .file:
            let isNew = conversation == nil
            let conversation = try conversation ?? begin([:], client: nil, heard: true)
            var acted = try say(act, by: agent, in: conversation)
            if isNew { acted.done.insert("conversation \(conversation.id) was begun", at: 0) }
            return acted
        case .typing, .pause, .read, .close: break
        }
        guard let conversation else { throw Refusal("conversation-missing", "\(user.name) has no conversation") }
        switch act.kind {
        case .read:
            var read = conversation
            read.businessRead = now
            try MessengerConversationState.update(read, sandbox.id, db)
            let isHeard = try tellActivity(
                "conversation:read", .appMaker, read, ["name": .string(agent.name), "lastRead": now.epochSeconds])
            return Acted(conversation: read, delivery: isHeard ? .socket : .missed, done: ["\(agent.name) has read everything"])
        case .close:
            var removed = conversation
            removed.removed = now
            try MessengerConversationState.update(removed, sandbox.id, db)
            let isHeard = try tell("conversationRemoved", ["type": "conversation:removed", "conversation": removed.eventJSON])
            try playScript(on: [.closed], in: removed)
            return Acted(conversation: removed, delivery: isHeard ? .socket : .missed, done: ["conversation \(removed.id) was removed"])
        default:
            let isTyping = act.kind == .typing
            let isHeard = try tellActivity(
                isTyping ? "typing:start" : "typing:stop", .appMaker, conversation,
                ["name": .string(agent.name), "avatarUrl": .string(agent.avatarURL)])
            return Acted(
                conversation: conversation, delivery: isHeard ? .socket : .missed,
                done: ["\(agent.name) types\(isTyping ? "" : " no more")"])
        }
    }

    private func say(_ act: DeskAct<Khoros.Act>, by agent: Khoros.Agent, in conversation: MessengerConversation) throws -> Acted<
        MessengerConversation
    > {
        var content = try content(of: act)
        content["name"] = .string(agent.name)
        content["avatarUrl"] = .string(agent.avatarURL)
        let kept = try add(
            MessengerMessage(
                app: user.app, id: draw("message").hex24, conversation: conversation.id, role: .appMaker, author: agent.id,
                content: content, received: now, source: ["type": "api"]), to: conversation)
        let isHeard = try tellMessage(kept.message, kept.conversation)
        let devices = try notify(kept.message, kept.conversation)
        return Acted(
            conversation: kept.conversation, sequence: kept.message.number,
            delivery: isHeard ? .socket : devices.isEmpty ? .missed : .push,
            done: ["message \(kept.message.number) of conversation \(conversation.id)"] + devices.map { "notification on device \($0)" })
    }

    private func content(of act: DeskAct<Khoros.Act>) throws -> JSON.Object {
        let json = act.json
        switch act.kind {
        case .file:
            let mimeType = json["mimeType"]?.string ?? ""
            let bytes = json["content"]?.string.flatMap(Base64.decode)
            let url = try bytes.map { try keep($0, mimeType) } ?? json["url"]?.string ?? ""
            var content: JSON.Object = [
                "type": .string(mimeType.hasPrefix("image/") ? "image" : "file"), "text": json["text"] ?? "", "mediaUrl": .string(url),
                "mediaType": .string(mimeType),
            ]
            if let bytes { content["mediaSize"] = .integer(Int64(bytes.count)) }
            return content
        case .card:
            var content: JSON.Object = [:]
            for name in ["type", "text", "payload", "displaySettings"] { if let value = json[name] { content[name] = value } }
            if let actions = json["actions"]?.array { content["actions"] = identified(actions, "action") }
            if let fields = json["fields"]?.array { content["fields"] = identified(fields, "field") }
            if let items = json["items"]?.array {
                content["items"] = .array(
                    items.enumerated().map { index, item in
                        var item = item
                        if let actions = item["actions"]?.array { item["actions"] = identified(actions, "item \(index) action") }
                        return item
                    })
            }
            return content
        default:
            var content: JSON.Object = ["type": "text", "text": json["text"] ?? ""]
            if let titles = json["quickReplies"]?.array {
                content["actions"] = identified(titles.map { ["type": "reply", "text": $0, "payload": $0] }, "quick reply")
            }
            return content
        }
    }

    /// Gives an id to each item without one: buttons are pressed by their ids, and Zendesk's ConversationKit requires one of each field of a form.
    func identified(_ items: [JSON], _ what: String) -> JSON {
        .array(
            items.enumerated().map { index, item in
                var item = item
                if item["_id"]?.string == nil { item["_id"] = .string(draw("\(what) \(index)").hex24) }
                return item
            })
    }
}

import SparringVendorKit

/// Messages to a user's clients: events over the socket, and notifications (Khoros reference 1.7 and 1.8).
extension Messenger {
    /// The user's sockets hear nothing any more, until they subscribe again.
    func unsubscribe() {
        for socket in sockets { socket.assign(to: "") }
    }

    /// Sends an event to the sockets that are subscribed to the user.
    ///
    /// - Returns: whether there is one.
    @discardableResult
    func tell(_ notification: String, _ event: JSON) throws -> Bool {
        let sockets = sockets
        let frame: JSON = [["channel": .string(Self.channel(user.id, of: user.app)), "data": ["events": [event]]]]
        for socket in sockets {
            try outbox.send(notification, frame, to: socket)
            if socket.isPolled { try vendor.answerHeldConnect(of: socket, outbox) }
        }
        return !sockets.isEmpty
    }

    @discardableResult
    func tellMessage(_ message: MessengerMessage, _ conversation: MessengerConversation) throws -> Bool {
        try tell("message", ["type": "message", "conversation": conversation.eventJSON, "message": message.json(base: base)])
    }

    @discardableResult
    func tellActivity(
        _ type: String, _ role: MessengerMessage.Role, _ conversation: MessengerConversation, _ data: JSON
    ) throws -> Bool {
        let activity = JSON.members([
            "role": .string(role.rawValue), "type": .string(type), "appUserId": role == .appUser ? .string(user.id) : nil, "data": data,
        ])
        return try tell("activity", ["type": "activity", "conversation": conversation.eventJSON, "activity": activity])
    }

    /// Shows a message of the business on the devices where the user is logged in. A client in the foreground gets it too, and shows nothing.
    ///
    /// - Returns: their tokens.
    func notify(_ message: MessengerMessage, _ conversation: MessengerConversation) throws -> [String] {
        let name = message.content["name"]?.string ?? "Business"
        let text = message.text ?? message.content["textFallback"]?.string ?? ""
        let unread = try MessengerConversationState.conversations(of: user, sandbox.id, db).reduce(0) { $0 + $1.unread }
        var tokens: [String] = []
        for client in try MessengerClientState.clients(of: user, sandbox.id, db) {
            guard let token = client.pushToken, let device = try sandbox.devices.device(token, db), device.renewed == nil else { continue }
            tokens.append(token)
            let payload = payload(of: message, conversation, name, text, unread, isApple: client.isApple)
            var file = payload
            file["Simulator Target Bundle"] = .string(device.app)
            try sandbox.devices.append(
                .members([
                    "vendor": .string(vendor.name), "appId": .string(device.app), "pushType": .string(device.pushType),
                    "consumer": .string(user.name), "badge": .integer(Int64(unread)), "text": .string(text), "payload": payload,
                ]), simulatorFile: client.isApple ? file : nil, to: token, at: now, db)
        }
        return tokens
    }

    /// For APNs a category and the badge; for FCM data only, in which the message is JSON in a string.
    private func payload(
        of message: MessengerMessage, _ conversation: MessengerConversation, _ name: String, _ text: String, _ unread: Int, isApple: Bool
    ) -> JSON {
        if isApple {
            return [
                "aps": [
                    "alert": .string("\(name): \(text)"), "badge": .integer(Int64(unread)), "sound": "default",
                    "category": "SmoochReplyableNotification",
                ],
                "SmoochNotification": true, "conversationId": .string(conversation.id),
            ]
        }
        return [
            "data": [
                "smoochNotification": "true", "message": .string(message.json(base: base).text), "conversationId": .string(conversation.id),
            ]
        ]
    }
}

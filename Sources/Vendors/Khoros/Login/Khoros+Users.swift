import SparringVendorKit

/// Handlers of the tag "Users" about a user who is there (Khoros reference 1.3 and 1.8).
extension Khoros {
    func readUser(_ messenger: Messenger, _ call: Call) throws -> Decision {
        .answer("user-found", try messenger.bundle(), cause: messenger.user.name)
    }

    func updateUser(_ messenger: Messenger, _ call: Call) throws -> Decision {
        var user = messenger.user
        user.take(call.body)
        try requireFree(user.email, for: user, call, messenger.db)
        user.lastSeen = call.now
        try MessengerUserState.update(user, call.sandbox.id, messenger.db)
        let names = call.body?.object?.keys.joined(separator: ", ") ?? ""
        return .answer("user-changed", [:], cause: "\(user.name): \(names)")
    }

    /// The server drops the client that the body names (inferred).
    func logOut(_ messenger: Messenger, _ call: Call) throws -> Decision {
        var user = messenger.user
        let (id, db) = (call.body?["client"]?["id"]?.string ?? "", messenger.db)
        let client = try MessengerClientState.clients(of: user, call.sandbox.id, db).first { $0.id.isSame(as: id) }
        let isGone = try MessengerClientState.remove(id, of: user, call.sandbox.id, db)
        if let token = client?.pushToken, var device = try call.sandbox.devices.device(token, db), device.owner == user.name {
            (device.owner, device.consumer) = (nil, nil)
            try call.sandbox.devices.put(device, db)
        }
        // Which socket is the client's is not known; with the last client the user is gone.
        if try MessengerClientState.clients(of: user, call.sandbox.id, db).isEmpty { messenger.unsubscribe() }
        user.signOuts += 1
        user.lastSeen = call.now
        try MessengerUserState.update(user, call.sandbox.id, db)
        return .answer(
            "logged-out", [:], cause: "\(user.name), client \(id)\(isGone ? ": no more pushes there" : ", which was not logged in")")
    }

    func updateClient(_ messenger: Messenger, _ call: Call) throws -> Decision {
        let (user, db, id) = (messenger.user, messenger.db, call.path("clientId"))
        guard var client = try MessengerClientState.clients(of: user, call.sandbox.id, db).first(where: { $0.id.isSame(as: id) }) else {
            throw Refusal("client-unknown", "\(user.name) has no client \(id.quoted)")
        }
        let token = call.field("pushNotificationToken").flatMap { $0.isEmpty ? nil : $0 }
        client.integrationId = call.field("integrationId") ?? client.integrationId
        try MessengerClientState.keep(client, call.sandbox.id, db)
        try MessengerClientState.setToken(token, of: client, call.sandbox.id, db)
        if let token { try register(token, of: client, user, call, db) }
        return .answer("client-changed", [:], cause: "client \(id) of \(user.name): \(token.map { "device \($0)" } ?? "no device")")
    }

    /// The device gets pushes for its user.
    func register(_ token: String, of client: MessengerClient, _ user: MessengerUser, _ call: Call, _ db: Database) throws {
        try call.sandbox.devices.put(
            Device(
                token: token, app: client.integrationId ?? "khoros-\(user.app)", pushType: client.isApple ? "APNS" : "FCM", vendor: name,
                owner: user.name, consumer: user.name), db)
    }
}

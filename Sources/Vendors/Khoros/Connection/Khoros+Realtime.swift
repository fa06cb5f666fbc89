import SparringVendorKit

/// Bayeux over the socket (Khoros reference 1.7; Bayeux 1.0 §4).
extension Khoros {
    private static let heldConnect = "answer to a held connect"

    func handshake(_ db: Database, _ call: Call) throws -> Decision {
        let types = call.body?["supportedConnectionTypes"]?.array?.compactMap(\.string) ?? []
        let known =
            call.operation.answer("handshake-done")?.example?.array?.first?["supportedConnectionTypes"]?.array?.compactMap(\.string) ?? []
        guard types.contains(where: known.contains), let socket = call.socket else {
            let (theirs, ours) = (types.joined(separator: ", "), known.joined(separator: ", "))
            throw Refusal("handshake-refused", "the client can \(theirs.isEmpty ? "nothing" : theirs), and the vendor \(ours)")
        }
        let session = BayeuxSession(clientId: String(call.draw("bayeux client").hex.prefix(32)))
        session.keep(socket)
        // What the session before was subscribed to ends with it.
        socket.assign(to: "")
        socket.clearTimer(Self.heldConnect)
        expectPoll(socket, call)
        let timeout = call.settings(of: self).realtime.timeout
        return .answer(
            answer("handshake-done", ["clientId": .string(session.clientId)], call) { message in
                message["advice"]?["timeout"] = .integer(timeout.milliseconds)
            })
    }

    /// A handler of messages that name the session.
    func inSession(_ act: @escaping @Sendable (Database, Call, Socket, BayeuxSession) throws -> Decision) -> Handler {
        .decide { db, call in
            let id = call.field("clientId") ?? ""
            guard let socket = call.socket, let session = moved(id, to: socket, call) ?? BayeuxSession(socket),
                session.clientId.isSame(as: id)
            else {
                let why = BayeuxSession(call.socket) == nil ? "no handshake was made on this socket" : "this socket has another session"
                throw Refusal("client-unknown", "clientId is \(id.quoted), and \(why)")
            }
            expectPoll(socket, call)
            return try act(db, call, socket, session)
        }
    }

    /// A session goes with its client, from one way of connecting to another (Bayeux 1.0 §2.2: it is its id that makes it): Faye's libraries shake
    /// hands by HTTP and go on with a socket.
    ///
    /// - Returns: nil where the session is this socket's, or nobody's.
    private func moved(_ id: String, to socket: Socket, _ call: Call) -> BayeuxSession? {
        guard let before = call.sandbox.openSocket(carrying: id), before !== socket, before.tenant === socket.tenant,
            var session = BayeuxSession(before)
        else { return nil }
        session.heldId = nil
        let owner = before.owner ?? ""
        before.forget(BayeuxSession.key)
        before.assign(to: "")
        before.carry(nil)
        before.clearTimer(Self.heldConnect)
        session.keep(socket)
        socket.assign(to: owner)
        if before.isPolled { call.outbox.close(before, 1000, cause: "its session goes on on socket \(socket.number)") }
        return session
    }

    func connect(_ db: Database, _ call: Call, _ socket: Socket, _ session: BayeuxSession) throws -> Decision {
        var session = session
        defer { session.keep(socket) }
        guard session.isConnected else {
            session.isConnected = true
            return .answer(answer("connected", ["clientId": .string(session.clientId)], call))
        }
        // What came while the client was not there has waited for it.
        if socket.hasWaiting { return .answer(answer("connected", ["clientId": .string(session.clientId)], call)) }
        let timeout = call.settings(of: self).realtime.timeout
        session.isHeld = true
        session.heldId = call.field("id")
        socket.setTimer(Self.heldConnect, at: call.now + timeout)
        return .later(cause: "held for \(timeout.words)")
    }

    /// At its time; to a client that polls with what happens.
    func answerHeldConnect(of socket: Socket, _ outbox: Outbox) throws {
        guard var session = BayeuxSession(socket), session.isHeld,
            var message = contract.operation(Operation.connect.rawValue)?.answer("connected")?.example?.array?.first
        else { return }
        message["clientId"] = .string(session.clientId)
        message["id"] = session.heldId.map { .string($0) }
        session.isHeld = false
        session.keep(socket)
        socket.clearTimer(Self.heldConnect)
        try outbox.send("held", [message], to: socket, answersHeld: true)
    }

    func subscribe(_ db: Database, _ call: Call, _ socket: Socket, _ session: BayeuxSession) throws -> Decision {
        let subscription = call.field("subscription") ?? ""
        guard let id = Self.user(in: subscription, of: call.tenant.id) else {
            let form = Messenger.channel("…", of: call.tenant.id)
            throw Refusal("subscription-malformed", "\(subscription.quoted) is not \(form)")
        }
        let user = try subscriber(call, id, db)
        guard user.id.isSame(as: id) else { throw Refusal("user-of-another", "\(user.name) subscribes to user \(id)") }
        var session = session
        session.user = user.id
        session.keep(socket)
        socket.assign(to: Messenger.owner(user.id, of: user.app))
        try call.identify(socket, as: user.name, db)
        if socket.isPolled { try call.sandbox.issued(session.clientId, to: user.name, db) }
        var subscribed = answer("subscribed", ["clientId": .string(session.clientId), "subscription": .string(subscription)], call)
        subscribed.cause = "socket \(socket.number) is \(user.name)'s"
        return .answer(subscribed)
    }

    /// The user with the JWT or the session token; Android has both in `ext` and beside it, iOS in `ext` only.
    private func subscriber(_ call: Call, _ id: String, _ db: Database) throws -> MessengerUser {
        let ext = call.body?["ext"]
        if let text = ext?["jwt"]?.string ?? call.field("jwt"), !text.isEmpty {
            return try user(of: jwt(text, call), call, db)
        }
        guard let token = ext?["sessionToken"]?.string ?? call.field("sessionToken"), !token.isEmpty else {
            throw Refusal("authorization-missing", "neither a JWT nor a session token came")
        }
        return try session(ext?["appUserId"]?.string ?? call.field("appUserId") ?? id, token, call, db)
    }

    /// The user of a Bayeux channel; nil for another channel.
    private static func user(in subscription: String, of app: String) -> String? {
        let prefix = Messenger.channel("", of: app)
        guard subscription.hasPrefix(prefix) else { return nil }
        let id = subscription.dropFirst(prefix.count)
        return id.isEmpty || id.contains("/") ? nil : String(id)
    }

    func unsubscribe(_ db: Database, _ call: Call, _ socket: Socket, _ session: BayeuxSession) throws -> Decision {
        var session = session
        session.user = nil
        session.keep(socket)
        socket.assign(to: "")
        let subscription = JSON.string(call.field("subscription") ?? "")
        return .answer(answer("unsubscribed", ["clientId": .string(session.clientId), "subscription": subscription], call))
    }

    func disconnect(_ db: Database, _ call: Call, _ socket: Socket, _ session: BayeuxSession) throws -> Decision {
        socket.assign(to: "")
        socket.clearTimer(Self.heldConnect)
        call.outbox.close(socket, 1000, cause: "the client disconnected (Bayeux 1.0 §4.3)")
        return .answer(answer("disconnected", ["clientId": .string(session.clientId)], call))
    }

    /// The contract's example with what is this session's.
    private func answer(
        _ name: String, _ members: JSON.Object, _ call: Call, change: (inout JSON) -> Void = { _ in }
    ) -> Answer {
        var message = call.operation.answer(name)?.example?.array?.first ?? [:]
        for (member, value) in members { message[member] = value }
        change(&message)
        return Answer(name, bayeux(message, call))
    }

    /// An array of one message: Android reads no further. It says to which message it answers, where that had an `id` (Bayeux 1.0 §3.4), and which
    /// session and subscription a refusal is about.
    func bayeux(_ message: JSON, _ call: Call) -> JSON {
        var message = message
        if let id = call.body?["id"]?.string, id.utf8.count <= 256 { message["id"] = .string(id) }
        if message["successful"]?.bool == false {
            message["channel"] = call.body?["channel"] ?? message["channel"]
            for name in ["clientId", "subscription"] where message[name] != nil {
                // As a text, whatever it was.
                message[name] = call.body?[name].map { .string($0.string ?? $0.text.abbreviated(to: 256)) } ?? ""
            }
            if let id = call.body?["clientId"]?.string, message["error"]?.string?.hasSuffix("Unknown client") == true {
                message["error"] = .string("401:\(id):Unknown client")
            }
        }
        return [message]
    }
}

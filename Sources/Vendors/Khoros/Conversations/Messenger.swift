import SparringVendorKit

/// An occurrence in a user's conversations: a call of theirs, an act of the business, or work that fell due.
struct Messenger: Occurrence {
    let db: Database
    let occasion: Occasion
    let vendor: Khoros
    let user: MessengerUser
    /// The address by which the client reached this server; empty where nobody calls.
    let base: String
    var scriptDepth = 0

    init(_ occasion: Occasion, _ db: Database, vendor: Khoros, user: MessengerUser, base: String) {
        (self.occasion, self.db, self.vendor, self.user) = (occasion, db, vendor, user)
        self.base = Khoros.advertised(base)
    }

    var settings: Khoros.Settings { tenant.settings(of: Khoros.self) }

    /// The owner under which a user's sockets are filed.
    static func owner(_ user: String, of app: String) -> String { "khoros \(app) \(user)" }

    var sockets: [Socket] { sandbox.openSockets(of: Self.owner(user.id, of: user.app)) }

    /// The Bayeux channel of a user (Khoros reference 1.7).
    static func channel(_ user: String, of app: String) -> String { ["", "sdk", "apps", app, "appusers", user].joined(separator: "/") }

    // MARK: What clients read

    /// The user with what a client needs to begin (Khoros reference 1.4).
    func bundle() throws -> JSON {
        let page = try conversationPage(from: 0)
        return .members([
            "appUser": try appUser(), "appUsers": page["appUsers"], "settings": userSettings, "conversations": page["conversations"],
            "conversationsPagination": page["conversationsPagination"],
        ])
    }

    private func appUser() throws -> JSON {
        let clients = try MessengerClientState.clients(of: user, sandbox.id, db)
        let isStarted = try !MessengerConversationState.conversations(of: user, sandbox.id, db).isEmpty
        return .members([
            "_id": .string(user.id), "userId": user.userId.map { .string($0) }, "givenName": user.givenName.map { .string($0) },
            "surname": user.surname.map { .string($0) }, "email": user.email.map { .string($0) },
            "conversationStarted": .bool(isStarted), "credentialRequired": .bool(user.userId != nil), "hasPaymentInfo": false,
            "clients": .array(clients.map(\.json)), "pendingClients": [], "properties": user.properties,
        ])
    }

    private var userSettings: JSON {
        let path = vendor.path(.openRealtime, ["appId": user.app])
        return [
            "realtime": settings.realtime.wire(baseURL: base + path), "profile": ["enabled": true, "uploadInterval": 5],
            "typing": ["enabled": true],
        ]
    }

    /// A list of conversations, each with its newest message: by that the SDKs know whether they have to read the rest.
    func conversationPage(from offset: Int) throws -> JSON {
        let all = try MessengerConversationState.conversations(of: user, sandbox.id, db)
        let page = try all.dropFirst(offset).prefix(settings.conversationPage).map { conversation in
            var json = conversation.json
            let newest = try MessengerMessageState.messages(of: conversation, before: nil, limit: 1, sandbox.id, db)
            json["messages"] = .array(newest.map { $0.json(base: base) })
            return json
        }
        return [
            "conversations": .array(page),
            "conversationsPagination": ["hasMore": .bool(offset + page.count < all.count)], "appUsers": [user.id: try appUser()],
        ]
    }

    /// A conversation with the newest messages, or those before a time.
    func shown(_ conversation: MessengerConversation, before: Timestamp? = nil) throws -> JSON {
        let limit = settings.historyPage
        let messages = try MessengerMessageState.messages(of: conversation, before: before, limit: limit + 1, sandbox.id, db)
        let appUser = try appUser()
        return [
            "conversation": conversation.json, "messages": .array(messages.suffix(limit).map { $0.json(base: base) }),
            "hasPrevious": .bool(messages.count > limit), "appUser": appUser, "appUsers": [user.id: appUser], "settings": userSettings,
        ]
    }

    // MARK: What is said

    /// Begins a conversation, with what a body says of it.
    @discardableResult
    func begin(_ body: JSON?, client: JSON?, heard: Bool = false) throws -> MessengerConversation {
        let known = try MessengerConversationState.conversations(of: user, sandbox.id, db)
        var conversation = MessengerConversation(
            app: user.app, id: draw("conversation").hex24, user: user.id, participant: draw("participant").hex24, isDefault: known.isEmpty,
            created: now, updated: now)
        conversation.take(body)
        try MessengerConversationState.insert(conversation, sandbox.id, db)
        if heard { try tell("conversationAdded", ["type": "conversation:added", "conversation": conversation.eventJSON]) }
        try playScript(on: [.opened], in: conversation)
        for (index, message) in (body?["messages"]?.array ?? []).enumerated() {
            conversation = try say(message, in: conversation, client: client, mark: " \(index)").conversation
        }
        return conversation
    }

    /// The user says something.
    ///
    /// - Parameters:
    ///   - tab: the author's `sessionId`, by which a web client recognises its own messages; nil: it has none.
    ///   - mark: tells it from others of the same call.
    ///   - media: members of a message with a file.
    func say(
        _ said: JSON?, in conversation: MessengerConversation, client: JSON?, tab: JSON? = nil, media: JSON.Object = [:], mark: String = ""
    ) throws -> (message: MessengerMessage, conversation: MessengerConversation) {
        var content: JSON.Object = ["type": said?["type"] ?? "text"]
        for member in MessengerMessage.saidMembers { if let value = said?[member], !value.isNull { content[member] = value } }
        if let fields = content["fields"]?.array { content["fields"] = identified(fields.filter { $0.object != nil }, "field" + mark) }
        if let name = user.givenName { content["name"] = .string(name) }
        content.merge(media) { $1 }
        let source = JSON.members([
            "type": client?["platform"] ?? "api", "id": client?["id"], "integrationId": client?["integrationId"],
            "sessionId": tab?.string.map { .string($0) },
        ])
        let kept = try add(
            MessengerMessage(
                app: user.app, id: draw("message" + mark).hex24, conversation: conversation.id, role: .appUser, author: user.id,
                content: content, received: now, source: source), to: conversation)
        try tellMessage(kept.message, kept.conversation)
        let events: Set<ScriptEvent> = kept.message.text?.isEmpty == false ? [.content, .text] : [.content]
        try playScript(on: events, in: kept.conversation, text: kept.message.text, sequence: kept.message.number)
        return kept
    }

    /// Keeps a message; what the business says is unread.
    func add(
        _ message: MessengerMessage, to conversation: MessengerConversation
    ) throws -> (message: MessengerMessage, conversation: MessengerConversation) {
        var (message, conversation) = (message, conversation)
        message.number = try MessengerMessageState.insert(message, sandbox.id, db)
        conversation.updated = now
        if message.role == .appMaker { conversation.unread += 1 }
        try MessengerConversationState.update(conversation, sandbox.id, db)
        return (message, conversation)
    }

    /// The user has read everything.
    func read(_ conversation: MessengerConversation) throws {
        var conversation = conversation
        (conversation.unread, conversation.read) = (0, now)
        try MessengerConversationState.update(conversation, sandbox.id, db)
        try tellActivity("conversation:read", .appUser, conversation, ["lastRead": now.epochSeconds])
    }

    /// - Returns: the path at which a file can be fetched.
    func keep(_ bytes: [UInt8], _ mimeType: String) throws -> String {
        let file = draw("media").hex
        try MediaState.keep(bytes, mimeType, as: file, of: user.app, at: now, sandbox, db)
        try sandbox.issued(file, to: user.name, db)
        return vendor.path(.fetchFile, ["appId": user.app, "file": file])
    }
}

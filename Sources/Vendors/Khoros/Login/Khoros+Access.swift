import SparringVendorKit

/// The credential with which a call comes.
enum MessengerAccess: Sendable {
    case jwt(UserJWT)
    /// The session of an anonymous user, or of one who came by a code.
    case session(MessengerUser)
}

/// The authentication of calls (Khoros reference 1.3, 1.5 and 1.6).
extension Khoros {
    /// A handler of calls about the user in the path.
    func asUser(_ act: @escaping @Sendable (Messenger, Call) throws -> Decision) -> Handler {
        .decide { db, call in
            let user = try user(call, db)
            return try act(Messenger(call.occasion, db, vendor: self, user: user, base: call.base), call)
        }
    }

    /// A handler of calls about the conversation in the path.
    func inConversation(_ act: @escaping @Sendable (Messenger, Call, MessengerConversation) throws -> Decision) -> Handler {
        .decide { db, call in try inConversation(call, db) { try act($0, call, $1) } }
    }

    func inConversation(
        _ call: Call, _ db: Database, _ act: (Messenger, MessengerConversation) throws -> Decision
    ) throws -> Decision {
        let user = try caller(call, db)
        let id = call.path("conversationId")
        guard let conversation = try MessengerConversationState.conversation(id, of: call.tenant.id, call.sandbox.id, db) else {
            throw Refusal("conversation-unknown", "there is no conversation \(id.quoted)")
        }
        guard conversation.user.isSame(as: user.id) else { throw Refusal("user-of-another", "conversation \(id) is not \(user.name)'s") }
        return try act(Messenger(call.occasion, db, vendor: self, user: user, base: call.base), conversation)
    }

    /// The user in the path, who must be the caller.
    private func user(_ call: Call, _ db: Database) throws -> MessengerUser {
        let caller = try caller(call, db)
        let id = call.path("appUserId")
        if caller.id.isSame(as: id) { return caller }
        if let other = try MessengerUserState.user(id, of: call.tenant.id, call.sandbox.id, db) {
            throw Refusal("user-of-another", "\(caller.name) calls for user \(other.name)")
        }
        throw Refusal("user-unknown", "there is no user \(id.quoted)")
    }

    /// The user whose credential the call carries.
    private func caller(_ call: Call, _ db: Database) throws -> MessengerUser {
        switch try access(call, db) {
        case nil: throw Self.missing
        case .session(let user): return user
        case .jwt(let jwt): return try user(of: jwt, call, db)
        }
    }

    func user(of jwt: UserJWT, _ call: Call, _ db: Database) throws -> MessengerUser {
        guard let user = try MessengerUserState.user(ofBrand: jwt.userId, of: call.tenant.id, call.sandbox.id, db) else {
            throw Refusal("user-unknown", "\(jwt.userId.quoted) has never logged in")
        }
        return user
    }

    static let missing = Refusal("authorization-missing", "Authorization is missing")

    /// Nil where the call carries no credential.
    func access(_ call: Call, _ db: Database) throws -> MessengerAccess? {
        guard let header = call.header(.authorization), !header.isEmpty else { return nil }
        if header.lowercased().hasPrefix("bearer ") { return .jwt(try jwt(header.credential, call)) }
        guard let (id, token) = BasicCredentials.read(header) else {
            throw Refusal("authorization-malformed", "Authorization is neither 'Bearer' with a JWT nor 'Basic' with appUserId:sessionToken")
        }
        return .session(try session(id, token, call, db))
    }

    func jwt(_ text: String, _ occurrence: some Occurrence) throws(Refusal) -> UserJWT {
        try UserJWT(text, occurrence.settings(of: self), at: occurrence.now)
    }

    func session(_ id: String, _ token: String, _ occurrence: some Occurrence, _ db: Database) throws -> MessengerUser {
        guard let user = try MessengerUserState.user(id, of: occurrence.tenant.id, occurrence.sandbox.id, db) else {
            throw Refusal("session-unknown", "there is no user \(id.quoted)")
        }
        guard let known = user.sessionToken, known.isSame(as: token) else {
            let why = user.sessionToken == nil ? "has no session: the brand's JWT is needed" : "has another session token"
            throw Refusal("session-unknown", "user \(id) \(why)")
        }
        return user
    }
}

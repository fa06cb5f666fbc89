import SparringVendorKit

/// Handlers of the tag "Users" that make users and let them in (Khoros reference 1.3, 1.5 and 1.11).
extension Khoros {
    func logIn(_ db: Database, _ call: Call) throws -> Decision {
        let jwt: UserJWT
        let access: MessengerAccess?
        do { access = try self.access(call, db) } catch let refusal as Refusal { return refused(refusal, call) }
        switch access {
        case nil: throw Self.missing
        case .session: throw Refusal("authorization-malformed", "a login needs the brand's JWT, and a session came")
        case .jwt(let found): jwt = found
        }
        try check(call.field("userId"), jwt, call)
        try checkPlatform(of: call)
        let anonymous = try carriedAlong(call, db)
        var known = try MessengerUserState.user(ofBrand: jwt.userId, of: call.tenant.id, call.sandbox.id, db)
        if known == nil, anonymous == nil, !call.settings(of: self).usersAreMadeAtLogin {
            var answer = Answer("user-not-made-yet", cause: "\(jwt.words); the first message makes the user")
            answer.findings = findings(of: jwt, call)
            return .answer(answer)
        }
        var words = jwt.words
        if let anonymous {
            known = try merge(anonymous, into: known, jwt, call, db)
            words += "; what was said as \(anonymous.id) comes along"
        }
        var user = try known ?? newUser(jwt.userId, call, db)
        user.givenName = user.givenName ?? jwt.givenName
        user.signIns += 1
        user.lastSeen = call.now
        try MessengerUserState.update(user, call.sandbox.id, db)
        let findings = findings(of: jwt, call) + (try strangers(on: call, than: user, carriedAlong: anonymous, db))
        return .answer(try letIn(user, "logged-in", words, findings, call, db))
    }

    func createUser(_ db: Database, _ call: Call) throws -> Decision {
        var user: MessengerUser
        var known: MessengerUser?
        var findings: [Finding] = []
        let words: String
        let access: MessengerAccess?
        do { access = try self.access(call, db) } catch let refusal as Refusal { return refused(refusal, call) }
        switch access {
        case .session: throw Refusal("user-taken", "the session is that of a user who is there already")
        case .jwt(let jwt):
            try check(call.field("userId"), jwt, call)
            try checkPlatform(of: call)
            known = try MessengerUserState.user(ofBrand: jwt.userId, of: call.tenant.id, call.sandbox.id, db)
            try requireFree(call.field("email"), for: known, call, db)
            user = try known ?? newUser(jwt.userId, call, db)
            user.givenName = user.givenName ?? jwt.givenName
            user.signIns += 1
            (words, findings) = (jwt.words, self.findings(of: jwt, call) + (try strangers(on: call, than: user, carriedAlong: nil, db)))
        case nil:
            if let userId = call.field("userId") { throw Refusal("authorization-missing", "userId \(userId.quoted) needs the brand's JWT") }
            try checkPlatform(of: call)
            try requireFree(call.field("email"), for: nil, call, db)
            user = try newUser(nil, call, db)
            words = "anonymous user \(user.id)"
        }
        user.take(call.body)
        user.lastSeen = call.now
        try MessengerUserState.update(user, call.sandbox.id, db)
        if let begun = Self.firstConversation(call.body) {
            let messenger = Messenger(call.occasion, db, vendor: self, user: user, base: call.base)
            try messenger.begin(begun, client: call.body?["client"])
        }
        return .answer(try letIn(user, "user-made", words, findings, call, db))
    }

    /// The first conversation of a new user: the body describes it, or has its messages, or an intent that needs one. Zendesk's web clients send only
    /// the intent, and read the first conversation of the answer.
    private static func firstConversation(_ body: JSON?) -> JSON? {
        let described = body?["conversation"].flatMap { $0.object == nil ? nil : $0 }
        let messages = body?["messages"]?.array ?? []
        let intent = body?["intent"]?.string ?? ""
        guard described != nil || !messages.isEmpty || ["conversation:start", "message:appUser"].contains(intent) else { return nil }
        var begun = described ?? [:]
        if !messages.isEmpty { begun["messages"] = .array((begun["messages"]?.array ?? []) + messages) }
        return begun
    }

    func upgradeUser(_ db: Database, _ call: Call) throws -> Decision {
        let id = call.field("clientId") ?? ""
        let users = try MessengerClientState.clients(called: id, of: call.tenant.id, call.sandbox.id, db).compactMap {
            try MessengerUserState.user($0.user, of: call.tenant.id, call.sandbox.id, db)
        }
        guard let user = users.last(where: { $0.userId == nil }) else {
            let why = users.isEmpty ? "nobody uses the client \(id.quoted)" : "who uses the client \(id.quoted) needs the brand's JWT"
            throw Refusal("client-unknown", why)
        }
        return .answer(try giveSession(to: user, "user-upgraded", "the session of client \(id)", call, db))
    }

    func redeemAuthCode(_ db: Database, _ call: Call) throws -> Decision {
        let text = call.field("authCode") ?? ""
        guard let code = try AuthCodeState.code(text, of: call.tenant.id, call.sandbox.id, db),
            let user = try MessengerUserState.user(code.user, of: call.tenant.id, call.sandbox.id, db)
        else { throw Refusal("code-unknown", "no such code was issued") }
        if let spentAt = code.spentAt {
            throw Refusal("code-reused", "the code was redeemed by entry \(code.spentBy ?? 0), \((call.now - spentAt).words) ago")
        }
        if call.now >= code.expiresAt { throw Refusal("code-expired", "the code expired \((call.now - code.expiresAt).words) ago") }
        guard try AuthCodeState.spend(code, at: call.now, by: call.entry, call.sandbox.id, db) else {
            throw Refusal("code-reused", "the code was redeemed at the same time")
        }
        try keepClient(of: user, call, db)
        return .answer(try giveSession(to: user, "code-redeemed", "the code of \(user.name)", call, db))
    }

    // MARK: What they share

    /// The user in the body and in the JWT (KBM-02).
    private func check(_ userId: String?, _ jwt: UserJWT, _ call: Call) throws {
        guard call.settings(of: self).checksUserId, let userId, !userId.isSame(as: jwt.userId) else { return }
        throw Refusal("user-mismatch", "the body says \(userId.quoted), the JWT is \(jwt.userId)'s")
    }

    /// A client names the integration of its own platform.
    private func checkPlatform(of call: Call) throws {
        guard let client = call.body?["client"], let id = client["integrationId"]?.string else { return }
        let settings = call.settings(of: self)
        guard let integration = settings.integration(id) else {
            throw Refusal("platform-mismatch", "\(id.quoted) is not an integration of app \(settings.appId)")
        }
        guard let platform = client["platform"]?.string, platform != integration.platform.rawValue else { return }
        throw Refusal("platform-mismatch", "integration \(id) is for \(integration.platform.rawValue), the client says \(platform)")
    }

    /// An e-mail address is one user's.
    ///
    /// - Parameter user: who may have it; nil: nobody is there yet.
    func requireFree(_ email: String?, for user: MessengerUser?, _ call: Call, _ db: Database) throws {
        guard let email, !email.isEmpty,
            let other = try MessengerUserState.user(withEmail: email, of: call.tenant.id, call.sandbox.id, db), other.id != user?.id
        else { return }
        throw Refusal("email-taken", "\(email.quoted) is \(other.name)'s")
    }

    private func newUser(_ userId: String?, _ call: Call, _ db: Database) throws -> MessengerUser {
        var user = MessengerUser(app: call.tenant.id, id: call.draw("appUser").hex24, userId: userId, lastSeen: call.now)
        if userId == nil { user.sessionToken = String(call.secret("session token").hex.prefix(40)) }
        try MessengerUserState.insert(user, call.sandbox.id, db)
        try noteSession(of: user, call, db)
        return user
    }

    /// The user as whom the client was used before it logged in.
    private func carriedAlong(_ call: Call, _ db: Database) throws -> MessengerUser? {
        guard let id = call.field("appUserId"), let token = call.field("sessionToken") else { return nil }
        let user = try session(id, token, call, db)
        return user.userId == nil ? user : nil
    }

    /// The conversations move, and the session ends (assumed, Khoros reference 1.11). Nobody known by the brand: the user becomes known.
    private func merge(
        _ anonymous: MessengerUser, into known: MessengerUser?, _ jwt: UserJWT, _ call: Call, _ db: Database
    ) throws -> MessengerUser {
        // What subscribed with the session has to subscribe with the JWT.
        Messenger(call.occasion, db, vendor: self, user: anonymous, base: call.base).unsubscribe()
        guard let known else {
            var user = anonymous
            (user.userId, user.sessionToken) = (jwt.userId, nil)
            try MessengerUserState.update(user, call.sandbox.id, db)
            return user
        }
        try MessengerConversationState.move(from: anonymous, to: known, call.sandbox.id, db)
        try MessengerClientState.move(from: anonymous, to: known, call.sandbox.id, db)
        try MessengerUserState.remove(anonymous, call.sandbox.id, db)
        return known
    }

    /// Keeps the client that the body names, and its device.
    @discardableResult
    func keepClient(of user: MessengerUser, _ call: Call, _ db: Database) throws -> MessengerClient? {
        guard let client = MessengerClient(call.body?["client"], of: user, at: call.now) else { return nil }
        try MessengerClientState.keep(client, call.sandbox.id, db)
        if let token = client.pushToken { try register(token, of: client, user, call, db) }
        try call.proves(client.id, is: user.name, db)
        return client
    }

    /// The user with what a client needs to begin.
    private func letIn(
        _ user: MessengerUser, _ answer: String, _ words: String, _ findings: [Finding], _ call: Call, _ db: Database
    ) throws -> Answer {
        let client = try keepClient(of: user, call, db)
        let messenger = Messenger(call.occasion, db, vendor: self, user: user, base: call.base)
        var json = try messenger.bundle()
        if answer == "user-made", let token = user.sessionToken { json["sessionToken"] = .string(token) }
        let device = client?.pushToken == nil ? "" : ", with a device for pushes"
        var answer = Answer(answer, json, cause: "\(words); client \(client?.id ?? "unknown")\(device)")
        answer.findings = findings
        return answer
    }

    private func giveSession(
        to user: MessengerUser, _ answer: String, _ words: String, _ call: Call, _ db: Database
    ) throws -> Answer {
        var user = user
        user.sessionToken = user.sessionToken ?? String(call.secret("session token").hex.prefix(40))
        user.lastSeen = call.now
        user.signIns += 1
        try MessengerUserState.update(user, call.sandbox.id, db)
        try noteSession(of: user, call, db)
        return Answer(answer, ["appUser": ["_id": .string(user.id), "sessionToken": .string(user.sessionToken ?? "")]], cause: words)
    }

    /// Notes the credentials by which later calls are known to be the user's: that of Basic, and the token that subscriptions carry.
    private func noteSession(of user: MessengerUser, _ call: Call, _ db: Database) throws {
        guard let token = user.sessionToken else { return }
        for credential in [Base64.encode(Array("\(user.id):\(token)".utf8)), token] {
            try call.sandbox.issued(credential, to: user.name, db)
        }
    }
}

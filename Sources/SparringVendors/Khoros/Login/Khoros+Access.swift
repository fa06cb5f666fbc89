import GRDB
import HTTPTypes
import SparringContract
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// By which credential a call comes.
enum MessengerAccess: Sendable {
    case jwt(UserJWT)
    /// The session of an anonymous user, or of one who came by a code.
    case session(MessengerUser)
}

/// Who calls (Khoros reference 1.3, 1.5 and 1.6).
extension Khoros {
    /// A handler of calls about the user in the path.
    func asUser(_ act: @escaping @Sendable (Messenger, Call) throws -> Decision) -> Handler {
        .decide { db, call in
            switch try user(call, db) {
            case .failure(let refusal): return .refusal(refusal)
            case .success(let user): return try act(Messenger(call.occasion, db, vendor: self, user: user, base: call.base), call)
            }
        }
    }

    /// A handler of calls about the conversation in the path.
    func inConversation(_ act: @escaping @Sendable (Messenger, Call, MessengerConversation) throws -> Decision) -> Handler {
        .decide { db, call in try inConversation(call, db) { try act($0, call, $1) } }
    }

    func inConversation(
        _ call: Call, _ db: Database, _ act: (Messenger, MessengerConversation) throws -> Decision
    ) throws -> Decision {
        let user: MessengerUser
        switch try caller(call, db) {
        case .failure(let refusal): return .refusal(refusal)
        case .success(let found): user = found
        }
        let id = call.path("conversationId")
        guard let conversation = try MessengerConversationState.conversation(id, of: call.tenant.id, call.sandbox.id, db) else {
            return .refusal(Refusal("conversation-unknown", "there is no conversation \(id.quoted)"))
        }
        guard conversation.user.isSame(as: user.id) else {
            return .refusal(Refusal("user-of-another", "conversation \(id) is not \(user.name)'s"))
        }
        return try act(Messenger(call.occasion, db, vendor: self, user: user, base: call.base), conversation)
    }

    /// The user in the path, who must be the caller.
    private func user(_ call: Call, _ db: Database) throws -> Result<MessengerUser, Refusal> {
        let found = try caller(call, db)
        let id = call.path("appUserId")
        guard case .success(let caller) = found, !caller.id.isSame(as: id) else { return found }
        if let other = try MessengerUserState.user(id, of: call.tenant.id, call.sandbox.id, db) {
            return .failure(Refusal("user-of-another", "\(caller.name) calls for user \(other.name)"))
        }
        return .failure(Refusal("user-unknown", "there is no user \(id.quoted)"))
    }

    /// The user whose credential the call carries.
    private func caller(_ call: Call, _ db: Database) throws -> Result<MessengerUser, Refusal> {
        switch try access(call, db) {
        case .failure(let refusal): return .failure(refusal)
        case .success(nil): return .failure(Self.missing)
        case .success(.session(let user)): return .success(user)
        case .success(.jwt(let jwt)):
            guard let user = try MessengerUserState.user(ofBrand: jwt.userId, of: call.tenant.id, call.sandbox.id, db) else {
                return .failure(Refusal("user-unknown", "\(jwt.userId.quoted) has never logged in"))
            }
            return .success(user)
        }
    }

    static let missing = Refusal("authorization-missing", "Authorization is missing")

    /// Nil where the call carries no credential.
    func access(_ call: Call, _ db: Database) throws -> Result<MessengerAccess?, Refusal> {
        guard let header = call.header(.authorization), !header.isEmpty else { return .success(nil) }
        if header.lowercased().hasPrefix("bearer ") { return jwt(header.credential, call).map { .jwt($0) } }
        guard let (id, token) = BasicCredentials.read(header) else {
            return .failure(
                Refusal("authorization-malformed", "Authorization is neither 'Bearer' with a JWT nor 'Basic' with appUserId:sessionToken"))
        }
        return try session(id, token, call, db).map { .session($0) }
    }

    func jwt(_ text: String, _ occurrence: some Occurrence) -> Result<UserJWT, Refusal> {
        do throws(Refusal) {
            return .success(try UserJWT(text, occurrence.settings(of: self), at: occurrence.now))
        } catch {
            return .failure(error)
        }
    }

    func session(_ id: String, _ token: String, _ occurrence: some Occurrence, _ db: Database) throws -> Result<MessengerUser, Refusal> {
        guard let user = try MessengerUserState.user(id, of: occurrence.tenant.id, occurrence.sandbox.id, db) else {
            return .failure(Refusal("session-unknown", "there is no user \(id.quoted)"))
        }
        guard let known = user.sessionToken, known.isSame(as: token) else {
            let why = user.sessionToken == nil ? "has no session: the brand's JWT is needed" : "has another session token"
            return .failure(Refusal("session-unknown", "user \(id) \(why)"))
        }
        return .success(user)
    }
}

extension String {
    /// What stands behind the scheme of an Authorization header (RFC 9110 §11.4).
    var credential: String { split(separator: " ", maxSplits: 1).last.map { String($0.drop { $0 == " " }) } ?? "" }
}

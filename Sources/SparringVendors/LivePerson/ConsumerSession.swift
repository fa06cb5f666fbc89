import SparringEngine
import SparringJSON
import SparringJournal
import SparringTokens

/// Who is at the other end of a consumer's socket, and what it has subscribed to. It ends with the socket.
struct ConsumerSession: Sendable {
    static let key = "session"

    var consumer: String
    var isAnonymous: Bool
    var expiresAt: Timestamp
    /// By subscription id.
    var conversations: [(id: String, filter: ConversationFilter)] = []
    /// Ids of the dialogs whose events are wanted.
    var dialogs: Set<String> = []
    /// As the client announced them (reference 5.5).
    var clientProperties: JSON?

    var participant: Conversation.Participant { Conversation.Participant(id: consumer, role: "CONSUMER") }
}

/// Which conversations a subscription wants (reference 5.8).
struct ConversationFilter: Sendable {
    var minimumUpdate: Int64
    /// Nil: any.
    var states: [String]?
    var stages: [String]?

    init(_ body: JSON?) {
        minimumUpdate = body?["minLastUpdatedTime"]?.integer ?? 0
        states = body?["convState"].map { $0.oneOrMore.compactMap(\.string) }
        stages = body?["stage"].map { $0.oneOrMore.compactMap(\.string) }
    }

    func fits(_ conversation: Conversation) -> Bool {
        conversation.updated.milliseconds >= minimumUpdate && states?.contains(conversation.state) != false
            && stages?.contains(conversation.stage) != false
    }
}

/// Why a token does not open a socket.
enum TokenRefusal: Error, Equatable {
    case invalid(String)
    case expired(String, isAnonymous: Bool)

    var cause: String {
        switch self {
        case .invalid(let cause), .expired(let cause, _): cause
        }
    }

    /// Reference 5.3: 4407 where an anonymous identity is to be extended, else 4401: a fresh token is needed.
    var closeCode: UInt16 {
        if case .expired(_, isAnonymous: true) = self { return 4407 }
        return 4401
    }
}

extension LivePersonToken {
    /// Reads a token that LivePerson's identity service gave out (reference 4.2).
    ///
    /// - Parameter key: LivePerson's own.
    static func session(
        of text: String, account: String, at now: Timestamp, key: VerificationKey
    ) throws(TokenRefusal) -> ConsumerSession {
        let token: JWS
        do throws(TokenError) { token = try JWS(parsing: text) } catch { throw .invalid("the token is malformed: \(error.reason)") }
        guard token.verify(with: key) else { throw .invalid("the token was not signed by LivePerson") }
        guard token.payload["aud"]?.string == audience(account) else {
            throw .invalid("the token is for \(token.payload["aud"]?.text ?? "nobody"), not for \(audience(account))")
        }
        guard let consumer = token.payload["sub"]?.string, let expiry = token.payload["exp"]?.integer else {
            throw .invalid("the token lacks sub or exp")
        }
        let isAnonymous = token.payload["lp.ext"] == nil
        let expiresAt = Timestamp(seconds: expiry)
        guard now < expiresAt else { throw .expired("the token expired \((now - expiresAt).words) ago", isAnonymous: isAnonymous) }
        return ConsumerSession(consumer: consumer, isAnonymous: isAnonymous, expiresAt: expiresAt)
    }
}

extension JSON {
    /// An array, or the one element that may stand for an array of one (reference 5.4).
    var oneOrMore: [JSON] { array ?? [self] }

    /// A string, or a number as text: ids come as both.
    var idText: String? { string ?? integer.map(String.init) }
}

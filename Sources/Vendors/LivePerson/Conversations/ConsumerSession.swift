import SparringVendorKit

/// The consumer at the other end of a socket, and the socket's subscriptions. The session ends with the socket.
struct ConsumerSession: Sendable {
    static let key = "session"

    var consumer: String
    var isAnonymous: Bool
    var expiresAt: Timestamp
    /// The subscriptions to conversations, by subscription id.
    var conversations: [(id: String, filter: ConversationFilter)] = []
    /// Ids of the dialogs whose events are wanted.
    var dialogs: Set<String> = []
    /// The properties that the client announced (LivePerson reference 5.5).
    var clientProperties: JSON?

    init(_ bearer: LivePersonToken.Bearer) {
        (consumer, isAnonymous, expiresAt) = (bearer.consumer, bearer.isAnonymous, bearer.expiresAt)
    }

    var participant: Conversation.Participant { Conversation.Participant(id: consumer, role: "CONSUMER") }
}

/// The conversations that a subscription wants (LivePerson reference 5.8).
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

extension JSON {
    /// An array, or the one element that may stand for an array of one (LivePerson reference 5.4).
    var oneOrMore: [JSON] { array ?? [self] }
}

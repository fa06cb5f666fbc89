import SparringEngine
import SparringJSON
import SparringJournal

/// How an account's sockets behave where LivePerson's own numbers are unknown: the account's member `messaging`.
struct MessagingSettings: Sendable {
    /// How a socket shows that its token is refused (LivePerson reference 5.1: unknown on the wire).
    enum RefusalSign: String, CaseIterable, Sendable {
        /// It opens, and is closed with 4401 or 4407.
        case closeCode
        /// The upgrade is answered with 401.
        case httpStatus
    }

    /// A socket on which nothing comes in for so long is dropped (LivePerson reference 5.2: about a minute).
    var idleLimit: Duration
    /// How long a socket opened without a token waits for InitConnection (LivePerson reference 5.1: "a few seconds").
    var initConnectionLimit: Duration
    /// How long a conversation rings at an agent (LivePerson reference 12: 72 s in a sample).
    var ringExpiration: Duration
    var tokenRefusal: RefusalSign
    /// Whether a consumer may open a conversation while another is open (LivePerson reference 5.7: unknown).
    var allowsSecondConversation: Bool
    /// How long a secure form can be submitted after it was sent; nil: for ever. LivePerson's length is not public.
    var secureFormLifetime: Duration?
    /// Of conversations whose engagement names none.
    var survey: String?
    var systemMessages: SystemMessages

    static let member = "messaging"

    init(_ json: JSON?, _ surveys: SurveySettings) throws(ConfigurationError) {
        let members = try Members(
            json ?? [:], at: JSONPointer(tokens: [Self.member]),
            known: [
                "idleLimit", "initConnectionLimit", "ringExpiration", "tokenRefusal", "secondConversation", "secureFormLifetime", "survey",
                SystemMessages.member,
            ])
        idleLimit = try members.duration("idleLimit") ?? .seconds(65)
        initConnectionLimit = try members.duration("initConnectionLimit") ?? .seconds(5)
        ringExpiration = try members.duration("ringExpiration") ?? .seconds(72)
        tokenRefusal = try members.word("tokenRefusal", RefusalSign.self) ?? .closeCode
        allowsSecondConversation = try members.bool("secondConversation") ?? true
        secureFormLifetime = try members.duration("secureFormLifetime")
        survey = try surveys.named(in: members)
        systemMessages = try SystemMessages(members)
        let limits = [
            ("idleLimit", idleLimit), ("initConnectionLimit", initConnectionLimit), ("ringExpiration", ringExpiration),
            ("secureFormLifetime", secureFormLifetime ?? .seconds(1)),
        ]
        for (name, limit) in limits where limit < .seconds(1) {
            throw members.error(name, "at least a second")
        }
    }

    var json: JSON {
        .members([
            "idleLimit": .string(idleLimit.shortText), "initConnectionLimit": .string(initConnectionLimit.shortText),
            "ringExpiration": .string(ringExpiration.shortText), "tokenRefusal": .string(tokenRefusal.rawValue),
            "secondConversation": .bool(allowsSecondConversation),
            "secureFormLifetime": secureFormLifetime.map { .string($0.shortText) },
        ])
    }
}

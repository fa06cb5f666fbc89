/// How an account's sockets behave where LivePerson's own numbers are unknown: the account's member `messaging`.
struct MessagingSettings: Decodable, Sendable {
    /// How a socket shows that its token is refused (LivePerson reference 5.1: unknown on the wire).
    enum RefusalSign: String, Decodable, Sendable {
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
    /// The survey of conversations whose engagement names none.
    var survey: String?
    var systemMessages: SystemMessages

    private enum CodingKeys: String, CodingKey {
        case idleLimit, initConnectionLimit, ringExpiration, tokenRefusal
        case allowsSecondConversation = "secondConversation"
        case secureFormLifetime, survey, systemMessages
    }
}

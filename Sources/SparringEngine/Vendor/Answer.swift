public import HTTPTypes
public import SparringHTTP
public import SparringJSON
public import SparringJournal
public import SparringSandbox

/// A handler's answer. Its status and media type are in the contract, under the answer's name.
public struct Answer: Sendable {
    /// The name of one of the operation's declared answers.
    public var name: String
    public var body: Body
    public var headers: HTTPFields
    /// Why, in the words of the domain, for the journal.
    public var cause: String?
    /// The client's mistakes that do not prevent the answer, for the journal.
    public var findings: [Finding] = []
    /// Set if the body is a file, of which clients may ask for a part; nil: the body was made for this call.
    public var file: ServedFile?
    /// It is the vendor's own, which goes back as it came.
    var relayed: RelayedAnswer?

    public enum Body: Sendable {
        case none
        case json(JSON)
        case text(String)
        case bytes([UInt8])
        /// Made while it is sent.
        case stream(ResponseStream)
    }

    public init(_ name: String, _ body: JSON, headers: HTTPFields = [:], cause: String? = nil) {
        self.init(name, body: .json(body), headers: headers, cause: cause)
    }

    public init(_ name: String, body: Body = .none, headers: HTTPFields = [:], cause: String? = nil) {
        self.name = name
        self.body = body
        self.headers = headers
        self.cause = cause
    }

    init(relayed: RelayedAnswer) {
        self.init("relayed")
        self.relayed = relayed
    }
}

/// The vendor says no, correctly. How it looks on the wire is the vendor's to draw: ``Vendor/render(_:for:)``.
public struct Refusal: Error, Sendable, Equatable {
    /// The name of one of the operation's unhappy answers.
    public var name: String
    /// Why, in the words of the domain, such as `code was redeemed by entry 41, 12 s ago`.
    public var cause: String
    /// A fault asked for it: the client must not be able to tell, so the contract's example is drawn, and the cause stays in the journal.
    public var isForced: Bool

    /// Code points of the longest cause: it may quote what a stranger has sent.
    static let longestCause = 2000

    public init(_ name: String, _ cause: String, isForced: Bool = false) {
        self.name = name
        self.cause = cause.abbreviated(to: Self.longestCause)
        self.isForced = isForced
    }
}

public enum Decision: Sendable {
    case answer(Answer)
    /// Nothing goes back: for a message whose operation has no reply. With why, in the words of the domain.
    case nothing(cause: String? = nil)
    /// The answer comes later, as a notification: for a message that is held, such as a long poll's.
    case later(cause: String? = nil)
    case refusal(Refusal)
    /// The request brings messages of a channel that it polls (`x-polled-by`): each is taken as if it had come on the socket, and the answer of this name
    /// takes their answers along. Nil: a socket that begins with this request.
    case carry(_ answer: String, [JSON], on: Socket?)
}

extension Decision {
    /// An ``Answer`` with a JSON body.
    public static func answer(_ name: String, _ body: JSON, headers: HTTPFields = [:], cause: String? = nil) -> Decision {
        .answer(Answer(name, body, headers: headers, cause: cause))
    }

    /// An ``Answer`` with any other body, or none.
    public static func answer(_ name: String, body: Answer.Body = .none, headers: HTTPFields = [:], cause: String? = nil) -> Decision {
        .answer(Answer(name, body: body, headers: headers, cause: cause))
    }
}

package import SparringJSON

/// Why something came out as it did.
public struct Cause: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// For programs: ``fault``, a vendor's `idle` … Nil if nothing selects by it yet.
    public var code: String?
    /// In the words of the domain, for people.
    public var words: String
    /// The number of the fault that is the cause; nil: none is.
    package var fault: Int?
    /// The same as a list, for ``JournalEntry/faults``.
    package var faults: [Int] { fault.map { [$0] } ?? [] }

    public init(_ words: String, code: String? = nil) {
        self.code = code
        self.words = words
    }

    package init(_ words: String, code: String?, fault: Int?) {
        self.init(words, code: code)
        self.fault = fault
    }

    public init(stringLiteral words: String) { self.init(words) }

    /// - Parameter delivery: how the act or due work that it tells of reached the client: `socket`, `push`, `none`; nil: it sends nothing.
    package init(_ words: String, delivery: JSON?) { self.init(words, code: delivery == "push" ? Self.vendorPush : nil) }

    /// A fault caused it; the entry has its number.
    public static let fault = "fault"
    /// The client's message broke the contract and was refused for that.
    public static let malformed = "malformed"
    /// The channel has no message like the client's.
    public static let misunderstood = "misunderstood"
    /// The operation has no code: it answered by its example.
    public static let stub = "stub"
    /// The client did not wait for the answer.
    package static let gaveUp = "gave-up"
    /// Sparring itself went wrong.
    public static let failed = "failed"
    /// Calls or events before the entry could not be written; the entry has their number.
    package static let unrecorded = "unrecorded"
    /// The sandbox's clock was advanced; any other change of it was a setting.
    package static let clockAdvanced = "clock-advanced"
    /// The server was killed before the entry.
    package static let serverKilled = "server-killed"
    /// A device got a push that no vendor sent.
    package static let foreignPush = "foreign-push"
    /// A device got another push token.
    package static let newPushToken = "new-push-token"
    /// A vendor sent a push to a device, and nothing else of that is in the journal.
    static let vendorPush = "vendor-push"
    /// Events that no client caused; rules can start from them.
    package static let happenings = [foreignPush, newPushToken, vendorPush]
}

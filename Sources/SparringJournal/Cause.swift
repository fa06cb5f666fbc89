/// Why something came out as it did.
public struct Cause: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// For programs, which may select by it: ``fault``, a vendor's `idle` … Nil where no program has asked yet.
    public var code: String?
    /// In the words of the domain, for people.
    public var words: String

    public init(_ words: String, code: String? = nil) {
        self.code = code
        self.words = words
    }

    public init(stringLiteral words: String) { self.init(words) }

    /// A fault made it so; its number stands in the entry.
    public static let fault = "fault"
    /// The client's message breaks the contract, and that is what it was told.
    public static let malformed = "malformed"
    /// The client's message is none of the channel's.
    public static let misunderstood = "misunderstood"
    /// The client did not wait for the answer.
    public static let gaveUp = "gave-up"
    /// Sparring itself went wrong.
    public static let failed = "failed"
}

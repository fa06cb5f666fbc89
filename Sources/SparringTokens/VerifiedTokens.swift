import SparringLocks

/// The contents of tokens whose signatures have been verified: a client brings the same token with each of its calls.
public final class VerifiedTokens<Content: Sendable>: Sendable {
    private struct Known {
        let audience: String
        let content: Content
    }

    /// Tokens that are remembered; then all are forgotten.
    private static var limit: Int { 4096 }

    private let known = Mutex<[String: Known]>([:])

    public init() {}

    /// Nil where it has not been verified for that audience.
    public func content(of token: String, for audience: String) -> Content? {
        guard let known = known.withLock({ $0[token] }), known.audience == audience else { return nil }
        return known.content
    }

    public func keep(_ content: Content, of token: String, for audience: String) {
        known.withLock { known in
            if known.count >= Self.limit { known.removeAll(keepingCapacity: true) }
            known[token] = Known(audience: audience, content: content)
        }
    }
}

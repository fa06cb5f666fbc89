/// An operation that no code implements: it answers by the examples of its contract (`x-stub`).
public struct Stub: Sendable, Hashable {
    /// The name of the answer that it gives; nil: nothing goes back, as the operation is a message without a reply.
    public let answer: String?
}

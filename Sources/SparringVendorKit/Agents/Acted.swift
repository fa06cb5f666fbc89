public import SparringEngine
import SparringJSON

/// The result of an agent's act.
public struct Acted<Conversation> {
    public var conversation: Conversation
    /// The message's number in its conversation; nil for an act that says nothing.
    public var sequence: Int?
    /// How it has reached the consumer; nil: the vendor has no way of its own to them.
    public var delivery: Delivery?
    /// In words, in order.
    public var done: [String] = []

    public init(conversation: Conversation, sequence: Int? = nil, delivery: Delivery? = nil, done: [String] = []) {
        self.conversation = conversation
        self.sequence = sequence
        self.delivery = delivery
        self.done = done
    }
}

extension Answer {
    /// The answer to an act through the admin API: what was done, in words.
    ///
    /// - Parameter heading: what the cause says before that.
    public init(_ name: String, done: [String], heading: String = "") {
        self.init(name, ["done": .array(done.map { .string($0) })], cause: heading + done.joined(separator: "; "))
    }
}

/// What an agent did.
struct Acted<Conversation> {
    var conversation: Conversation
    /// The message's number in its conversation; nil for an act that says nothing.
    var sequence: Int?
    /// How it has reached the consumer; nil: the vendor has no way of its own to them.
    var delivery: Delivery?
    /// In words, in order.
    var done: [String] = []
}

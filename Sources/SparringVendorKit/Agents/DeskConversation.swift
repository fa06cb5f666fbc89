public import SparringJournal

/// A conversation of a consumer with a tenant's agents, whatever the vendor calls it.
public protocol DeskConversation: Sendable {
    /// The vendor's word for a conversation, such as `contact`.
    static var noun: String { get }

    var id: String { get }
    /// The consumer's id.
    var consumer: String { get }
    var started: Timestamp { get }
    var updated: Timestamp { get }
    /// Nil: it is open.
    var ended: Timestamp? { get }
}

extension DeskConversation {
    public static var noun: String { "conversation" }

    /// OPEN or CLOSE.
    var state: String { ended == nil ? "OPEN" : "CLOSE" }
}

public import SparringJournal

/// Somebody who has signed in, or come without.
public protocol DeskConsumer: Sendable {
    /// The vendor's id.
    var id: String { get }
    /// The brand's name for the consumer; without a brand the id.
    var name: String { get }
    var isAnonymous: Bool { get }
    var signIns: Int { get }
    var signOuts: Int { get }
    var lastSeen: Timestamp { get }
}

import SparringJournal

/// A change of one message on its way to a socket's client.
package struct MessageChange: Sendable {
    /// The outgoing copies of the message, and whether they go out after the next message.
    struct Copies: Sendable {
        /// How often one message goes out at most, however many faults double it.
        static let most = 64

        var texts: [[UInt8]]
        var isLate = false
    }

    var words: String
    /// The use that the client can make of it; nil: as much as ever.
    var received: JournalEntry.Answer.Received?
    var make: @Sendable (inout Copies) -> Void
}

import SparringVendorKit

/// A conversation between a customer and the company's agents; the SDK's event `NEW_ISSUE` calls it an issue (ASAPP reference 2.5).
struct Issue: Sendable {
    enum Stage: String, Sendable {
        case queue
        /// With an agent.
        case live
        /// The agent has left, and it is not in the queue.
        case idle
        case closed
    }

    var company: String
    var id: String
    var customer: String
    var stage = Stage.queue
    /// The one who is assigned.
    var agent: String?
    var created: Timestamp
    var updated: Timestamp
    var closed: Timestamp?

    /// The value of `isLiveChat`: joined to an agent, or in the queue (ASAPP reference 2.5).
    var isLive: Bool { stage == .queue || stage == .live }
}

/// Something that was said to or by a customer.
struct IssueMessage: Sendable {
    enum Author: String, Sendable {
        case agent, customer, system
    }

    var company: String
    var customer: String
    /// In the order of being said, over all of a company's.
    var number = 0
    var id: String
    /// Nil: a proactive message, which belongs to none.
    var issue: String?
    /// In its issue, from 1.
    var sequence = 0
    var author: Author
    /// The agent's.
    var name: String?
    /// The client's own id.
    var clientId: String?
    var text: String
    var said: Timestamp

    /// The message as clients read it, over the socket and by the call.
    var json: JSON {
        ["type": "message", "id": .string(id), "from": .string(author.rawValue), "text": .string(text), "ts": .string(said.description)]
    }
}

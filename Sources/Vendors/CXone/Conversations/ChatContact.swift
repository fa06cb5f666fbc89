import SparringVendorKit

/// A routed interaction: also called case and consumerContact (CXone reference 7.4).
struct ChatContact: Sendable {
    enum Status: String, Sendable {
        case new, open, pending, escalated, resolved, closed
    }

    var brand: String
    /// A decimal number as text.
    var id: String
    var channel: String
    var thread: ChatThread
    var status: Status
    var statusUpdated: Timestamp
    var created: Timestamp
    /// JSON, as clients read them.
    var fields: [JSON] = []
    /// The assigned agent's number.
    var assignee: Int64?
    var queue: String

    /// The members that the SDKs read.
    var json: JSON {
        [
            "id": .string(id), "threadIdOnExternalPlatform": .string(thread.id), "status": .string(status.rawValue),
            "statusUpdatedAt": .string(statusUpdated.wholeSeconds), "createdAt": .string(created.wholeSeconds),
            "customFields": .array(fields),
        ]
    }
}

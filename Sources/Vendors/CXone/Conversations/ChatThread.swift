import SparringVendorKit

/// A thread of messages between a customer and agents (CXone reference 7.3).
struct ChatThread: Sendable {
    var brand: String
    var channel: String
    /// The client's, as it wrote it: a UUID of the mobile SDKs, any text of the Web SDK.
    var id: String
    var customer: String
    /// On whose socket it began: an installation of the app; nil: that is not known.
    var visitor: String?
    var name: String
    /// False: archived.
    var canAddMoreMessages = true
    var created: Timestamp
    var updated: Timestamp

    /// The thread's id in lower case, which identifies it: some clients write UUIDs in capitals (CXone reference C21).
    var key: String { Self.key(id) }
    static func key(_ id: String) -> String { id.lowercased() }

    /// The server's id for the thread, in the form of recorded threads.
    var longId: String { "\(channel)_\(id)" }

    var json: JSON {
        [
            "id": .string(longId), "idOnExternalPlatform": .string(id), "channelId": .string(channel),
            "threadName": .string(name), "canAddMoreMessages": .bool(canAddMoreMessages), "createdAt": .string(created.wholeSeconds),
            "updatedAt": .string(updated.wholeSeconds),
        ]
    }
}

extension Timestamp {
    /// The time as the real server writes it: iOS drops a frame with fractions of a second (CXone reference 7.8).
    var wholeSeconds: String { description.prefix(19) + "+00:00" }
    /// `createdAtWithMilliseconds`.
    var withMilliseconds: String { description.dropLast() + "+00:00" }
}

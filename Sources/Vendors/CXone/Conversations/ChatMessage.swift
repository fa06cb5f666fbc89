import SparringVendorKit

/// Something said in a thread (CXone reference 7.1).
struct ChatMessage: Sendable {
    enum Author: String, Sendable {
        case customer, agent
        /// The channel's welcome, which a client had said.
        case welcome
    }

    var thread: ChatThread
    /// In the thread, from 1.
    var number = 0
    /// The server's.
    var id: String
    /// The sender's, `idOnExternalPlatform`, as it was written.
    var sentId: String
    /// The contact's id.
    var contact: String
    var author: Author
    /// The customer's id or the agent's number.
    var byWhom: String
    var content: JSON
    var attachments: [JSON]
    var created: Timestamp
    /// The time at which the customer saw it.
    var seen: Timestamp?
    /// The time at which an agent read it.
    var read: Timestamp?

    /// The text of a text message; nil for other content.
    var text: String? { content["type"] == "TEXT" ? content["payload"]?["text"]?.string : nil }

    /// Whether an SDK said it by itself to begin a live chat (CXone reference 5.1): the SDKs for iOS and Android mark it, the Web SDK's default does
    /// not.
    var opensLiveChat: Bool { content["parameters"]?["isInitialMessage"] == true || text == "Begin conversation" && number == 1 }

    /// The message as clients read it.
    ///
    /// - Parameters:
    ///   - agent: the agent who said it, as clients see them; nil for a customer's message and for the welcome.
    ///   - endUser: the customer who said it; nil for an agent's message and for the welcome.
    func json(agent: JSON?, endUser: EndUser?) -> JSON {
        let isCustomers = author == .customer
        let postId = thread.longId
        let readAt = read.map { JSON.string($0.wholeSeconds) } ?? .null
        return [
            "id": .string(id), "idOnExternalPlatform": .string(sentId), "postId": .string(postId), "threadId": .string(postId),
            "threadIdOnExternalPlatform": .string(thread.id), "messageContent": shownContent, "createdAt": .string(created.wholeSeconds),
            "createdAtWithMilliseconds": .string(created.withMilliseconds), "isMadeByUser": .bool(author == .agent),
            "direction": isCustomers ? "inbound" : "outbound", "authorUser": agent ?? .null,
            "authorEndUserIdentity": endUser?.identity ?? .null,
            "isRead": .bool(read != nil), "readAt": readAt, "attachments": .array(attachments),
            "customerStatistics": ["seenAt": seen.map { .string($0.wholeSeconds) } ?? .null],
            "userStatistics": [
                "seenAt": readAt, "readAt": readAt,
                "createdToReadSeconds": read.map { .integer(max(0, $0.seconds - created.seconds)) } ?? .null,
            ],
            "contactNumber": .string(contact), "hasAdditionalMessageContent": false, "delivered": [], "seen": [],
        ]
    }

    /// With what the SDKs miss where it is not there (CXone reference 7.1 and 7.2): `fallbackText`, and `elements` in what they do not know.
    ///
    /// Recorded messages have a text beside the payload too (SDK for iOS, tag 1.0.0, MessageAddedIntoCaseEvent.json and
    /// CustomMessageCreatedEvent.json; tag 3.0.1, LivechatRecoveredEvent.json), which apps of the Web SDK show. A plugin's differs from its
    /// payload's. That of rich content is assumed.
    private var shownContent: JSON {
        var content = content
        if content["fallbackText"]?.string == nil {
            content["fallbackText"] = content["payload"]?["text"]?["content"] ?? "Unsupported message content"
        }
        if content["text"]?.string == nil {
            let own: JSON? = content["type"] == "PLUGIN" ? nil : content["payload"]?["text"]
            content["text"] = own?.string == nil ? content["fallbackText"] : own
        }
        if content["payload"]?["elements"] == nil { content["payload"]?["elements"] = [] }
        if content["parameters"]?.isNull != false { content["parameters"] = [:] }
        if content["postback"] == nil { content["postback"] = .null }
        content["isAutoTranslated"] = false
        return content
    }
}

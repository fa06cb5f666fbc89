import SparringVendorKit

/// Something that was said in a conversation.
struct MessengerMessage: Sendable {
    enum Role: String, Sendable {
        /// The user.
        case appUser
        /// The business.
        case appMaker
    }

    var app: String
    var id: String
    var conversation: String
    /// Counted from 1 in the conversation.
    var number = 0
    var role: Role
    /// The user's id or the agent's.
    var author: String
    /// `type`, `text` and whatever else was said.
    var content: JSON.Object
    var received: Timestamp
    /// The client that said it, or the business (`type`, `id`, `integrationId`, `sessionId`).
    var source: JSON

    /// The members of a message that a client may set (Khoros reference 1.3). The last two are those of a form's response (sendFormResponse of
    /// Zendesk's sunco-js-client).
    static let saidMembers = ["type", "text", "payload", "metadata", "coordinates", "fields", "quotedMessageId"]

    var text: String? { content["text"]?.string }
    var type: String { content["type"]?.string ?? "text" }

    /// The message as clients read it (Khoros reference 1.4).
    ///
    /// - Parameter base: the address by which they reach this server, which keeps some of the files.
    func json(base: String) -> JSON {
        var json: JSON = ["_id": .string(id), "role": .string(role.rawValue), "type": .string(type)]
        for (name, value) in content { json[name] = value }
        if let url = content["mediaUrl"]?.string, url.hasPrefix("/") { json["mediaUrl"] = .string(base + url) }
        json["received"] = received.epochSeconds
        json["authorId"] = .string(author)
        json["source"] = source
        return json
    }
}

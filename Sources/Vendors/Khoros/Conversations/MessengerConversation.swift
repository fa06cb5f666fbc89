import SparringVendorKit

/// A user's conversation with the business. The user is its only participant who counts (Khoros reference 1.9).
struct MessengerConversation: Sendable {
    var app: String
    var id: String
    /// The vendor's id.
    var user: String
    /// The participant's own id.
    var participant: String
    var isDefault: Bool
    /// `displayName`, `description`, `iconUrl` and `metadata`, as far as they were said.
    var display: JSON.Object = [:]
    var created: Timestamp
    var updated: Timestamp
    /// Removed by the business.
    var removed: Timestamp?
    /// When the business last read it.
    var businessRead: Timestamp?
    /// When the user last read it, and what has come since.
    var read: Timestamp?
    var unread = 0

    static let displayMembers = ["displayName", "description", "iconUrl", "metadata"]

    /// Takes from a body how the conversation is shown; null removes a member.
    mutating func take(_ body: JSON?) {
        for member in Self.displayMembers {
            if let value = body?[member] { display[member] = value.isNull ? nil : value }
        }
    }

    /// The conversation as clients read it (Khoros reference 1.4). The time of the business's last reading has two names: the SDK for iOS knows the
    /// first one (CLBConversation.m), the one for Android the other (ConversationDto.java).
    var json: JSON {
        var json = JSON.members([
            "_id": .string(id), "type": "personal", "isDefault": .bool(isDefault),
            "appMakerLastRead": businessRead.map(\.epochSeconds), "businessLastRead": businessRead.map(\.epochSeconds),
            "lastUpdatedAt": updated.epochSeconds,
            "participants": [
                .members([
                    "_id": .string(participant), "appUserId": .string(user), "unreadCount": .integer(Int64(unread)),
                    "lastRead": read.map(\.epochSeconds),
                ])
            ], "messages": [],
        ])
        for (name, value) in display { json[name] = value }
        return json
    }

    /// The conversation as events name it: clients read its id before the type. Here, both SDKs know one name of the business's last reading
    /// (CLBEventTypeFactory.m, WsConversationDto.java).
    var eventJSON: JSON { .members(["_id": .string(id), "appMakerLastRead": businessRead.map(\.epochSeconds)]) }
}

extension Timestamp {
    /// Seconds of the epoch, decimal.
    var epochSeconds: JSON { .number(Double(milliseconds) / 1000) }
}

extension Draw {
    /// An id as the vendor has them: SDKs take no hyphen (Khoros reference 1.2).
    var hex24: String { String(hex.prefix(24)) }
}

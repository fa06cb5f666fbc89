import SparringVendorKit

/// A push as it reaches the app, once the customer's backend has handed it to APNs or to Firebase (ASAPP reference 2.4).
struct PushNotification: Sendable {
    var title: String
    var body: String
    var unread: Int
    var isLiveChat: Bool
    var clickAction: String?

    /// `UnreadMessages` stands beside `aps`, where the app looks for it (inferred).
    var apns: JSON {
        [
            "aps": ["alert": ["title": .string(title), "body": .string(body)], "badge": .integer(Int64(unread)), "sound": "default"],
            "UnreadMessages": .integer(Int64(unread)), "isLiveChat": .bool(isLiveChat),
        ]
    }

    /// The data are the conversation's status, in strings as Firebase has them; a tap on the system's notification opens the chat.
    var fcm: JSON {
        .members([
            "notification": .members(["title": .string(title), "body": .string(body), "click_action": clickAction.map { .string($0) }]),
            "data": ["UnreadMessages": .string(String(unread)), "isLiveChat": .string(isLiveChat ? "true" : "false")],
        ])
    }
}

extension PushTemplate {
    /// The notification in a push that keeps to the template; values that the template leaves out are empty.
    func notification(_ body: JSON) -> PushNotification {
        PushNotification(
            title: value(.title, in: body)?.string ?? "", body: value(.body, in: body)?.string ?? "",
            unread: value(.unreadMessages, in: body)?.integer(in: 0...Int(Int32.max)) ?? 0,
            isLiveChat: value(.isLiveChat, in: body)?.bool ?? false, clickAction: value(.clickAction, in: body)?.string)
    }
}

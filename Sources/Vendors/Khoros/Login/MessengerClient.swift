import SparringVendorKit

/// An installation of the app, as its user's (Khoros reference 1.4).
struct MessengerClient: Sendable {
    var app: String
    /// The vendor's id of the user.
    var user: String
    var id: String
    var platform: String
    var integrationId: String?
    var appVersion: String?
    var pushToken: String?
    var lastSeen: Timestamp
}

extension MessengerClient {
    /// - Parameter json: the member `client` of a body.
    init?(_ json: JSON?, of user: MessengerUser, at now: Timestamp) {
        guard let id = json?["id"]?.string, !id.isEmpty else { return nil }
        self.init(
            app: user.app, user: user.id, id: id, platform: json?["platform"]?.string ?? "",
            integrationId: json?["integrationId"]?.string, appVersion: json?["appVersion"]?.string,
            pushToken: json?["pushNotificationToken"]?.string.flatMap { $0.isEmpty ? nil : $0 }, lastSeen: now)
    }

    var isApple: Bool { platform == Integration.Platform.ios.rawValue }

    /// The client as the user's answer lists it.
    var json: JSON {
        .members([
            "id": .string(id), "platform": platform.isEmpty ? nil : .string(platform),
            "integrationId": integrationId.map { .string($0) }, "appVersion": appVersion.map { .string($0) },
        ])
    }
}

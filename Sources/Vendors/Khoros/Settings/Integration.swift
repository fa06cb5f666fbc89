import SparringVendorKit

/// What an app is configured with on one platform: the app's member `integrations`. Its id is not the app's.
struct Integration: Decodable, Sendable {
    enum Platform: String, CaseIterable, Decodable, Sendable {
        case ios, android, web

        /// What the configuration calls the integration that pushes there; nil: it needs none.
        var pushType: String? {
            switch self {
            case .ios: "apn"
            case .android: "fcm"
            case .web: nil
            }
        }
    }

    /// Word characters: the SDK for iOS takes the realtime channel only with these (Khoros reference 1.2).
    var id: String
    var platform: Platform
    /// Of Firebase, for Android.
    var senderId: String?

    /// One for each platform. Their ids depend on the app's alone, so that they are as unique.
    static func standard(for context: TenantContext) -> JSON {
        .array(
            Platform.allCases.map { platform in
                .members([
                    "id": .string(String(Draw(seed: 0, "khoros", "integration", context.id, platform.rawValue).hex.prefix(24))),
                    "platform": .string(platform.rawValue), "senderId": platform == .android ? "1" : nil,
                ])
            })
    }

    /// As the configuration that clients read names it.
    var json: JSON? {
        platform.pushType.map { type in .members(["type": .string(type), "senderId": senderId.map { .string($0) }]) }
    }
}

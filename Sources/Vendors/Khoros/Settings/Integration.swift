import SparringVendorKit

/// An app's configuration on one platform: an element of the app's member `integrations`. Its id is not the app's.
struct Integration: Decodable, Sendable {
    enum Platform: String, CaseIterable, Decodable, Sendable {
        case ios, android, web

        /// The type, in the configuration, of the integration that pushes to the platform; nil: it needs none.
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
    /// The Firebase sender id, for Android.
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

    /// The integration as the configuration that clients read lists it; nil where it does not.
    var json: JSON? {
        platform.pushType.map { type in .members(["type": .string(type), "senderId": senderId.map { .string($0) }]) }
    }
}

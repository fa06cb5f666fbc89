import SparringEngine
import SparringJSON
import SparringSandbox

/// What an app is configured with on one platform: the app's member `integrations`. Its id is not the app's.
struct Integration: Sendable {
    enum Platform: String, CaseIterable, Sendable {
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

    var id: String
    var platform: Platform
    /// Of Firebase, for Android.
    var senderId: String?

    static let member = "integrations"

    /// The SDK for iOS takes the realtime channel only if its ids are word characters (Khoros reference 1.2).
    static func isWord(_ id: String) -> Bool {
        !id.isEmpty && id.utf8.count <= 64
            && id.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x5F
            }
    }

    static func notAWord(_ id: String) -> String {
        "\(id.quoted) is not up to 64 letters, digits and '_': the SDK for iOS takes no other id"
    }

    static func read(_ app: Members) throws(ConfigurationError) -> [Integration] {
        var integrations: [Integration] = []
        for (index, json) in (try app.array(member) ?? []).enumerated() {
            let members = try Members(json, at: app.pointer.appending(member).appending(index), known: ["id", "platform", "senderId"])
            guard let id = try members.string("id") else { throw members.error("id", "an integration needs its id") }
            guard isWord(id) else { throw members.error("id", notAWord(id)) }
            guard let platform = try members.word("platform", Platform.self) else {
                throw members.error("platform", "an integration needs its platform")
            }
            if integrations.contains(where: { $0.id.isSame(as: id) }) { throw members.error("id", "it is another integration's already") }
            integrations.append(Integration(id: id, platform: platform, senderId: try members.string("senderId")))
        }
        return integrations
    }

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

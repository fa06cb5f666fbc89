import SparringVendorKit

/// Handlers of the tag "Config" (Khoros reference 1.2 to 1.4).
extension Khoros {
    /// The base path of web clients' calls: recordings of brands' pages have them at api.smooch.io/sdk/v2. The contract's aliases serve them.
    private static let webBase = "sdk/"

    func readConfig(_ call: Call) -> Decision {
        let settings = call.settings(of: self)
        let id = call.path("integrationId")
        guard let integration = settings.integration(id) else {
            let known = settings.integrations.map { "'\($0.id)' (\($0.platform.rawValue))" }.joined(separator: ", ")
            let what = id.isSame(as: settings.appId) ? "is the app's id, not an integration's" : "is not an integration of the app"
            return .refusal(Refusal("integration-unknown", "\(id.quoted) \(what); it has \(known)"))
        }
        let base = Self.advertised(call.base) + "/"
        let config: JSON = [
            "app": [
                "_id": .string(settings.appId), "status": .string(settings.status.rawValue), "name": .string(settings.appName),
                "settings": ["multiConvoEnabled": .bool(settings.allowsSeveralConversations)],
            ],
            "baseUrl": ["ios": .string(base), "android": .string(base), "web": .string(base + Self.webBase)],
            "restRetryPolicy": settings.retryPolicy.wire,
            "integration": [
                "_id": .string(integration.id), "canUserCreateMoreConversations": .bool(settings.allowsSeveralConversations),
                "canUserSeeConversationList": .bool(settings.allowsSeveralConversations),
            ],
            "integrations": .array(settings.integrations.compactMap(\.json)),
        ]
        return .answer("config-found", ["config": config], cause: "app \(settings.appId), \(settings.status.rawValue)")
    }
}

import SparringContract
import SparringEngine
import SparringJSON
import SparringSandbox

/// Handlers of the tag "Config" (reference 1.2 to 1.4).
extension Khoros {
    func readConfig(_ call: Call) -> Decision {
        let settings = call.settings(of: self)
        let id = call.path("integrationId")
        guard let integration = settings.integration(id) else {
            let known = settings.integrations.map { "'\($0.id)' (\($0.platform.rawValue))" }.joined(separator: ", ")
            let what = id.isSame(as: settings.appId) ? "is the app's id and no integration's" : "is no integration of the app"
            return .refusal(Refusal("integration-unknown", "\(id.quoted) \(what); it has \(known)"))
        }
        let base = JSON.string(Self.advertised(call.base) + "/")
        let config: JSON = [
            "app": [
                "_id": .string(settings.appId), "status": .string(settings.status.rawValue), "name": .string(settings.appName),
                "settings": ["multiConvoEnabled": .bool(settings.allowsSeveralConversations)],
            ],
            "baseUrl": ["ios": base, "android": base, "web": base], "restRetryPolicy": settings.retries.wire,
            "integration": [
                "_id": .string(integration.id), "canUserCreateMoreConversations": .bool(settings.allowsSeveralConversations),
                "canUserSeeConversationList": .bool(settings.allowsSeveralConversations),
            ],
            "integrations": .array(settings.integrations.compactMap(\.json)),
        ]
        return .answer(Answer("config-found", ["config": config], cause: "app \(settings.appId), \(settings.status.rawValue)"))
    }
}

import SparringJSON
import SparringSandbox
import SparringTokens

/// An app that calls LivePerson server to server, such as a connector (LivePerson reference 4.4): an element of the account's `appInstallations`.
struct AppInstallation: Sendable {
    static let member = "appInstallations"

    /// What its tokens name as `azp`; where nothing else is said, its client id.
    var id: String
    var clientId: String
    var clientSecret: String
    var webhooks: WebhookSettings
    /// By which notifications are signed: "Support for SHA256 for a specific account can be requested" (Webhooks, Notification Protocol).
    var authentication: MessageAuthentication

    /// - Parameter members: the account's.
    static func all(_ members: Members) throws(ConfigurationError) -> [AppInstallation] {
        var all: [AppInstallation] = []
        for (index, json) in (try members.array(member) ?? []).enumerated() {
            let place = JSONPointer(tokens: [member, String(index)])
            let installation = try Members(json, at: place, known: ["id", "clientId", "clientSecret", "signature", "capabilities"])
            guard let clientId = try installation.string("clientId"), !clientId.isEmpty else {
                throw installation.error("clientId", "an app installation needs its client id")
            }
            guard let secret = try installation.string("clientSecret"), !secret.isEmpty else {
                throw installation.error("clientSecret", "an app installation needs its client secret")
            }
            guard !all.contains(where: { $0.clientId.isSame(as: clientId) }) else {
                throw installation.error("clientId", "'\(clientId)' is given twice")
            }
            let id = try installation.string("id") ?? clientId
            guard !id.isEmpty, !all.contains(where: { $0.id == id }) else {
                throw installation.error("id", id.isEmpty ? "an id is not empty" : "'\(id)' is given twice")
            }
            all.append(
                AppInstallation(
                    id: id, clientId: clientId, clientSecret: secret, webhooks: try Self.webhooks(installation),
                    authentication: try installation.word("signature", MessageAuthentication.self) ?? .sha1))
        }
        return all
    }

    /// The manifest's other capabilities say how engagements can be designed, which means nothing here.
    private static func webhooks(_ installation: Members) throws(ConfigurationError) -> WebhookSettings {
        guard let json = try installation.object("capabilities") else { return .none }
        return try WebhookSettings(
            capabilities: Members(
                .object(json), at: installation.pointer.appending("capabilities"), known: ["webhooks", "engagement"]))
    }

    /// What proves to the app that LivePerson sent a notification (Webhooks, Notification Protocol).
    ///
    /// - Parameter secret: the app's own where none is given.
    func signature(of body: [UInt8], secret: String? = nil) -> String {
        "\(authentication.rawValue)=\(Base64.encode(authentication.code(of: body, key: secret ?? clientSecret)))"
    }

    /// What an account has that was given nothing.
    static func example(for context: TenantContext) -> JSON {
        [
            "clientId": .string(Draw(seed: context.seed, "app installation", context.id).uuid),
            "clientSecret": .string(String(Draw(secretOf: context.sandbox, seed: context.seed, "app secret", context.id).hex.prefix(32))),
        ]
    }

    var json: JSON { ["id": .string(id), "clientId": .string(clientId), "clientSecret": .string(clientSecret)] }
}

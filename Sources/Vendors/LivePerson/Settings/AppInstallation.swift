import SparringVendorKit

/// An app that calls LivePerson server to server, such as a connector (LivePerson reference 4.4): an element of the account's `appInstallations`.
struct AppInstallation: Decodable, Sendable {
    /// The capabilities of its manifest. The others say how engagements can be designed, which means nothing here.
    private struct Capabilities: Decodable, Sendable {
        var webhooks: WebhookSettings
    }

    private var givenId: String?
    var clientId: String
    var clientSecret: String
    /// The signatures' algorithm: "Support for SHA256 for a specific account can be requested" (Webhooks, Notification Protocol).
    var authentication: MessageAuthentication
    private var capabilities: Capabilities

    private enum CodingKeys: String, CodingKey {
        case givenId = "id"
        case clientId, clientSecret
        case authentication = "signature"
        case capabilities
    }

    /// The id that its tokens name as `azp`.
    var id: String { givenId ?? clientId }
    var webhooks: WebhookSettings { capabilities.webhooks }

    /// The signature that proves to the app that LivePerson sent a notification (Webhooks, Notification Protocol).
    ///
    /// - Parameter secret: the app's own where none is given.
    func signature(of body: [UInt8], secret: String? = nil) -> String {
        "\(authentication.rawValue)=\(Base64.encode(authentication.code(of: body, key: secret ?? clientSecret)))"
    }

    /// The app installation of an account that was given none.
    static func example(for context: TenantContext) -> JSON {
        [
            "clientId": .string(Draw(seed: context.seed, "app installation", context.id).uuid),
            "clientSecret": .string(String(Draw(secretOf: context.sandbox, seed: context.seed, "app secret", context.id).hex.prefix(32))),
        ]
    }

    var json: JSON { ["id": .string(id), "clientId": .string(clientId), "clientSecret": .string(clientSecret)] }
}

import SparringJSON
import SparringSandbox

/// An app that calls LivePerson server to server, such as a connector (reference 4.4): an element of the account's `appInstallations`.
struct AppInstallation: Sendable {
    static let member = "appInstallations"

    /// What its tokens name as `azp`; where nothing else is said, its client id.
    var id: String
    var clientId: String
    var clientSecret: String

    /// - Parameter members: the account's.
    static func all(_ members: Members) throws(ConfigurationError) -> [AppInstallation] {
        var all: [AppInstallation] = []
        for (index, json) in (try members.array(member) ?? []).enumerated() {
            let place = JSONPointer(tokens: [member, String(index)])
            let installation = try Members(json, at: place, known: ["id", "clientId", "clientSecret"])
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
            all.append(AppInstallation(id: id, clientId: clientId, clientSecret: secret))
        }
        return all
    }

    /// What an account has that was given nothing.
    static func example(for context: TenantContext) -> JSON {
        [
            "clientId": .string(Draw(seed: context.seed, "app installation", context.id).uuid),
            "clientSecret": .string(String(Draw(seed: context.seed, "app secret", context.id).hex.prefix(32))),
        ]
    }

    var json: JSON { ["id": .string(id), "clientId": .string(clientId), "clientSecret": .string(clientSecret)] }
}

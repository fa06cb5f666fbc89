import SparringEngine
import SparringJSON

/// The brand's backend that Sparring plays for those who test the app: the account's member `backend` (Talkdesk reference 3.3).
struct TalkdeskBackend: Sendable {
    enum Authentication: String, CaseIterable {
        case privateKeyJWT = "private_key_jwt"
        case clientSecretBasic = "client_secret_basic"
    }

    /// By which it is known at Talkdesk ID; nil: the account's first client.
    var client: String?
    var authentication: Authentication
    var scope: String
    /// The apps that it serves.
    var apps: [String]
    /// By whom apps call it in the form of the published samples, as in HTTP Basic.
    var user: String
    var password: String
    /// Whether only people get a token who are signed in at the brand's identity provider.
    var requiresSession: Bool
    /// People who get no token, for reasons of the brand's business.
    var denied: [String]
    /// Whether a 401 carries `WWW-Authenticate: Basic`, on which clients in Swift on Linux hang (Talkdesk reference 4.2).
    var sendsBasicChallenge: Bool

    static let member = "backend"
    private static let known = [
        "client", "authentication", "scope", "apps", "user", "password", "requiresSession", "denied", "sendsBasicChallenge",
    ]

    init(_ account: Members) throws(ConfigurationError) {
        let members = try Members(account.object[Self.member] ?? [:], at: account.pointer.appending(Self.member), known: Self.known)
        client = try members.string("client")
        authentication = try members.word("authentication", Authentication.self) ?? .privateKeyJWT
        scope = try members.string("scope") ?? TalkdeskClient.interactions
        apps = try members.strings("apps") ?? ["example-app-ios", "example-app-android"]
        user = try members.string("user") ?? "user"
        password = try members.string("password") ?? "pwd"
        requiresSession = try members.bool("requiresSession") ?? false
        denied = try members.strings("denied") ?? []
        sendsBasicChallenge = try members.bool("sendsBasicChallenge") ?? false
        // One path parameter, which the route must be able to carry.
        if apps.contains(where: { $0.isEmpty || $0.contains("/") }) {
            throw members.error("apps", "an app's id is not empty and has no '/'")
        }
    }

    var json: JSON {
        .members([
            "client": client.map { .string($0) }, "authentication": .string(authentication.rawValue), "scope": .string(scope),
            "apps": .array(apps.map { .string($0) }), "user": .string(user), "password": .string(password),
            "requiresSession": .bool(requiresSession), "denied": .array(denied.map { .string($0) }),
            "sendsBasicChallenge": .bool(sendsBasicChallenge),
        ])
    }
}

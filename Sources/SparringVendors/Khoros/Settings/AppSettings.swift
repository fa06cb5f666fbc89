import SparringEngine
import SparringJSON
import SparringJournal
public import SparringSandbox

/// One app's configuration at Khoros.
public struct AppSettings: Sendable, TenantNames {
    enum Status: String, CaseIterable {
        /// Clients stop at the configuration of an app that is not active.
        case active, inactive
    }

    /// One of the app's keys; JWTs that it signed end when it is deleted (Khoros reference 1.5).
    struct Key: Sendable {
        /// `kid` of the JWTs.
        var id: String
        var secret: String
    }

    var appId: String
    var appName: String
    var status: Status
    var integrations: [Integration]
    var keys: [Key]
    var agents: [BusinessAgent]
    var retries: RetryPolicy
    var realtime: RealtimeSettings
    var allowsSeveralConversations: Bool
    /// False: the login of an unknown user is answered empty, and the first message creates them (Khoros reference 1.3).
    var usersAreMadeAtLogin: Bool
    /// Whether `userId` of a login must be the JWT's (assumed, Khoros reference 1.5).
    var checksUserId: Bool
    /// How wrong the brand's clock may be about `exp`.
    var clockSkew: Duration
    /// Refuses JWTs whose `iat` is ahead by more than a minute. The vendor's own sample sets it in milliseconds, thousands of years ahead, so
    /// that it is only a finding otherwise.
    var refusesFutureIssuedAt: Bool
    /// Conversations of one answer (Khoros reference 1.3).
    var conversationPage: Int
    /// Messages of one answer.
    var historyPage: Int
    /// In bytes.
    var largestFile: Int

    private static let known = [
        "appId", "appName", "status", Integration.member, "keys", BusinessAgent.member, RetryPolicy.member, RealtimeSettings.member,
        "allowsSeveralConversations", "usersAreMadeAtLogin", "checksUserId", "clockSkew", "refusesFutureIssuedAt", "conversationPage",
        "historyPage", "largestFile",
    ]

    /// Calls for the configuration name an integration and not the app.
    public var names: [String] { integrations.map(\.id) }

    init(_ json: JSON) throws(ConfigurationError) {
        let members = try Members(json, known: Self.known)
        appId = try members.string("appId") ?? ""
        guard Integration.isWord(appId) else { throw members.error("appId", Integration.notAWord(appId)) }
        appName = try members.string("appName") ?? "Demo"
        status = try members.word("status", Status.self) ?? .active
        integrations = try Integration.read(members)
        keys = []
        for (index, json) in (try members.array("keys") ?? []).enumerated() {
            let key = try Members(json, at: members.pointer.appending("keys").appending(index), known: ["id", "secret"])
            guard let id = try key.string("id"), !id.isEmpty else { throw key.error("id", "a key needs its id, which JWTs name as kid") }
            guard let secret = try key.string("secret"), !secret.isEmpty else { throw key.error("secret", "a key needs its secret") }
            if keys.contains(where: { $0.id.isSame(as: id) }) { throw key.error("id", "it is another key's already") }
            keys.append(Key(id: id, secret: secret))
        }
        agents = try BusinessAgent.read(members)
        retries = try RetryPolicy(members)
        realtime = try RealtimeSettings(members)
        allowsSeveralConversations = try members.bool("allowsSeveralConversations") ?? true
        usersAreMadeAtLogin = try members.bool("usersAreMadeAtLogin") ?? true
        checksUserId = try members.bool("checksUserId") ?? true
        clockSkew = try members.lifetime("clockSkew") ?? .zero
        refusesFutureIssuedAt = try members.bool("refusesFutureIssuedAt") ?? false
        conversationPage = try members.integer("conversationPage", in: 1...1000) ?? 10
        historyPage = try members.integer("historyPage", in: 1...1000) ?? 100
        largestFile = try members.integer("largestFile", in: 1...25 << 20) ?? 25 << 20
    }

    func key(_ id: String) -> Key? { keys.first { $0.id.isSame(as: id) } }
    func integration(_ id: String) -> Integration? { integrations.first { $0.id.isSame(as: id) } }
    func integration(for platform: Integration.Platform) -> Integration? { integrations.first { $0.platform == platform } }

    /// Fills in what an app was not given: it takes JWTs of the sandbox's own brand, and has an integration for each platform.
    static func complete(_ given: JSON, for context: TenantContext) throws(ConfigurationError) -> JSON {
        let members = try Members(given, known: known)
        var complete: JSON = ["appId": .string(context.id)]
        if let key = context.identityProvider?.appKey { complete["keys"] = [["id": .string(key.id), "secret": .string(key.secret)]] }
        complete[Integration.member] = Integration.standard(for: context)
        complete[BusinessAgent.member] = BusinessAgent.standard
        for (name, value) in members.object where !value.isNull { complete[name] = value }
        return complete
    }

    /// The configuration with the constants filled in that apply where nothing was given, so that its reader sees them.
    func filling(_ configuration: JSON) -> JSON {
        let effective: JSON = [
            "appName": .string(appName), "status": .string(status.rawValue), "keys": [], RetryPolicy.member: retries.json,
            RealtimeSettings.member: realtime.configuration, "allowsSeveralConversations": .bool(allowsSeveralConversations),
            "usersAreMadeAtLogin": .bool(usersAreMadeAtLogin), "checksUserId": .bool(checksUserId),
            "clockSkew": .string(clockSkew.shortText), "refusesFutureIssuedAt": .bool(refusesFutureIssuedAt),
            "conversationPage": .integer(Int64(conversationPage)), "historyPage": .integer(Int64(historyPage)),
            "largestFile": .integer(Int64(largestFile)),
        ]
        var filled = configuration
        for (name, value) in effective.object ?? [:] where filled[name] == nil { filled[name] = value }
        return filled
    }
}

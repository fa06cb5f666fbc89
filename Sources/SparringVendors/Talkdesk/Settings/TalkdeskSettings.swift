import SparringEngine
import SparringJSON
import SparringJournal
public import SparringSandbox
import SparringTokens

/// One account's configuration at Talkdesk.
public struct TalkdeskSettings: Sendable, TenantNames {
    enum TokenForm: String, CaseIterable {
        /// A JWT by ES256 (Talkdesk reference 3.4, inferred); clients take it for text.
        case jwt
        /// A JWT that tells neither when it was issued nor when it ends: only a refusal does.
        case jwtWithoutTimes = "jwt-without-times"
        /// Random text. It does not tell its account, so that calls of the public API which bring it need the sandbox's host.
        case opaque
    }

    var account: String
    var clients: [TalkdeskClient]
    var backend: TalkdeskBackend
    var agents: [TalkdeskAgent]
    /// Of access tokens. It can change at any time (Authorization).
    var tokenLifetime: Duration
    var tokenForm: TokenForm
    var codeLifetime: Duration
    var refreshTokenLifetime: Duration
    /// How far `iat` of an assertion may be ahead, and how long an assertion may live (Talkdesk reference 3.4; assumed).
    var assertionAhead: Duration
    var assertionLifetime: Duration
    /// Whether a 401 of Talkdesk ID carries `WWW-Authenticate: Basic`, on which clients in Swift on Linux hang (Talkdesk reference 4.2).
    var sendsBasicChallenge: Bool
    /// Where conversations can begin.
    var touchpoints: [String]
    /// The account's own.
    var phoneNumbers: [String]

    private static let known = [
        "account", TalkdeskClient.member, TalkdeskBackend.member, TalkdeskAgent.member, "tokenLifetime", "tokenForm", "codeLifetime",
        "refreshTokenLifetime", "assertionAhead", "assertionLifetime", "sendsBasicChallenge", "touchpoints", "phoneNumbers",
    ]

    /// Calls for Talkdesk ID name a client and not the account.
    public var names: [String] { clients.map(\.id) }

    init(_ json: JSON) throws(ConfigurationError) {
        let members = try Members(json, known: Self.known)
        account = try members.string("account") ?? ""
        clients = try TalkdeskClient.read(members)
        backend = try TalkdeskBackend(members)
        agents = try TalkdeskAgent.read(members)
        tokenLifetime = try members.lifetime("tokenLifetime") ?? .seconds(600)
        tokenForm = try members.word("tokenForm", TokenForm.self) ?? .jwt
        codeLifetime = try members.lifetime("codeLifetime") ?? .seconds(60)
        refreshTokenLifetime = try members.lifetime("refreshTokenLifetime") ?? .seconds(86_400)
        assertionAhead = try members.lifetime("assertionAhead") ?? .seconds(60)
        assertionLifetime = try members.lifetime("assertionLifetime") ?? .seconds(300)
        sendsBasicChallenge = try members.bool("sendsBasicChallenge") ?? false
        touchpoints = try members.strings("touchpoints") ?? ["19db026c7f9244e19789e3ea4bb84359"]
        phoneNumbers = try members.strings("phoneNumbers") ?? ["+12025550123"]
        if let wanted = backend.client, client(wanted) == nil {
            throw ConfigurationError(
                members.pointer.appending(TalkdeskBackend.member).appending("client"),
                "no client has the id '\(wanted)'" + Nearest.hint(for: wanted, in: clients.map(\.id)))
        }
    }

    func client(_ id: String) -> TalkdeskClient? { clients.first { $0.id.isSame(as: id) } }

    /// Which of its clients the brand's backend is.
    var backendClient: TalkdeskClient? { backend.client.flatMap(client) ?? clients.first }

    /// Fills in what an account was not given: a client that may do everything, and whose key is the pool's.
    static func complete(_ given: JSON, for context: TenantContext, key: VerificationKey) throws(ConfigurationError) -> JSON {
        let members = try Members(given, known: known)
        var complete: JSON = ["account": .string(context.id)]
        complete[TalkdeskClient.member] = TalkdeskClient.standard(for: context, key: key)
        complete[TalkdeskAgent.member] = TalkdeskAgent.standard
        for (name, value) in members.object where !value.isNull { complete[name] = value }
        return complete
    }

    /// The configuration with the constants filled in that apply where nothing was given, so that its reader sees them.
    func filling(_ configuration: JSON) -> JSON {
        let effective: JSON = [
            TalkdeskBackend.member: backend.json, "tokenLifetime": .string(tokenLifetime.shortText),
            "tokenForm": .string(tokenForm.rawValue), "codeLifetime": .string(codeLifetime.shortText),
            "refreshTokenLifetime": .string(refreshTokenLifetime.shortText), "assertionAhead": .string(assertionAhead.shortText),
            "assertionLifetime": .string(assertionLifetime.shortText), "sendsBasicChallenge": .bool(sendsBasicChallenge),
            "touchpoints": .array(touchpoints.map { .string($0) }), "phoneNumbers": .array(phoneNumbers.map { .string($0) }),
        ]
        var filled = configuration
        for (name, value) in effective.object ?? [:] where filled[name] == nil { filled[name] = value }
        return filled
    }
}

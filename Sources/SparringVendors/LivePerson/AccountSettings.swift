import SparringEngine
import SparringJSON
import SparringJournal
import SparringTokens

/// One LivePerson account's configuration.
public struct AccountSettings: Sendable {
    /// A brand's identity provider as it is configured at LivePerson (reference 3.1).
    struct Issuer: Sendable {
        enum Certificate: String, CaseIterable {
            case publicKey, jwks
        }

        var displayName: String
        /// `iss` of its tokens. With a slash in front: Sparring's own provider there, by whichever name of this server.
        var iss: String
        var certificate: Certificate
        /// As configured, and read.
        var publicKey: String?
        var key: VerificationKey?
        var jwksURI: String?
        var tokenEndpoint: String?
        var clientId: String
        var clientSecret: String
        var pkce: Bool
        var redirectURI: String
    }

    struct Connector: Sendable {
        var id: JSON
        var name: String
        var jsMethodName: String
    }

    var accountId: String
    var issuers: [Issuer]
    /// Checked only if set.
    var audience: String?
    /// The longest life of a LivePerson token; nil: as long as the brand's.
    var tokenLifetime: Duration?
    var anonymousLifetime: Duration
    var anonymousRefresh: Duration
    var errorCodes: [String: String]
    /// How wrong the brand's clock may be.
    var clockSkew: Duration
    /// Refuses `exp` and `iat` that are strings or milliseconds, as samples of the documentation have them (reference 3.5).
    var strictNumericDates: Bool
    var tokenEndpointTimeout: Duration
    /// Hosts by service name, in place of this server.
    var services: [String: String]
    var connectors: [Connector]
    var messaging: MessagingSettings
    var campaigns: CampaignSettings
    var push: PushSettings
    var agents: [AgentSettings]
    var files: FileSettings
    var surveys: SurveySettings
    var deepLinks: DeepLinkSettings
    var appInstallations: [AppInstallation]

    private static let known =
        CampaignSettings.members + [
            "accountId", "issuers", "audience", "tokenLifetime", "anonymousLifetime", "anonymousRefresh", "errorCodes", "clockSkew",
            "strictNumericDates", "tokenEndpointTimeout", "services", "connectors", MessagingSettings.member, "push",
            AgentSettings.member, FileSettings.member, SurveySettings.member, DeepLinkSettings.member, AppInstallation.member,
        ]
    private static let knownOfIssuer = [
        "displayName", "iss", "certificate", "publicKey", "jwksURI", "tokenEndpoint", "clientId", "clientSecret", "pkce", "redirectURI",
    ]

    /// - Parameter refusals: the names that `errorCodes` may give a code to.
    init(_ json: JSON, refusals: [String]) throws(ConfigurationError) {
        let members = try Members(json, known: Self.known)
        accountId = try members.string("accountId") ?? ""
        audience = try members.string("audience")
        tokenLifetime = try Self.duration(members, "tokenLifetime")
        anonymousLifetime = try Self.duration(members, "anonymousLifetime") ?? .seconds(600)
        anonymousRefresh = try Self.duration(members, "anonymousRefresh") ?? .seconds(730 * 3600)
        clockSkew = try Self.duration(members, "clockSkew") ?? .zero
        strictNumericDates = try members.bool("strictNumericDates") ?? false
        tokenEndpointTimeout = try Self.duration(members, "tokenEndpointTimeout") ?? .seconds(10)
        surveys = try SurveySettings(members)
        campaigns = try CampaignSettings(members, surveys)
        errorCodes = try Self.texts(members, "errorCodes")
        for (name, code) in errorCodes {
            let place = JSONPointer(tokens: ["errorCodes", name])
            guard refusals.contains(name) else {
                let nearest = Nearest.words(to: name, in: refusals).first
                throw ConfigurationError(place, "there is no such refusal" + (nearest.map { " (did you mean '\($0)'?)" } ?? ""))
            }
            guard Self.isErrorCode(code) else { throw ConfigurationError(place, "'\(code)' is neither digits nor 'mock-' and a name") }
        }
        push =
            try members.object("push").map { json throws(ConfigurationError) in
                try PushSettings(.object(json), at: JSONPointer(tokens: ["push"]))
            } ?? .default
        services = try Self.texts(members, "services")
        for (name, host) in services where !Self.isBareHost(host) {
            throw ConfigurationError(
                JSONPointer(tokens: ["services", name]), "'\(host)' is not a host or host:port without scheme and path")
        }
        agents = try AgentSettings.read(members)
        messaging = try MessagingSettings(members.object[MessagingSettings.member], surveys)
        files = try FileSettings(members.object[FileSettings.member])
        deepLinks = try DeepLinkSettings(members.object[DeepLinkSettings.member])
        appInstallations = try AppInstallation.all(members)
        issuers = []
        for (index, json) in (try members.array("issuers") ?? []).enumerated() {
            issuers.append(try Self.issuer(json, at: JSONPointer(tokens: ["issuers", String(index)])))
        }
        connectors = []
        for (index, json) in (try members.array("connectors") ?? []).enumerated() {
            let connector = try Members(
                json, at: JSONPointer(tokens: ["connectors", String(index)]), known: ["id", "name", "jsMethodName"])
            guard let id = connector.object["id"], id.string != nil || id.integer != nil else {
                throw connector.error("id", "a connector needs an id")
            }
            connectors.append(
                Connector(
                    id: id, name: try connector.string("name") ?? "Unauthenticated messaging",
                    jsMethodName: try connector.string("jsMethodName") ?? Self.jsMethodName))
        }
        if connectors.isEmpty { connectors = [Connector(id: 770_001, name: "Unauthenticated messaging", jsMethodName: Self.jsMethodName)] }
    }

    /// By which a client finds the connector for unauthenticated messaging (reference 4.1).
    private static let jsMethodName = "lpTag.taglets.unAuthMessaging.lpUnauthFunction"

    /// Fills in what an account was not given: it trusts the sandbox's own identity provider.
    static func complete(_ given: JSON, for context: TenantContext) throws(ConfigurationError) -> JSON {
        let members = try Members(given, known: known)
        var complete: JSON = ["accountId": .string(context.id)]
        if try members.array("issuers") == nil, let provider = context.identityProvider {
            complete["issuers"] = [
                .members([
                    "displayName": "Brand", "iss": .string(provider.issuer),
                    "certificate": .string((provider.publicKey == nil ? Issuer.Certificate.jwks : .publicKey).rawValue),
                    "publicKey": provider.publicKey.map { .string($0) }, "jwksURI": .string(provider.jwksURI),
                    "tokenEndpoint": .string(provider.tokenEndpoint), "clientId": .string(provider.clientId),
                    "clientSecret": .string(provider.clientSecret), "redirectURI": .string(provider.redirectURI),
                ])
            ]
        }
        // Not a key's that exists: nobody can sign an app so.
        let fingerprint = DeepLinkSettings.fingerprint(ofHex: Draw(seed: context.seed, "certificate", context.id).hex)
        complete[DeepLinkSettings.member] = DeepLinkSettings.example(fingerprint: fingerprint)
        complete[AppInstallation.member] = [AppInstallation.example(for: context)]
        for (name, value) in members.object where !value.isNull { complete[name] = value }
        complete[AgentSettings.member] = AgentSettings.complete(try members.array(AgentSettings.member), for: context)
        return complete
    }

    /// The configuration with the constants filled in that apply where nothing was given, so that whoever reads it sees them.
    func filling(_ configuration: JSON) -> JSON {
        let effective: JSON = [
            "issuers": [], "anonymousLifetime": .string(anonymousLifetime.shortText),
            "anonymousRefresh": .string(anonymousRefresh.shortText),
            "errorCodes": [:], "clockSkew": .string(clockSkew.shortText), "strictNumericDates": .bool(strictNumericDates),
            "tokenEndpointTimeout": .string(tokenEndpointTimeout.shortText), "services": [:],
            "connectors": .array(
                connectors.map { ["id": $0.id, "name": .string($0.name), "jsMethodName": .string($0.jsMethodName)] }),
            MessagingSettings.member: messaging.json,
            "push": [:], SurveySettings.member: [:], FileSettings.member: files.json,
        ]
        var filled = configuration
        for (name, value) in (effective.object ?? [:]).merging(campaigns.effective, uniquingKeysWith: { $1 }) where filled[name] == nil {
            filled[name] = value
        }
        return filled
    }

    /// LivePerson's are digits; those of this mock must not look like them.
    private static func isErrorCode(_ code: String) -> Bool {
        func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
        if code.utf8.allSatisfy(isDigit) { return true }
        let name = code.utf8.dropFirst(5)
        return code.hasPrefix("mock-") && !name.isEmpty && name.allSatisfy { isDigit($0) || (0x61...0x7A).contains($0) || $0 == 0x2D }
    }

    /// Clients put `https://` or `wss://` before it (reference 2.4).
    private static func isBareHost(_ text: String) -> Bool {
        // The contract's BareHost has no underscore, and no colon without a port.
        guard let authority = Authority(text) else { return false }
        return !authority.host.utf8.contains(UInt8(ascii: "_")) && text.utf8.last != UInt8(ascii: ":")
    }

    /// - Throws: beyond ten years, as for a text: what is added to a time must stay one.
    private static func duration(_ members: Members, _ name: String) throws(ConfigurationError) -> Duration? {
        let duration = try members.duration(name)
        if let duration, duration > .longest { throw members.error(name, "more than ten years") }
        return duration
    }

    private static func texts(_ members: Members, _ name: String) throws(ConfigurationError) -> [String: String] {
        var texts: [String: String] = [:]
        for (key, value) in try members.object(name) ?? [:] {
            guard let text = value.string, !text.isEmpty else {
                throw ConfigurationError(JSONPointer(tokens: [name, key]), "\(value.text) is not a string")
            }
            texts[key] = text
        }
        return texts
    }

    private static func issuer(_ json: JSON, at pointer: JSONPointer) throws(ConfigurationError) -> Issuer {
        let members = try Members(json, at: pointer, known: knownOfIssuer)
        guard let iss = try members.string("iss"), !iss.isEmpty else { throw members.error("iss", "an issuer needs its 'iss'") }
        let publicKey = try members.string("publicKey")
        let jwksURI = try members.string("jwksURI")
        let certificate =
            try members.word("certificate", Issuer.Certificate.self) ?? (publicKey == nil && jwksURI != nil ? .jwks : .publicKey)
        switch certificate {
        case .publicKey where publicKey == nil:
            throw members.error("publicKey", "the certificate type publicKey needs it: base64 of a SubjectPublicKeyInfo")
        case .jwks where jwksURI == nil: throw members.error("jwksURI", "the certificate type jwks needs it")
        default: break
        }
        var key: VerificationKey?
        if certificate == .publicKey, let publicKey {
            do throws(TokenError) { key = try VerificationKey(pem: publicKey) } catch { throw members.error("publicKey", error.reason) }
        }
        for name in ["jwksURI", "tokenEndpoint"] {
            guard let url = try members.string(name) else { continue }
            guard url.hasPrefix("http://") || url.hasPrefix("https://") || url.first == "/" else {
                throw members.error(name, "'\(url)' is not a URL")
            }
        }
        return Issuer(
            displayName: try members.string("displayName") ?? iss, iss: iss, certificate: certificate, publicKey: publicKey, key: key,
            jwksURI: jwksURI, tokenEndpoint: try members.string("tokenEndpoint"), clientId: try members.string("clientId") ?? "",
            clientSecret: try members.string("clientSecret") ?? "", pkce: try members.bool("pkce") ?? false,
            redirectURI: try members.string("redirectURI") ?? "https://liveperson.net")
    }
}

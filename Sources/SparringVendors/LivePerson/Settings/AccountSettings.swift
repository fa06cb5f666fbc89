import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox
import SparringTokens

/// One LivePerson account's configuration.
public struct AccountSettings: Sendable {
    struct Connector: Sendable {
        var id: JSON
        var name: String
        var jsMethodName: String
    }

    var accountId: String
    var trust: BrandTrust
    /// The longest life of a LivePerson token; nil: as long as the brand's.
    var tokenLifetime: Duration?
    var anonymousLifetime: Duration
    var anonymousRefresh: Duration
    /// How long an agent's session lasts without a refresh (`sessionTTl` of the agent's login).
    var agentSessionLifetime: Duration
    var errorCodes: [String: String]
    /// Hosts by service name, in place of this server.
    var services: [String: String]
    var connectors: [Connector]
    /// The account's properties that everybody may read: features that are on, by their ids.
    var properties: JSON.Object
    var messaging: MessagingSettings
    var campaigns: CampaignSettings
    var push: PushSettings
    var agents: [AgentSettings]
    var files: FileSettings
    var surveys: SurveySettings
    var deepLinks: DeepLinkSettings
    var appInstallations: [AppInstallation]

    private static let known =
        CampaignSettings.members + BrandTrust.members + [
            "accountId", "tokenLifetime", "anonymousLifetime", "anonymousRefresh", "agentSessionLifetime", "errorCodes", "services",
            "connectors", "accountProperties",
            MessagingSettings.member, "push",
            AgentSettings.member, FileSettings.member, SurveySettings.member, DeepLinkSettings.member, AppInstallation.member,
        ]

    /// - Parameter refusals: the names that `errorCodes` may give a code to.
    init(_ json: JSON, refusals: [String]) throws(ConfigurationError) {
        let members = try Members(json, known: Self.known)
        accountId = try members.string("accountId") ?? ""
        tokenLifetime = try members.lifetime("tokenLifetime")
        anonymousLifetime = try members.lifetime("anonymousLifetime") ?? .seconds(600)
        anonymousRefresh = try members.lifetime("anonymousRefresh") ?? .seconds(730 * 3600)
        agentSessionLifetime = try members.lifetime("agentSessionLifetime") ?? .seconds(8 * 3600)
        trust = try BrandTrust(members, redirectURI: Self.redirectURI)
        surveys = try SurveySettings(members)
        campaigns = try CampaignSettings(members, surveys)
        errorCodes = try Self.texts(members, "errorCodes")
        for (name, code) in errorCodes {
            let place = JSONPointer(tokens: ["errorCodes", name])
            guard refusals.contains(name) else {
                throw ConfigurationError(place, "there is no such refusal" + Nearest.hint(for: name, in: refusals))
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
        properties = try members.object("accountProperties") ?? [:]
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

    /// Where brands' authorization endpoints send the codes (LivePerson reference 3.3).
    static let redirectURI = "https://liveperson.net"

    /// By which a client finds the connector for unauthenticated messaging (LivePerson reference 4.1).
    private static let jsMethodName = "lpTag.taglets.unAuthMessaging.lpUnauthFunction"

    /// Fills in what an account was not given: it trusts the sandbox's own identity provider.
    static func complete(_ given: JSON, for context: TenantContext) throws(ConfigurationError) -> JSON {
        let members = try Members(given, known: known)
        var complete: JSON = ["accountId": .string(context.id)]
        if try members.array("issuers") == nil, let provider = context.identityProvider {
            complete["issuers"] = [BrandIssuer.configuration(trusting: provider)]
        }
        // Not a key's that exists: nobody can sign an app so.
        let fingerprint = DeepLinkSettings.fingerprint(ofHex: Draw(seed: context.seed, "certificate", context.id).hex)
        complete[DeepLinkSettings.member] = DeepLinkSettings.example(fingerprint: fingerprint)
        complete[AppInstallation.member] = [AppInstallation.example(for: context)]
        for (name, value) in members.object where !value.isNull { complete[name] = value }
        complete[AgentSettings.member] = AgentSettings.complete(try members.array(AgentSettings.member), for: context)
        return complete
    }

    /// The configuration with the constants filled in that apply where nothing was given, so that its readers see them.
    func filling(_ configuration: JSON) -> JSON {
        let effective: JSON = [
            "anonymousLifetime": .string(anonymousLifetime.shortText),
            "anonymousRefresh": .string(anonymousRefresh.shortText),
            "agentSessionLifetime": .string(agentSessionLifetime.shortText),
            "errorCodes": [:], "services": [:], "accountProperties": [:],
            "connectors": .array(
                connectors.map { ["id": $0.id, "name": .string($0.name), "jsMethodName": .string($0.jsMethodName)] }),
            MessagingSettings.member: messaging.json,
            "push": [:], SurveySettings.member: [:], FileSettings.member: files.json,
        ]
        var filled = configuration
        let all = trust.effective.merging(effective.object ?? [:], uniquingKeysWith: { $1 }).merging(
            campaigns.effective, uniquingKeysWith: { $1 })
        for (name, value) in all where filled[name] == nil {
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

    /// Clients put `https://` or `wss://` before it (LivePerson reference 2.4).
    private static func isBareHost(_ text: String) -> Bool {
        // The contract's BareHost has no underscore, and no colon without a port.
        guard let authority = Authority(text) else { return false }
        return !authority.host.utf8.contains(UInt8(ascii: "_")) && text.utf8.last != UInt8(ascii: ":")
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
}

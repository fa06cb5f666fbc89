import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// One company's configuration at ASAPP.
public struct CompanySettings: Sendable {
    /// The "Company Marker".
    var appId: String
    /// Checked only if set; the SDK's may be empty or random today (ASAPP reference 2.2).
    var clientSecret: String?
    var trust: BrandTrust
    var context: ContextSettings
    var push: PushEndpoint
    var agents: [AsappAgent]
    var sessionLifetime: Duration
    /// Of the socket's URL (ASAPP reference 2.6, after AS-WS).
    var socketTokenLifetime: Duration
    /// Whether a device that a user registers is taken from the one who had it. The vendor's page only names the risk (ASAPP reference 2.3).
    var oneUserForEachDevice: Bool

    private static let known =
        BrandTrust.members + [
            "appId", "clientSecret", ContextSettings.member, PushEndpoint.member, AsappAgent.member, "sessionLifetime",
            "socketTokenLifetime", "oneUserForEachDevice",
        ]

    init(_ json: JSON) throws(ConfigurationError) {
        let members = try Members(json, known: Self.known)
        appId = try members.string("appId") ?? ""
        clientSecret = try members.string("clientSecret").flatMap { $0.isEmpty ? nil : $0 }
        trust = try BrandTrust(members, redirectURI: "")
        context = try ContextSettings(members, validationPath: Self.ownPath("token-validation", of: appId))
        push = try PushEndpoint(members, ownPath: Self.ownPath("push", of: appId))
        agents = try AsappAgent.read(members)
        sessionLifetime = try members.lifetime("sessionLifetime") ?? .seconds(3600)
        socketTokenLifetime = try members.lifetime("socketTokenLifetime") ?? .seconds(300)
        oneUserForEachDevice = try members.bool("oneUserForEachDevice") ?? false
    }

    /// Of the customer's backend that Sparring plays.
    private static func ownPath(_ call: String, of appId: String) -> String { ["", "customer", appId, call].joined(separator: "/") }

    /// Fills in what a company was not given: it trusts the sandbox's own brand.
    static func complete(_ given: JSON, for context: TenantContext) throws(ConfigurationError) -> JSON {
        let members = try Members(given, known: known)
        var complete: JSON = ["appId": .string(context.id)]
        if let provider = context.identityProvider { complete["issuers"] = [BrandIssuer.configuration(trusting: provider)] }
        complete[AsappAgent.member] = AsappAgent.standard
        for (name, value) in members.object where !value.isNull { complete[name] = value }
        return complete
    }

    /// The configuration with the constants filled in that apply where nothing was given, so that its reader sees them.
    func filling(_ configuration: JSON) -> JSON {
        var effective: JSON = .object(trust.effective)
        effective[ContextSettings.member] = context.json
        effective[PushEndpoint.member] = push.json
        effective["sessionLifetime"] = .string(sessionLifetime.shortText)
        effective["socketTokenLifetime"] = .string(socketTokenLifetime.shortText)
        effective["oneUserForEachDevice"] = .bool(oneUserForEachDevice)
        var filled = configuration
        for (name, value) in effective.object ?? [:] where filled[name] == nil { filled[name] = value }
        return filled
    }
}

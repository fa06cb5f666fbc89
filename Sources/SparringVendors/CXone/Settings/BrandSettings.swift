import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// One brand's configuration at CXone.
public struct BrandSettings: Sendable {
    var brandId: String
    var trust: BrandTrust
    var channels: [ChannelSettings]
    var customFields: CustomFieldSettings
    var agents: [ChatAgent]
    /// How long a visit lasts without a further event (CXone reference 3.4).
    var visitLength: Duration
    /// Of the token in the socket's URL.
    var transactionTokenLifetime: Duration
    /// Whether a socket's URL with a transaction token that has expired is refused: iOS opens the same URL again (CXone reference 8.3).
    var refusesExpiredTransactionTokens: Bool
    /// Whether an authorization code may come again from the visitor who brought it first: the Web SDK does so at each reconnect (CXone reference
    /// C19).
    var acceptsRepeatedCodes: Bool?
    /// What is larger does not go over the socket, in bytes.
    var largestFrame: Int
    var largeEventLifetime: Duration
    /// A socket on which nothing comes in for so long is closed; nil: never. AWS's gateway has 10 minutes; whether the real one does is unknown
    /// (CXone reference 11 and U7).
    var idleLimit: Duration?
    /// Messages that one answer has.
    var historyPage: Int
    /// The oldest SDK that is served, by platform.
    var oldestSDKs: [String: SDKVersion]

    private static let known =
        BrandTrust.members + [
            "brandId", "channels", ChannelSettings.defaults, CustomFieldSettings.member, ChatAgent.member, "visitLength",
            "transactionTokenLifetime", "refusesExpiredTransactionTokens", "acceptsRepeatedCodes", "largestFrame", "largeEventLifetime",
            "historyPage", "oldestSDKs", "idleLimit",
        ]

    /// Where the brand's authorization endpoint sends codes for issuers that say nothing else (assumed: an app's own address).
    private static let redirectURI = "https://brand.example/signed-in"

    init(_ json: JSON) throws(ConfigurationError) {
        let members = try Members(json, known: Self.known)
        brandId = try members.string("brandId") ?? ""
        // `brand.id` is a number on the wire (CXone reference 4.5).
        guard brandId.integer(in: 1...9_007_199_254_740_991) != nil, brandId.first != "0" else {
            throw members.error("brandId", "a brand's id is digits in quotes, such as \"1386\", and not \(brandId.quoted)")
        }
        trust = try BrandTrust(members, redirectURI: Self.redirectURI)
        customFields = try CustomFieldSettings(members)
        channels = try ChannelSettings.read(members)
        agents = try ChatAgent.read(members)
        visitLength = try members.lifetime("visitLength") ?? .seconds(30 * 60)
        transactionTokenLifetime = try members.lifetime("transactionTokenLifetime") ?? .seconds(600)
        refusesExpiredTransactionTokens = try members.bool("refusesExpiredTransactionTokens") ?? true
        acceptsRepeatedCodes = try members.bool("acceptsRepeatedCodes")
        largestFrame = try members.integer("largestFrame", in: 1024...1 << 24) ?? 128 << 10
        largeEventLifetime = try members.lifetime("largeEventLifetime") ?? .seconds(900)
        idleLimit = try members.lifetime("idleLimit")
        historyPage = try members.integer("historyPage", in: 1...1000) ?? 25
        oldestSDKs = [:]
        for (platform, value) in try members.object("oldestSDKs") ?? [:] {
            let place = JSONPointer(tokens: ["oldestSDKs", platform])
            guard ["ios", "android", "web"].contains(platform) else {
                throw ConfigurationError(place, "there is no such platform" + Nearest.hint(for: platform, in: ["ios", "android", "web"]))
            }
            guard let version = value.string.flatMap(SDKVersion.init) else {
                throw ConfigurationError(place, "\(value.text.abbreviated(to: 100)) is not a version such as 3.0.0")
            }
            oldestSDKs[platform] = version
        }
    }

    func channel(_ id: String) -> ChannelSettings? { channels.first { $0.id.isSame(as: id) } }

    /// Fills in what a brand was not given: it trusts the sandbox's own identity provider, and has a channel for each chat mode.
    static func complete(_ given: JSON, for context: TenantContext) throws(ConfigurationError) -> JSON {
        let members = try Members(given, known: known)
        var complete: JSON = ["brandId": .string(context.id)]
        if try members.array("issuers") == nil, let provider = context.identityProvider {
            complete["issuers"] = [BrandIssuer.configuration(trusting: provider)]
        }
        complete["channels"] = ChannelSettings.standard(for: context)
        complete[ChatAgent.member] = ChatAgent.standard
        for (name, value) in members.object where !value.isNull { complete[name] = value }
        return complete
    }

    /// The configuration with the constants filled in that apply where nothing was given, so that its reader sees them.
    func filling(_ configuration: JSON) -> JSON {
        let effective: JSON = [
            CustomFieldSettings.member: ["contact": [], "customer": []], ChannelSettings.defaults: [:],
            "visitLength": .string(visitLength.shortText), "transactionTokenLifetime": .string(transactionTokenLifetime.shortText),
            "refusesExpiredTransactionTokens": .bool(refusesExpiredTransactionTokens),
            "largestFrame": .integer(Int64(largestFrame)),
            "largeEventLifetime": .string(largeEventLifetime.shortText), "historyPage": .integer(Int64(historyPage)), "oldestSDKs": [:],
        ]
        var filled = configuration
        for (name, value) in trust.effective.merging(effective.object ?? [:], uniquingKeysWith: { $1 }) where filled[name] == nil {
            filled[name] = value
        }
        return filled
    }
}

import SparringJSON
import SparringJournal

/// Which brands' tokens a tenant takes, and how strictly.
struct BrandTrust: Sendable {
    var issuers: [BrandIssuer]
    /// Checked only if set.
    var audience: String?
    /// How wrong the brand's clock may be.
    var clockSkew: Duration
    /// Refuses `exp` and `iat` that are strings or milliseconds, as samples of the vendors' documentation have them.
    var strictNumericDates: Bool
    /// Of calls to the brand's token endpoint and key set.
    var tokenEndpointTimeout: Duration

    /// The members of a tenant's configuration that it reads.
    static let members = ["issuers", "audience", "clockSkew", "strictNumericDates", "tokenEndpointTimeout"]

    /// - Parameter redirectURI: where brands send codes, for issuers that say nothing else.
    init(_ members: Members, redirectURI: String) throws(ConfigurationError) {
        audience = try members.string("audience")
        clockSkew = try members.lifetime("clockSkew") ?? .zero
        strictNumericDates = try members.bool("strictNumericDates") ?? false
        tokenEndpointTimeout = try members.lifetime("tokenEndpointTimeout") ?? .seconds(10)
        issuers = []
        for (index, json) in (try members.array("issuers") ?? []).enumerated() {
            let pointer = members.pointer.appending("issuers").appending(String(index))
            issuers.append(try BrandIssuer(json, at: pointer, redirectURI: redirectURI))
        }
    }

    /// What applies where nothing was given.
    var effective: JSON.Object {
        [
            "issuers": [], "clockSkew": .string(clockSkew.shortText), "strictNumericDates": .bool(strictNumericDates),
            "tokenEndpointTimeout": .string(tokenEndpointTimeout.shortText),
        ]
    }
}

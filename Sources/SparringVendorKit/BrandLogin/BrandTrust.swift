public import SparringJSON

/// The brands whose tokens a tenant takes, and how strictly it checks them (`brandTrust` of `contracts/shared.schema.yaml`).
public struct BrandTrust: Sendable, InlinedMembers {
    public var issuers: [BrandIssuer]
    /// Checked only if set.
    var audience: String?
    /// How wrong the brand's clock may be.
    var clockSkew: Duration
    /// Refuses `exp` and `iat` that are strings or milliseconds, as samples of the vendors' documentation have them.
    var strictNumericDates: Bool
    /// The time limit of calls to the brand's token endpoint and key set.
    var tokenEndpointTimeout: Duration

    private enum CodingKeys: String, CodingKey {
        case issuers, audience, clockSkew, strictNumericDates, tokenEndpointTimeout
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        // Without a provider in the sandbox nobody is trusted.
        issuers = try members.decodeIfPresent([BrandIssuer].self, forKey: .issuers) ?? []
        audience = try members.decodeIfPresent(String.self, forKey: .audience)
        clockSkew = try members.decode(Duration.self, forKey: .clockSkew)
        strictNumericDates = try members.decode(Bool.self, forKey: .strictNumericDates)
        tokenEndpointTimeout = try members.decode(Duration.self, forKey: .tokenEndpointTimeout)
    }
}

import SparringJSON

// For vendors whose tenants' configuration has no schema yet.
extension BrandTrust {
    /// The members of a tenant's configuration that it reads.
    static let members = ["issuers", "audience", "clockSkew", "strictNumericDates", "tokenEndpointTimeout"]

    /// - Parameter redirectURI: where brands send codes, for issuers that say nothing else.
    init(_ members: Members, redirectURI: String) throws(ConfigurationError) {
        var own = members.object.filter { Self.members.contains($0.key) && !$0.value.isNull }
        own["clockSkew"] = own["clockSkew"] ?? "0s"
        own["strictNumericDates"] = own["strictNumericDates"] ?? false
        own["tokenEndpointTimeout"] = own["tokenEndpointTimeout"] ?? "10s"
        own["issuers"] = own["issuers"]?.array.map { list in
            .array(list.map { $0.filled(["pkce": false, "redirectURI": .string(redirectURI)]) })
        }
        self = try JSON.object(own).decoded(at: members.pointer)
    }

    /// What applies where nothing was given.
    var effective: JSON.Object {
        [
            "issuers": [], "clockSkew": .string(clockSkew.shortText), "strictNumericDates": .bool(strictNumericDates),
            "tokenEndpointTimeout": .string(tokenEndpointTimeout.shortText),
        ]
    }
}

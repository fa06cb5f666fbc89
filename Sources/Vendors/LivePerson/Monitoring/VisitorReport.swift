import SparringVendorKit

/// The report on its visitor in the body of a Monitoring call (LivePerson reference 9.1 and 9.2).
struct VisitorReport: Sendable {
    struct Identity: Sendable {
        var iss: String?
        /// `0` or `loa1`.
        var acr: String
        var sub: String
        /// ``sub`` came inside a JWE.
        var wasEncrypted = false

        var isAuthenticated: Bool { acr != "0" }
        /// Five parts (RFC 7516 §3.1).
        var isEncrypted: Bool { sub.utf8.count { $0 == UInt8(ascii: ".") } == 4 }

        var words: String {
            "\(sub) (\(isAuthenticated ? "authenticated" : "unauthenticated")\(wasEncrypted ? ", by a JWE" : ""))"
        }
    }

    /// An engagement that a client says it has shown, or what became of it there.
    struct Impression: Sendable {
        var type: String
        var campaign: Int64?
        var engagement: Int64?
        var revision: Int64?
        var context: String?

        var words: String {
            "\(type) of engagement \(engagement.map(String.init) ?? "(none)") of campaign \(campaign.map(String.init) ?? "(none)")"
        }
    }

    private static let impressionTypes: Set = ["impDisplay", "impAccept", "impExpanded", "impTimeout", "impClose"]

    var identities: [Identity]
    var consumerId: String?
    var pageId: String?
    var entryPoints: [String]
    /// The types of the attributes that are no impressions, in the order sent.
    var attributes: [String]
    var impressions: [Impression]

    /// - Parameter body: held against the contract before.
    init(_ body: JSON?) {
        identities = (body?["identities"]?.array ?? []).map { identity in
            Identity(iss: identity["iss"]?.string, acr: identity["acr"]?.string ?? "", sub: identity["sub"]?.string ?? "")
        }
        consumerId = body?["consumerId"]?.string
        pageId = body?["pageId"].flatMap { $0.string ?? $0.integer.map(String.init) }
        entryPoints = (body?["entryPoints"]?.array ?? []).compactMap(\.string)
        let all = body?["engagementAttributes"]?.array ?? []
        attributes = all.compactMap { $0["type"]?.string }.filter { !Self.impressionTypes.contains($0) }
        impressions = all.compactMap { attribute in
            guard let type = attribute["type"]?.string, Self.impressionTypes.contains(type) else { return nil }
            let context = attribute["eContext"]?.array?.first { $0["type"] == "engagementContext" }?["id"]
            return Impression(
                type: type, campaign: Self.number(attribute["campaign"]), engagement: Self.number(attribute["engId"]),
                revision: Self.number(attribute["revision"]), context: context.flatMap { $0.string ?? $0.integer.map(String.init) })
        }
    }

    private static func number(_ json: JSON?) -> Int64? {
        json?.integer(in: LivePerson.Campaign.ids) ?? json?.string?.integer(in: LivePerson.Campaign.ids)
    }

    var audience: LivePerson.Engagement.Audience { identities.contains(where: \.isAuthenticated) ? .authenticated : .unauthenticated }

    var namesSomebody: Bool { !identities.isEmpty || consumerId != nil }

    /// The visitor's identities and consumer id, in words.
    var whose: String { (identities.map(\.words) + (consumerId.map { ["consumerId \($0)"] } ?? [])).joined(separator: ", ") }

    /// Nil where nothing was reported.
    var reported: String? {
        let all = attributes + impressions.map(\.words)
        return all.isEmpty ? nil : "reported: \(all.joined(separator: ", "))"
    }
}

extension VisitorReport.Impression {
    /// The rule that the impression breaks: it belongs to an engagement of the account, as it was fetched in the same session
    /// (LivePerson reference 9.2). Nil where it breaks none.
    func breach(_ campaigns: [LivePerson.Campaign], _ fetched: [MonitoringState.Fetched]) -> String? {
        guard let campaign, let engagement else { return "\(type) lacks \(campaign == nil ? "campaign" : "engId")" }
        guard campaigns.hasCampaign(campaign) else { return "\(words): the account has no such campaign" }
        guard campaigns.engagement(engagement, of: campaign) != nil else { return "\(words): the campaign has no such engagement" }
        let here = fetched.filter { $0.campaign == campaign && $0.engagement == engagement }
        guard !here.isEmpty else { return "\(words): it was not fetched in this session" }
        let revisions = here.map { String($0.revision) }.joined(separator: ", ")
        guard let revision else { return "\(words): revision is missing, it was fetched with \(revisions)" }
        guard let match = here.first(where: { $0.revision == revision }) else {
            return "\(words): revision is \(revision), it was fetched with \(revisions)"
        }
        guard let context else { return "\(words): eContext is missing, it was fetched with context \(match.context)" }
        guard context == String(match.context) else {
            return "\(words): context is \(context), it was fetched with \(match.context)"
        }
        return nil
    }
}

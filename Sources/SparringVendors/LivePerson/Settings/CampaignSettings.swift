import SparringEngine
import SparringJSON
import SparringJournal

/// What an account shows to its consumers: campaigns with their engagements, and the ways of its Monitoring API (LivePerson reference 9).
struct CampaignSettings: Sendable {
    /// Consumers by whether the brand has signed them in.
    enum Audience: String, CaseIterable {
        case authenticated, unauthenticated
    }

    /// What a consumer may be shown, and where a conversation that begins there goes.
    struct Engagement: Sendable {
        var campaign: Int64
        var id: Int64
        var name: String
        var revision: Int64
        /// The consumer must be at an entry point that one of them matches; in them `*` stands for any text, as in `sec://Sport*`.
        var entryPoints: [String]
        var consumers: [Audience]
        /// Nil: the account's first connector.
        var connectorId: JSON?
        var windowId: String
        var language: String
        /// Of conversations that begin with the engagement, like the survey.
        var skill: String?
        var survey: String?
    }

    /// In the order in which they are tried.
    var engagements: [Engagement]
    /// As the SDK is initialised with one of them; empty: any.
    var appInstallationIds: [String]
    /// How long after its last call a session is still known.
    var sessionLifetime: Duration

    /// Of campaigns and engagements, and revisions: what a JavaScript client can hold (RFC 8259 §6).
    static let ids: ClosedRange<Int64> = 0...9_007_199_254_740_991

    /// The members of an account's configuration that are read here.
    static let members = ["campaigns", "monitoring"]
    private static let knownOfCampaign = ["id", "name", "engagements"]
    private static let knownOfEngagement = [
        "id", "name", "revision", "entryPoints", "consumers", "connectorId", "windowId", "language", "skill", "survey",
    ]

    /// One engagement, for everyone and everywhere.
    private static let standard: JSON = [
        [
            "id": 880_001, "name": "Everywhere",
            "engagements": [
                [
                    "id": 880_002, "name": "Messaging", "revision": 1, "entryPoints": ["*"],
                    "consumers": ["authenticated", "unauthenticated"], "windowId": "w1", "language": "en-US",
                ]
            ],
        ]
    ]

    init(_ account: Members, _ surveys: SurveySettings) throws(ConfigurationError) {
        let monitoring = try Members(
            .object(try account.object("monitoring") ?? [:]), at: account.pointer.appending("monitoring"),
            known: ["appInstallationIds", "sessionLifetime"])
        appInstallationIds = try monitoring.strings("appInstallationIds") ?? []
        for (index, id) in appInstallationIds.enumerated() where !MonitoringId.isSound(id) {
            throw ConfigurationError(
                monitoring.pointer.appending("appInstallationIds").appending(index), "'\(id)' is not \(MonitoringId.words)")
        }
        sessionLifetime = try monitoring.duration("sessionLifetime") ?? .seconds(1800)
        engagements = []
        var campaigns: Set<Int64> = []
        for (index, json) in (try account.array("campaigns") ?? Self.standard.array ?? []).enumerated() {
            let campaign = try Members(json, at: account.pointer.appending("campaigns").appending(index), known: Self.knownOfCampaign)
            let id = try Self.id(of: campaign, "a campaign")
            guard campaigns.insert(id).inserted else { throw campaign.error("id", "\(id) is another campaign's already") }
            for (index, json) in (try campaign.array("engagements") ?? []).enumerated() {
                let members = try Members(
                    json, at: campaign.pointer.appending("engagements").appending(index), known: Self.knownOfEngagement)
                let engagement = try Self.engagement(members, of: id, surveys)
                guard !engagements.contains(where: { $0.id == engagement.id }) else {
                    throw members.error("id", "\(engagement.id) is another engagement's already")
                }
                engagements.append(engagement)
            }
        }
    }

    private static func engagement(
        _ members: Members, of campaign: Int64, _ surveys: SurveySettings
    ) throws(ConfigurationError) -> Engagement {
        let id = try id(of: members, "an engagement")
        let patterns = try members.strings("entryPoints") ?? ["*"]
        for (index, pattern) in patterns.enumerated() where pattern.isEmpty {
            throw ConfigurationError(members.pointer.appending("entryPoints").appending(index), "an empty text matches no entry point")
        }
        var consumers: [Audience] = []
        for (index, word) in (try members.strings("consumers") ?? Audience.allCases.map(\.rawValue)).enumerated() {
            guard let audience = Audience(rawValue: word) else {
                let words = Audience.allCases.map { "'\($0.rawValue)'" }.joined(separator: " nor ")
                throw ConfigurationError(members.pointer.appending("consumers").appending(index), "'\(word)' is neither \(words)")
            }
            consumers.append(audience)
        }
        let connectorId = members.object["connectorId"].flatMap { $0.isNull ? nil : $0 }
        guard connectorId.map({ $0.string != nil || $0.integer != nil }) ?? true else {
            throw members.error("connectorId", "\(connectorId?.text ?? "") is neither a string nor a whole number")
        }
        return Engagement(
            campaign: campaign, id: id, name: try members.string("name") ?? "Engagement \(id)",
            revision: try members.integer("revision", in: Self.ids) ?? 1, entryPoints: patterns,
            consumers: consumers,
            connectorId: connectorId, windowId: try members.string("windowId") ?? "w1", language: try members.string("language") ?? "en-US",
            skill: try members.string("skill"), survey: try surveys.named(in: members))
    }

    private static func id(of members: Members, _ what: String) throws(ConfigurationError) -> Int64 {
        guard let id = try members.integer("id", in: ids), id > 0 else {
            throw members.error("id", "\(what) needs a whole number above 0 as its id")
        }
        return id
    }

    /// The constants that apply where nothing was given.
    var effective: JSON.Object {
        [
            "campaigns": Self.standard,
            "monitoring": [
                "appInstallationIds": .array(appInstallationIds.map { .string($0) }), "sessionLifetime": .string(sessionLifetime.shortText),
            ],
        ]
    }
}

extension CampaignSettings {
    /// What came of looking for an engagement.
    enum Choice: Sendable {
        case engagement(Engagement)
        /// Why there is none, in words.
        case nothing(String)
    }

    /// The first engagement that is for such a consumer and fits one of the entry points; without any given, one that asks for none.
    func choose(for audience: Audience, at entryPoints: [String]) -> Choice {
        guard !engagements.isEmpty else { return .nothing("the account has none") }
        let fitting = engagements.filter { engagement in
            engagement.entryPoints.contains { pattern in
                // Nothing but stars asks for nothing, not even an entry point.
                pattern.utf8.allSatisfy { $0 == UInt8(ascii: "*") } || entryPoints.contains { TextPattern.matches($0, pattern) }
            }
        }
        if let engagement = fitting.first(where: { $0.consumers.contains(audience) }) { return .engagement(engagement) }
        if let other = fitting.first { return .nothing("engagement \(other.id) is not for \(audience.rawValue) consumers") }
        return .nothing(
            entryPoints.isEmpty ? "no entry point was given" : "no entry point of \(engagements.count) engagements matches")
    }

    /// The engagement that a client means; nil if the account has no such engagement.
    func engagement(_ id: Int64, of campaign: Int64) -> Engagement? { engagements.first { $0.id == id && $0.campaign == campaign } }
    func hasCampaign(_ id: Int64) -> Bool { engagements.contains { $0.campaign == id } }
}

/// Ids of visitors, sessions and app installations. What LivePerson's look like is not said; any text of this form is taken for one.
enum MonitoringId {
    static let words = "1 to 128 letters, digits, '-', '_' and '.'"

    static func isSound(_ id: String) -> Bool {
        (1...128).contains(id.utf8.count)
            && id.utf8.allSatisfy { byte in
                0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte || byte == 0x2D || byte == 0x2E || byte == 0x5F
            }
    }
}

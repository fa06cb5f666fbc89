import SparringVendorKit

extension LivePerson {
    /// A campaign that an account shows to its consumers (LivePerson reference 9): an element of the account's `campaigns`.
    struct Campaign: Decodable, Sendable {
        var id: Int64
        var engagements: [Engagement]

        /// The ids of campaigns and engagements, and revisions: integers that a JavaScript client can hold (RFC 8259 §6).
        static let ids: ClosedRange<Int64> = 0...9_007_199_254_740_991

        private enum CodingKeys: String, CodingKey {
            case id, engagements
        }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            let id = try members.decode(Int64.self, forKey: .id)
            self.id = id
            engagements = try members.decode([Engagement].self, forKey: .engagements).map {
                var engagement = $0
                engagement.campaign = id
                return engagement
            }
        }
    }

    /// An engagement that a consumer may be shown, and where a conversation that begins there goes.
    struct Engagement: Decodable, Sendable {
        /// Consumers by whether the brand has signed them in.
        enum Audience: String, Decodable, Sendable {
            case authenticated, unauthenticated
        }

        /// The campaign's id.
        fileprivate(set) var campaign: Int64 = 0
        var id: Int64
        var revision: Int64
        /// The consumer must be at an entry point that one of them matches; in them `*` stands for any text, as in `sec://Sport*`.
        var entryPoints: [String]
        var consumers: [Audience]
        /// Nil: the account's first connector.
        var connectorId: JSON?
        var windowId: String
        var language: String
        /// The skill of conversations that begin with the engagement; the survey is theirs too.
        var skill: String?
        var survey: String?

        private enum CodingKeys: String, CodingKey {
            case id, revision, entryPoints, consumers, connectorId, windowId, language, skill, survey
        }
    }
}

extension [LivePerson.Campaign] {
    /// The result of looking for an engagement.
    enum Choice: Sendable {
        case engagement(LivePerson.Engagement)
        /// Why there is none, in words.
        case nothing(String)
    }

    var engagements: [LivePerson.Engagement] { flatMap(\.engagements) }

    /// The first engagement that is for such a consumer and fits one of the entry points; without any given, one that asks for none.
    func choose(for audience: LivePerson.Engagement.Audience, at entryPoints: [String]) -> Choice {
        let all = engagements
        guard !all.isEmpty else { return .nothing("the account has none") }
        let fitting = all.filter { engagement in
            engagement.entryPoints.contains { pattern in
                // Nothing but stars asks for nothing, not even an entry point.
                pattern.utf8.allSatisfy { $0 == UInt8(ascii: "*") } || entryPoints.contains { TextPattern.matches($0, pattern) }
            }
        }
        if let engagement = fitting.first(where: { $0.consumers.contains(audience) }) { return .engagement(engagement) }
        if let other = fitting.first { return .nothing("engagement \(other.id) is not for \(audience.rawValue) consumers") }
        return .nothing(entryPoints.isEmpty ? "no entry point was given" : "no entry point of \(all.count) engagements matches")
    }

    /// The engagement that a client means; nil if the account has no such engagement.
    func engagement(_ id: Int64, of campaign: Int64) -> LivePerson.Engagement? {
        engagements.first { $0.id == id && $0.campaign == campaign }
    }

    func hasCampaign(_ id: Int64) -> Bool { contains { $0.id == id && !$0.engagements.isEmpty } }
}

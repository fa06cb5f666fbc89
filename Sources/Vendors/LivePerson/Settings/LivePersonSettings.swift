import SparringVendorKit

extension LivePerson {
    /// One account's configuration (`contracts/liveperson.tenant.schema.yaml`).
    final class Settings: Decodable, DeskSettings {
        struct Connector: Decodable, Sendable {
            /// A string or a number.
            var id: JSON
            var name: String
            /// The name by which a client finds the connector for unauthenticated messaging (LivePerson reference 4.1).
            var jsMethodName: String
        }

        /// How the Monitoring API behaves (LivePerson reference 9).
        struct Monitoring: Decodable, Sendable {
            /// The ids that the SDK may be initialised with; empty: any.
            var appInstallationIds: [String]
            /// How long after its last call a session is still known.
            var sessionLifetime: Duration
        }

        struct SurveyQuestion: Decodable, Sendable {
            var text: String
            /// Offered as buttons; the consumer may write something else all the same. Nil: any text is an answer.
            var quickReplies: [String]?
        }

        struct Files: Decodable, Sendable {
            /// How long a URL serves (LivePerson reference 5.15: a minute).
            var urlLifetime: Duration
        }

        let accountId: String
        let trust: BrandTrust
        /// The longest life of a LivePerson token; nil: as long as the brand's.
        let tokenLifetime: Duration?
        let anonymousLifetime: Duration
        let anonymousRefresh: Duration
        /// How long an agent's session lasts without a refresh (`sessionTTl` of the agent's login).
        let agentSessionLifetime: Duration
        let errorCodes: [String: String]
        /// Hosts by service name, in place of this server. Clients put `https://` or `wss://` before them (LivePerson reference 2.4).
        let services: [String: String]
        private let accountProperties: JSON
        let connectors: [Connector]
        let messaging: MessagingSettings
        /// The surveys that may follow a conversation, by name.
        let surveys: [String: [SurveyQuestion]]
        /// In the order in which they are tried.
        let campaigns: [Campaign]
        let monitoring: Monitoring
        let push: PushSettings
        let agents: [LivePerson.Agent]
        let files: Files
        let deepLinks: DeepLinkSettings
        let appInstallations: [AppInstallation]

        /// The account's properties that everybody may read: features that are on, by their ids.
        var properties: JSON.Object { accountProperties.object ?? [:] }
    }
}

// MARK: Members that must fit each other

extension LivePerson.Settings {
    /// - Parameter refusals: the names that `errorCodes` may give a code to.
    func check(_ refusals: [String]) throws(ConfigurationError) {
        for name in errorCodes.keys.sorted() where !refusals.contains(name) {
            throw ConfigurationError(
                JSONPointer(tokens: ["errorCodes", name]), "there is no such refusal" + Nearest.hint(for: name, in: refusals))
        }
        try requireSurvey(messaging.survey, of: JSONPointer(tokens: ["messaging"]))
        try checkEngagements()
        for (index, agent) in agents.enumerated() {
            try agent.requireApart(from: agents[..<index], at: JSONPointer(tokens: ["agents", String(index)]))
        }
        try deepLinks.check()
        for (index, app) in appInstallations.enumerated() where appInstallations[..<index].contains(where: { $0.id == app.id }) {
            throw ConfigurationError(JSONPointer(tokens: ["appInstallations", String(index), "id"]), "'\(app.id)' is given twice")
        }
    }

    private func checkEngagements() throws(ConfigurationError) {
        var ids: Set<Int64> = []
        for (index, campaign) in campaigns.enumerated() {
            for (number, engagement) in campaign.engagements.enumerated() {
                let place = JSONPointer(tokens: ["campaigns", String(index), "engagements", String(number)])
                guard ids.insert(engagement.id).inserted else {
                    throw ConfigurationError(place.appending("id"), "\(engagement.id) is another engagement's already")
                }
                try requireSurvey(engagement.survey, of: place)
            }
        }
    }

    /// - Throws: where the account has no survey of that name.
    private func requireSurvey(_ name: String?, of place: JSONPointer) throws(ConfigurationError) {
        guard let name, surveys[name] == nil else { return }
        let hint = Nearest.hint(for: name, in: surveys.keys.sorted())
        throw ConfigurationError(place.appending("survey"), "the account's 'surveys' has no '\(name)'" + hint)
    }
}

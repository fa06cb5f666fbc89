import SparringVendorKit

extension CXone {
    /// One brand's configuration (`contracts/cxone.tenant.schema.yaml`).
    final class Settings: Decodable, DeskSettings {
        let brandId: String
        let trust: BrandTrust
        /// Each with what `channelDefaults` says for all of them.
        let channels: [Channel]
        let customFields: CustomFields
        let agents: [Agent]
        /// How long a visit lasts without a further event (CXone reference 3.4).
        let visitLength: Duration
        /// The lifetime of the token in the socket's URL.
        let transactionTokenLifetime: Duration
        /// Whether a socket's URL with a transaction token that has expired is refused: iOS opens the same URL again (CXone reference 8.3).
        let refusesExpiredTransactionTokens: Bool
        /// Whether an authorization code may come again from the visitor who brought it first: the Web SDK does so at each reconnect (CXone reference
        /// C19).
        let acceptsRepeatedCodes: Bool?
        /// The size of the largest frame that goes over the socket, in bytes.
        let largestFrame: Int
        let largeEventLifetime: Duration
        /// A socket on which nothing comes in for so long is closed; nil: never. AWS's gateway has 10 minutes; whether the real one does is unknown
        /// (CXone reference 11 and U7).
        let idleLimit: Duration?
        /// Messages that one answer has.
        let historyPage: Int
        /// The oldest SDK that is served, by platform.
        let oldestSDKs: [String: SDKVersion]

        func channel(_ id: String) -> Channel? { channels.first { $0.id.isSame(as: id) } }

        func check() throws(ConfigurationError) {
            for (list, fields) in [("contact", customFields.contact), ("customer", customFields.customer)] {
                for (index, field) in fields.enumerated() {
                    try field.check(at: JSONPointer(tokens: ["customFields", list, String(index)]))
                }
            }
            for (index, channel) in channels.enumerated() { try channel.check(at: JSONPointer(tokens: ["channels", String(index)])) }
            for (index, agent) in agents.enumerated()
            where agents.prefix(index).contains(where: { $0.loginUsername == agent.loginUsername }) {
                throw ConfigurationError(JSONPointer(tokens: ["agents", String(index), "loginUsername"]), "it is another agent's already")
            }
        }
    }
}

import SparringVendorKit

extension ASAPP {
    /// One company's configuration (`contracts/asapp.tenant.schema.yaml`).
    final class Settings: Decodable, DeskSettings {
        /// The "Company Marker".
        let appId: String
        private let clientSecret: String?
        let trust: BrandTrust
        let context: ContextSettings
        let push: PushEndpoint
        let agents: [Agent]
        let sessionLifetime: Duration
        /// The lifetime of the token in the socket's URL (ASAPP reference 2.6, after AS-WS).
        let socketTokenLifetime: Duration
        /// Whether a device that a user registers is taken from the one who had it. The vendor's page only names the risk (ASAPP reference 2.3).
        let oneUserForEachDevice: Bool

        /// The secret that each call needs; nil: it is not checked, since the SDK's may be empty or random today (ASAPP reference 2.2).
        var secret: String? { clientSecret.flatMap { $0.isEmpty ? nil : $0 } }
    }
}

import SparringEngine
import SparringJSON

// For ASAPP, whose tenants' configuration has no schema yet.
extension PushSettings {
    /// The members `clientCertificate`, `clientKey` and `trustedCertificates`, each in PEM.
    static func tls(_ proxy: Members) throws(ConfigurationError) -> OutboundTLS? {
        struct Read: Decodable {
            var tls: OutboundTLS?

            init(from decoder: any Decoder) throws { tls = try OutboundTLS(settings: decoder) }
        }
        return try JSON.object(proxy.object).decoded(Read.self, at: proxy.pointer).tls
    }
}

public import SparringEngine
import SparringJSON

extension OutboundTLS {
    private enum CodingKeys: String, CodingKey {
        case clientCertificate, clientKey, trustedCertificates
    }

    /// Mutual TLS with an endpoint, and the authorities that its certificate may come from: members of the endpoint's configuration, each in PEM.
    ///
    /// - Returns: nil where none of them is given.
    public init?(settings decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        func pem(_ key: CodingKeys) throws -> String? { try members.decodeIfPresent(String.self, forKey: key) }
        let (certificate, key, trusted) = (try pem(.clientCertificate), try pem(.clientKey), try pem(.trustedCertificates))
        guard certificate != nil || key != nil || trusted != nil else { return nil }
        guard (certificate == nil) == (key == nil) else {
            throw members.refusal(of: .clientKey, "clientCertificate and clientKey go together")
        }
        do throws(Unusable) {
            try self.init(certificate: certificate, key: key, trusted: trusted)
        } catch {
            let member: CodingKeys =
                switch error.part {
                case .certificate: .clientCertificate
                case .key: .clientKey
                case .trusted: .trustedCertificates
                }
            throw members.refusal(of: member, "it cannot be used: \(error.reason)")
        }
    }
}

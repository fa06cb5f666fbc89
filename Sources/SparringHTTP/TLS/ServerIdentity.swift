/// What a TLS listener shows: PEM texts, the certificate followed by those that lead to its root.
public struct ServerIdentity: Sendable {
    public var keyPEM: String
    public var certificatePEM: String

    public init(keyPEM: String, certificatePEM: String) {
        self.keyPEM = keyPEM
        self.certificatePEM = certificatePEM
    }
}

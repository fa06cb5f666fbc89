/// The identity that a TLS listener presents: PEM texts, the certificate followed by those that lead to its root.
package struct ServerIdentity: Sendable {
    package var keyPEM: String
    package var certificatePEM: String

    package init(keyPEM: String, certificatePEM: String) {
        self.keyPEM = keyPEM
        self.certificatePEM = certificatePEM
    }
}

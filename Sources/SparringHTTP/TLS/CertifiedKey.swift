import Crypto
import Foundation
import SwiftASN1
import X509

/// A key and the certificate for it.
struct CertifiedKey: Sendable {
    let certificate: Certificate
    let key: P256.Signing.PrivateKey
    let certificatePEM: String
    var keyPEM: String { key.pemRepresentation + "\n" }

    init(_ certificate: Certificate, _ key: P256.Signing.PrivateKey) throws {
        self.certificate = certificate
        self.key = key
        certificatePEM = try certificate.serializeAsPEM().pemString + "\n"
    }

    /// Makes a key and certifies it.
    ///
    /// - Parameters:
    ///   - commonName: of the certificate's subject.
    ///   - hosts: a server's; nil: the certificate is an authority's.
    ///   - begin: of the validity, which includes it.
    ///   - end: of the validity, which includes it.
    ///   - signer: the authority that signs the certificate; nil: it is signed with its own key.
    init(
        _ commonName: String, for hosts: SubjectAlternativeNames?, from begin: Date, until end: Date, by signer: CertifiedKey?
    ) throws(LocalAuthorityError) {
        let key = P256.Signing.PrivateKey()
        let publicKey = Certificate.PublicKey(key.publicKey)
        do {
            let subject = try DistinguishedName {
                CommonName(commonName)
                if hosts == nil { OrganizationName("Sparring") }
            }
            let certificate = try Certificate(
                version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: publicKey, notValidBefore: begin, notValidAfter: end,
                issuer: signer?.certificate.subject ?? subject, subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
                extensions: try Certificate.Extensions {
                    if let hosts {
                        Critical(BasicConstraints.notCertificateAuthority)
                        Critical(KeyUsage(digitalSignature: true))
                        try ExtendedKeyUsage([.serverAuth])
                        hosts
                    } else {
                        Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                        Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                    }
                    SubjectKeyIdentifier(hash: publicKey)
                    if let signer {
                        AuthorityKeyIdentifier(keyIdentifier: SubjectKeyIdentifier(hash: signer.certificate.publicKey).keyIdentifier)
                    }
                },
                issuerPrivateKey: Certificate.PrivateKey(signer?.key ?? key))
            try self.init(certificate, key)
        } catch {
            throw LocalAuthorityError("the certificate of '\(commonName)'", "cannot be made: \(error)")
        }
    }

    /// The identity that a listener presents.
    ///
    /// - Parameter chain: the certificates that lead to its root, in PEM.
    func identity(followedBy chain: String) -> ServerIdentity {
        ServerIdentity(keyPEM: keyPEM, certificatePEM: certificatePEM + chain)
    }
}

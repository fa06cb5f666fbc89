import Crypto
package import Foundation
import SwiftASN1
import X509

/// A certificate authority of this machine's own, kept in a folder, and the server certificate that it has signed. Its times are the wall
/// clock's: clients check certificates on theirs.
package struct LocalAuthority: Sendable {
    /// For the trust stores of clients.
    package let certificatePEM: String

    let folder: AuthorityFolder
    let certificate: Certificate
    let key: P256.Signing.PrivateKey

    private static let lifetime: TimeInterval = 10 * 365 * 86_400

    /// Takes up the authority of a folder, or makes one there.
    ///
    /// - Throws: ``LocalAuthorityError`` naming the file: unreadable, damaged, key and certificate of different authorities. Nothing is
    ///   replaced then, since clients may trust what is there.
    package static func load(or path: String, now: Date = Date()) throws(LocalAuthorityError) -> LocalAuthority {
        let folder = try AuthorityFolder(path)
        guard let (certificate, key) = try folder.read(.authority) else {
            let made = try make(now)
            guard try folder.add(.authority, made.certificate, made.key) else { return try load(or: path, now: now) }
            return try LocalAuthority(folder, made.certificate, made.key)
        }
        guard certificate.notValidAfter > now else {
            throw LocalAuthorityError(
                folder.path(.authority), "the authority expired on \(certificate.notValidAfter); remove the file to make a new one")
        }
        return try LocalAuthority(folder, certificate, key)
    }

    /// Another one, whose key is nowhere else.
    func stranger(now: Date) throws(LocalAuthorityError) -> LocalAuthority {
        let made = try Self.make(now, name: "Sparring untrusted CA")
        return try LocalAuthority(folder, made.certificate, made.key)
    }

    private init(_ folder: AuthorityFolder, _ certificate: Certificate, _ key: P256.Signing.PrivateKey) throws(LocalAuthorityError) {
        self.folder = folder
        self.certificate = certificate
        self.key = key
        do { certificatePEM = try certificate.serializeAsPEM().pemString + "\n" } catch {
            throw LocalAuthorityError(folder.path(.authority), "\(error)")
        }
    }

    private static func make(
        _ now: Date, name commonName: String = "Sparring local CA"
    ) throws(LocalAuthorityError) -> (certificate: Certificate, key: P256.Signing.PrivateKey) {
        let key = P256.Signing.PrivateKey()
        do {
            let name = try DistinguishedName {
                CommonName(commonName)
                OrganizationName("Sparring")
            }
            let certificate = try Certificate(
                version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: Certificate.PublicKey(key.publicKey),
                notValidBefore: now.addingTimeInterval(-3600), notValidAfter: now.addingTimeInterval(lifetime), issuer: name, subject: name,
                signatureAlgorithm: .ecdsaWithSHA256,
                extensions: Certificate.Extensions {
                    Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                    Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                    SubjectKeyIdentifier(hash: Certificate.PublicKey(key.publicKey))
                },
                issuerPrivateKey: Certificate.PrivateKey(key))
            return (certificate, key)
        } catch {
            throw LocalAuthorityError("the local CA", "cannot be made: \(error)")
        }
    }
}

/// Why there is no certificate, with the file that it is about.
package struct LocalAuthorityError: Error, Sendable, Equatable, CustomStringConvertible {
    package var file: String
    package var reason: String

    init(_ file: String, _ reason: String) {
        self.file = file
        self.reason = reason
    }

    package var description: String { "\(file): \(reason)" }
}

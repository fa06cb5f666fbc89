import Crypto
package import Foundation
import SwiftASN1
import X509

extension LocalAuthority {
    private static let day: TimeInterval = 86_400
    private static let month: TimeInterval = 30 * day

    /// A new certificate that has this one defect and is sound otherwise: for the names of ``identity(hosts:now:)``, from this authority.
    /// It is not kept in the folder.
    package func identity(
        with defect: CertificateDefect, hosts: [String], now: Date = Date()
    ) throws(LocalAuthorityError) -> ServerIdentity {
        let names = try Self.subjectAlternativeNames(defect == .wrongHost ? ["wrong-host.invalid"] : Self.names(for: hosts))
        let (begin, end) = (now.addingTimeInterval(-3600), now.addingTimeInterval(Self.month))
        switch defect {
        case .expired:
            let past = try issue(names, from: now.addingTimeInterval(-Self.month), until: now.addingTimeInterval(-Self.day))
            return try show(past, followedBy: certificatePEM)
        case .notYetValid:
            let future = try issue(names, from: end, until: end.addingTimeInterval(Self.month))
            return try show(future, followedBy: certificatePEM)
        case .wrongHost:
            return try show(try issue(names, from: begin, until: end), followedBy: certificatePEM)
        case .untrustedIssuer:
            let stranger = try stranger(now: now)
            return try show(try stranger.issue(names, from: begin, until: end), followedBy: stranger.certificatePEM)
        case .selfSigned:
            return try show(try Self.selfSigned(names, from: begin, until: end), followedBy: "")
        }
    }

    /// A port for each defect, named as it is, `old-tls` and `stalled-handshake`; the system chooses their numbers.
    package func defectivePorts(hosts: [String], now: Date = Date()) throws(LocalAuthorityError) -> [TLSPort] {
        var ports: [TLSPort] = []
        for defect in CertificateDefect.allCases {
            ports.append(TLSPort(name: defect.rawValue, kind: .identity(try identity(with: defect, hosts: hosts, now: now))))
        }
        return ports + [
            TLSPort(name: TLSPort.oldTLS, kind: .oldTLS(try identity(hosts: hosts, now: now))),
            TLSPort(name: TLSPort.stalledHandshake, kind: .stalledHandshake),
        ]
    }

    private func show(
        _ pair: (Certificate, P256.Signing.PrivateKey), followedBy chain: String
    ) throws(LocalAuthorityError) -> ServerIdentity {
        do {
            return ServerIdentity(
                keyPEM: pair.1.pemRepresentation + "\n", certificatePEM: try pair.0.serializeAsPEM().pemString + "\n" + chain)
        } catch {
            throw LocalAuthorityError("a defective certificate", "\(error)")
        }
    }

    private static func selfSigned(
        _ names: SubjectAlternativeNames, from begin: Date, until end: Date
    ) throws(LocalAuthorityError) -> (Certificate, P256.Signing.PrivateKey) {
        let key = P256.Signing.PrivateKey()
        do {
            let name = try DistinguishedName { CommonName("Sparring") }
            let certificate = try Certificate(
                version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: Certificate.PublicKey(key.publicKey),
                notValidBefore: begin, notValidAfter: end, issuer: name, subject: name, signatureAlgorithm: .ecdsaWithSHA256,
                extensions: try Certificate.Extensions {
                    Critical(BasicConstraints.notCertificateAuthority)
                    Critical(KeyUsage(digitalSignature: true))
                    try ExtendedKeyUsage([.serverAuth])
                    SubjectKeyIdentifier(hash: Certificate.PublicKey(key.publicKey))
                    names
                },
                issuerPrivateKey: Certificate.PrivateKey(key))
            return (certificate, key)
        } catch {
            throw LocalAuthorityError("a defective certificate", "cannot be made: \(error)")
        }
    }
}

import SwiftASN1

/// The public key in an X.509 certificate (RFC 5280 §4.1). Nothing else of the certificate is looked at, neither its signature nor its dates.
enum CertificateKey {
    /// The SubjectPublicKeyInfo in DER; nil where the bytes are no certificate.
    static func subjectPublicKeyInfo(of der: [UInt8]) -> [UInt8]? {
        guard let certificate = try? DER.parse(der), let content = elements(of: certificate)?.first, let fields = elements(of: content)
        else {
            return nil
        }
        // The version is left out where it is 1. After it: serialNumber, signature, issuer, validity, subject, subjectPublicKeyInfo.
        let version = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
        let named = Array(fields.drop { $0.identifier == version })
        guard named.count > 5, named[0].identifier == .integer, named[5].identifier == .sequence else { return nil }
        return Array(named[5].encodedBytes)
    }

    private static func elements(of node: ASN1Node) -> [ASN1Node]? {
        guard node.identifier == .sequence, case .constructed(let elements) = node.content else { return nil }
        return Array(elements)
    }
}

package import SparringClient
import SwiftASN1
import X509

/// How a call that an emulated vendor makes over TLS shows who makes it (mutual TLS, RFC 8446 §4.4.2), and whom it trusts beside the
/// machine's own list of authorities.
public struct OutboundTLS: Sendable {
    package let files: ClientTLS

    public enum Part: Sendable {
        case certificate, key, trusted
    }

    public struct Unusable: Error {
        public var part: Part
        public var reason: String
    }

    /// - Parameters:
    ///   - certificate: the client's, and those that lead to its authority, in PEM.
    ///   - key: of the first of them, in PEM, not encrypted.
    ///   - trusted: authorities, in PEM.
    public init(certificate: String?, key: String?, trusted: String?) throws(Unusable) {
        let own = try certificate.map { text throws(Unusable) in try Self.certificates(text, .certificate)[0] }
        if let key {
            let read = try Self.read(.key) { try Self.privateKey(key) }
            if let own, own.publicKey != read.publicKey { throw Unusable(part: .key, reason: "it is not the certificate's") }
        }
        if let trusted { _ = try Self.certificates(trusted, .trusted) }
        files = try Self.read(.certificate) { try ClientTLS(certificate: certificate, key: key, trusted: trusted) }
    }

    /// At least one.
    private static func certificates(_ text: String, _ part: Part) throws(Unusable) -> [Certificate] {
        let all = try read(part) {
            try PEMDocument.parseMultiple(pemString: text).filter { $0.discriminator == Certificate.defaultPEMDiscriminator }
                .map { try Certificate(pemDocument: $0) }
        }
        guard !all.isEmpty else { throw Unusable(part: part, reason: "it holds no certificate") }
        return all
    }

    /// The first one; the parameters of an elliptic curve may stand before it.
    private static func privateKey(_ text: String) throws -> Certificate.PrivateKey {
        let documents = try PEMDocument.parseMultiple(pemString: text)
        guard let document = documents.first(where: { $0.discriminator.hasSuffix("PRIVATE KEY") }) else {
            throw Unusable(part: .key, reason: "it holds no private key")
        }
        return try Certificate.PrivateKey(pemDocument: document)
    }

    private static func read<Value>(_ part: Part, _ read: () throws -> Value) throws(Unusable) -> Value {
        do { return try read() } catch let error as Unusable { throw error } catch { throw Unusable(part: part, reason: "\(error)") }
    }
}

import NIOSSL

/// How a call that an emulated vendor makes over TLS shows who makes it (mutual TLS, RFC 8446 §4.4.2), and whom it trusts beside the
/// machine's own list of authorities.
public struct OutboundTLS: Sendable {
    let configuration: TLSConfiguration

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
        var configuration = TLSConfiguration.makeClientConfiguration()
        if let certificate {
            let chain = try Self.read(.certificate) { try NIOSSLCertificate.fromPEMBytes(Array(certificate.utf8)) }
            guard !chain.isEmpty else { throw Unusable(part: .certificate, reason: "it holds no certificate") }
            configuration.certificateChain = chain.map { .certificate($0) }
        }
        if let key {
            configuration.privateKey = .privateKey(try Self.read(.key) { try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem) })
        }
        if let trusted {
            let roots = try Self.read(.trusted) { try NIOSSLCertificate.fromPEMBytes(Array(trusted.utf8)) }
            guard !roots.isEmpty else { throw Unusable(part: .trusted, reason: "it holds no certificate") }
            configuration.additionalTrustRoots = [.certificates(roots)]
        }
        let complete = configuration
        // Tells whether the key belongs to the certificate.
        _ = try Self.read(.key) { try NIOSSLContext(configuration: complete) }
        self.configuration = configuration
    }

    private static func read<Value>(_ part: Part, _ read: () throws -> Value) throws(Unusable) -> Value {
        do { return try read() } catch { throw Unusable(part: part, reason: "\(error)") }
    }
}

internal import CMicrohttpd

/// Certificates for the names that clients ask for, made when a name is asked for first. All of it belongs to the loop's thread.
final class NamedCertificates {
    /// Names that are kept; a client may ask for any.
    private static let limit = 1024

    private let authority: LocalAuthority
    private var made: [String: UnsafeMutablePointer<sparring_certificate>] = [:]

    init(_ authority: LocalAuthority) { self.authority = authority }

    deinit { for certificate in made.values { sparring_free_certificate(certificate) } }

    /// Nil for what is no host's name, and where there are too many names.
    func certificate(for name: String) -> UnsafePointer<sparring_certificate>? {
        let name = name.lowercased()
        if let certificate = made[name] { return UnsafePointer(certificate) }
        guard made.count < Self.limit, let identity = try? authority.identity(named: name),
            let certificate = sparring_make_certificate(identity.certificatePEM, identity.keyPEM)
        else { return nil }
        made[name] = certificate
        return UnsafePointer(certificate)
    }
}

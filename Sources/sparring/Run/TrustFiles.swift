import Foundation

/// The local CA in files, and the environment variables by which clients learn to trust it.
struct TrustFiles {
    /// The CA alone.
    let authority: URL
    private let folder: URL
    private let pem: String

    /// Node trusts the certificates in this file besides its own (Node.js, command-line API).
    private static let adding = "NODE_EXTRA_CA_CERTS"
    /// OpenSSL, requests and curl trust the certificates in these files, and no others.
    private static let replacing = ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"]
    /// The names of all these variables.
    static let variables = [adding] + replacing
    /// Debian and Alpine, Fedora, openSUSE, OpenSSL's own.
    private static let bundles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
    ]

    init(_ pem: String) throws {
        self.pem = pem
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("sparring-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        authority = folder.appendingPathComponent("ca.pem")
        try Data(pem.utf8).write(to: authority)
    }

    /// Certificates that the environment already trusts stay trusted: each file has them, and the CA besides. A variable is left alone
    /// where it is not known what it would replace.
    func variables(_ environment: [String: String] = ProcessInfo.processInfo.environment) throws -> [String: String] {
        var variables: [String: String] = [:]
        variables[Self.adding] = try file(Self.adding, beside: environment[Self.adding])
        for name in Self.replacing {
            let base = environment[name] ?? Self.bundles.first { FileManager.default.isReadableFile(atPath: $0) }
            if let base, FileManager.default.isReadableFile(atPath: base) { variables[name] = try file(name, beside: base) }
        }
        return variables
    }

    private func file(_ name: String, beside other: String?) throws -> String {
        guard let other, let trusted = FileManager.default.contents(atPath: other) else { return authority.path }
        let file = folder.appendingPathComponent(name + ".pem")
        try (trusted + Data("\n\(pem)".utf8)).write(to: file)
        return file.path
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }
}

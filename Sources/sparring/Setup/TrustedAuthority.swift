import Foundation

/// The certificate of a server's CA in a file that stays, for tools that are given its path.
enum TrustedAuthority {
    /// - Returns: the file's path.
    static func write(from server: AdminClient) async throws -> String {
        let certificate = try await server.get(AdminPath.certificateAuthority)
        guard certificate.text.contains("-----BEGIN CERTIFICATE-----") else {
            throw CommandFailure.foreign(certificate.url, "without a certificate")
        }
        let folder = Resources.authorityFolder
        let path = folder + "/trusted-ca.pem"
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try Data(certificate.bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw CommandFailure.cannotCreate(path, Terminal.reason(of: error).text)
        }
        return path
    }
}

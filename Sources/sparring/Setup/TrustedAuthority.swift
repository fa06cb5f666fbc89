import Crypto
import Foundation

/// The certificate of a server's CA in a file that stays, for tools that are given its path.
enum TrustedAuthority {
    /// - Returns: the file's path.
    static func write(from server: AdminClient) async throws -> String {
        let certificate = try await server.call(.readCertificateAuthority)
        guard certificate.text.contains("-----BEGIN CERTIFICATE-----") else {
            throw CommandFailure.foreign(certificate.url, "without a certificate")
        }
        let folder = Resources.authorityFolder
        // One for each CA: two servers may run at once.
        let digest = SHA256.hash(data: Data(certificate.bytes)).prefix(4).map { String(format: "%02x", $0) }.joined()
        let path = "\(folder)/trusted-ca-\(digest).pem"
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

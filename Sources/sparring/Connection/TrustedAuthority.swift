import Crypto
import Foundation

/// The certificate of a server's CA in a file that stays, for tools that are given its path.
enum TrustedAuthority {
    /// In PEM.
    static func certificate(of server: AdminClient) async throws -> AdminAnswer {
        let answer = try await server.call(.readCertificateAuthority)
        guard answer.text.contains("-----BEGIN CERTIFICATE-----") else { throw CommandFailure.foreign(answer.url, "without a certificate") }
        return answer
    }

    /// - Returns: the file's path.
    static func write(from server: AdminClient) async throws -> String {
        let certificate = try await certificate(of: server)
        let folder = Resources.authorityFolder
        // One for each CA: two servers may run at once.
        let digest = SHA256.hash(data: Data(certificate.bytes)).prefix(4).map { String(format: "%02x", $0) }.joined()
        let path = "\(folder)/trusted-ca-\(digest).pem"
        try CommandFailure.writing(path) {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try Data(certificate.bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
        }
        return path
    }
}

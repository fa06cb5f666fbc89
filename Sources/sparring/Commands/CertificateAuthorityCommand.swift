import ArgumentParser
import Foundation

/// `sparring ca`
struct CertificateAuthorityCommand: ServerCommand {
    static let name = "ca"
    static let abstract = "Print the certificate that clients of the TLS port must trust."
    static let discussion = """
        The certificate is in PEM, and stays the same on this machine.
          sparring ca --output sparring-ca.pem
          curl --cacert sparring-ca.pem https://localhost:8443/…
        """

    @Option(help: "File to write it to, instead of standard output.", completion: .file()) var output: String?
    @OptionGroup(title: "Connection") var connection: ConnectionOptions

    func run(_ server: AdminClient) async throws {
        let certificate = try await TrustedAuthority.certificate(of: server)
        guard let output else { return try Terminal.print(certificate.text) }
        try CommandFailure.writing(output) { try Data(certificate.bytes).write(to: URL(fileURLWithPath: output), options: .atomic) }
        try connection.confirm("wrote \(output)")
    }
}

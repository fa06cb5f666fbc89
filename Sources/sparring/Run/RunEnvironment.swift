import Foundation
import SparringJSON

/// The environment of a client under test.
struct RunEnvironment {
    let sandbox: String
    let variables: [String: String]
    private let trust: TrustFiles?

    /// - Parameters:
    ///   - server: that the client calls.
    ///   - made: the sandbox, as the admin API shows it.
    ///   - trusts: has the CA in the variables by which clients learn whom to trust.
    ///   - adminToken: of a server that asks for one.
    init(_ server: RunServer, _ made: JSON, trusts: Bool, adminToken: String?) async throws {
        sandbox = made["id"]?.string ?? ""
        var variables = ConfigurationVariables.all(made)
        variables["SPARRING_URL"] = server.client.baseURL
        variables["SPARRING_ADMIN_TOKEN"] = adminToken
        var trust: TrustFiles?
        if let pem = try? await server.client.call(.readCertificateAuthority).text {
            let files = try TrustFiles(pem)
            variables["SPARRING_CA_FILE"] = files.authority.path
            if trusts { variables.merge(try files.variables()) { own, _ in own } }
            trust = files
        }
        self.trust = trust
        variables["SPARRING_TLS_URL"] = server.tlsURL
        if let port = server.proxyPort {
            variables.merge(Proxies.variables(port: port)) { own, _ in own }
        } else {
            variables.merge(Proxies.exceptions(for: server.host)) { own, _ in own }
        }
        // The scenario is met on a port with a defect.
        if let defect = made["tls"]?.string, let port = server.tlsDefects[defect] {
            variables["SPARRING_TLS_URL"] = "https://\(server.host):\(port)"
        }
        self.variables = variables
    }

    func remove() { trust?.remove() }
}

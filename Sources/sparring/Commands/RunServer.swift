import Foundation
import SparringAdmin
import SparringEngine
import SparringHTTP
import SparringJSON
import SparringSandbox
import SparringTokens
import SparringVendors

/// The server of one run: a new one in this process, on free ports, or one that is there already.
struct RunServer {
    let client: AdminClient
    let host: String
    /// Where TLS is served; nil where it is not.
    let tlsURL: String?
    /// The ports with TLS defects, by name.
    let tlsDefects: [String: Int]
    private let server: Server?

    /// - Throws: ``CommandFailure`` where nobody answers.
    init(at url: String, token: String?) async throws {
        client = AdminClient(baseURL: url.hasSuffix("/") ? String(url.dropLast()) : url, token: token)
        let health = try await client.get(AdminPath.health).json
        let host = URLComponents(string: client.baseURL)?.host ?? "localhost"
        self.host = host
        tlsURL = health["tlsPort"]?.integer(in: 1...65_535).map { "https://\(host):\($0)" }
        tlsDefects = (health["tlsDefects"]?.object ?? [:]).reduce(into: [:]) { ports, port in
            ports[port.key] = port.value.integer(in: 1...65_535)
        }
        server = nil
    }

    init(database: String?) async throws {
        let resources = try Resources.locate()
        let keys = try KeyPool(folder: resources.keys)
        let authority = try LocalAuthority.load(or: Resources.authorityFolder)
        var options = Server.Options()
        options.version = sparringVersion
        options.contracts = resources.contracts
        options.scenarios = resources.scenarios
        options.engine.database = database
        options.certificateAuthority = authority.certificatePEM
        let server = try Server(options) { try AllVendors.make($0, keys: keys) }
        var ports = HTTPServer.Options()
        ports.port = 0
        ports.tlsPort = 0
        ports.identity = try authority.identity(hosts: [])
        ports.extraPorts = try authority.defectivePorts(hosts: [])
        let addresses: Addresses
        do { addresses = try server.engine.serve(ports) } catch {
            try? await server.engine.stop()
            throw error
        }
        self.server = server
        client = AdminClient(baseURL: addresses.baseURL, token: nil)
        host = "localhost"
        tlsURL = addresses.tlsPort.map { "https://localhost:\($0)" }
        tlsDefects = addresses.tlsDefects
    }

    /// Ends the server where it is this process's own.
    func stop() async throws { try await server?.engine.stop(grace: .seconds(1)) }
}

/// What a client under test is told by its environment.
struct RunEnvironment {
    let sandbox: String
    let variables: [String: String]
    private let authority: URL?

    init(_ server: RunServer, _ made: JSON) async throws {
        sandbox = made["id"]?.string ?? ""
        var variables = ["SPARRING_URL": server.client.baseURL, "SPARRING_SANDBOX": sandbox]
        var file: URL?
        if let pem = try? await server.client.get(AdminPath.certificateAuthority).text {
            let place = FileManager.default.temporaryDirectory.appendingPathComponent("sparring-ca-\(getpid()).pem")
            try Data(pem.utf8).write(to: place)
            variables["SPARRING_CA_FILE"] = place.path
            file = place
        }
        authority = file
        variables["SPARRING_TLS_URL"] = server.tlsURL
        // The scenario is met on a port with a defect.
        if let defect = made["tls"]?.string, let port = server.tlsDefects[defect] {
            variables["SPARRING_TLS_URL"] = "https://\(server.host):\(port)"
        }
        for (tenant, fields) in made["tenants"]?.object ?? [:] {
            for (name, value) in fields.object ?? [:] {
                guard let text = Self.text(value) else { continue }
                variables["SPARRING_\(Self.words(tenant))_\(Self.words(name))"] = text
            }
        }
        self.variables = variables
    }

    func remove() { authority.map { try? FileManager.default.removeItem(at: $0) } }

    /// `accountId` → `ACCOUNT_ID`, `jwksURI` → `JWKS_URI`.
    static func words(_ name: String) -> String {
        var words = ""
        var wasSmall = false
        for character in name {
            if character.isUppercase, wasSmall { words += "_" }
            wasSmall = character.isLowercase || character.isNumber
            words += character.isLetter || character.isNumber ? character.uppercased() : "_"
        }
        return words
    }

    /// What has a text; lists of them are told apart by spaces.
    private static func text(_ value: JSON) -> String? {
        switch value {
        case .string(let text): text
        case .integer, .number, .bool: value.text
        case .array(let items):
            items.allSatisfy { $0.string != nil } ? items.compactMap(\.string).joined(separator: " ") : nil
        default: nil
        }
    }
}

package import SparringContract
package import SparringEngine
package import SparringHTTP

/// A server's start: what it serves, on which ports, and under which names.
package struct ServerLaunch: Sendable {
    package var options = Server.Options()
    package var ports = HTTPServer.Options()
    /// Names of this machine beside the usual ones (``LocalAuthority/names(for:)``).
    package var hosts: [String] = []
    /// The address that URLs have; nil: the one that each client used.
    package var advertised: AdvertisedAddress?

    /// Hosts that the forward proxy serves beside those of the contracts.
    package var proxied: [ServerHost] = []

    package init() {}

    /// The hosts that certificates have beside the usual ones: the advertised one, and those that name a sandbox below it.
    package var certificateHosts: [String] {
        hosts + (advertised.map { LocalAuthority.names(of: $0.host) } ?? [])
    }

    /// Serves TLS too, with a certificate for all the hosts.
    ///
    /// - Parameter port: 0: a free one.
    package mutating func serveTLS(on port: Int, with authority: LocalAuthority) throws(LocalAuthorityError) {
        options.certificateAuthority = authority.certificatePEM
        ports.tlsPort = port
        ports.identity = try authority.identity(hosts: certificateHosts)
    }

    /// Opens the ports once all is there. A start that fails leaves nothing behind.
    ///
    /// - Parameters:
    ///   - make: makes the server.
    ///   - prepare: makes what is to be there before the first call, such as a sandbox, and may add ports.
    /// - Throws: what the two throw, and ``HTTPServerError``.
    package func start(
        _ make: (Server.Options) throws -> Server, prepare: (Server, inout HTTPServer.Options) async throws -> Void
    ) async throws -> (server: Server, addresses: Addresses) {
        let server = try make(options)
        do {
            var ports = ports
            try await prepare(server, &ports)
            return (
                server, try server.engine.serve(ports, hosts: LocalAuthority.names(for: hosts), advertised: advertised, proxied: proxied)
            )
        } catch {
            // A temporary database goes with it.
            try? await server.engine.stop()
            throw error
        }
    }
}

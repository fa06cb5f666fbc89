import SparringAdmin
import SparringEngine
import SparringHTTP
import SparringTestKit
import Support
import Testing

/// The remains of a server that could not start.
@Suite struct ServerLaunchTests {
    private struct Failure: Error {}

    @Test func `a start that fails gives the database back`() async throws {
        try await TemporaryFolder.database { file in
            var kept: Server?
            do {
                _ = try await SparringServer { options in
                    options.engine.database = file
                } prepare: { server in
                    kept = server
                    throw Failure()
                }
                Issue.record("it started")
            } catch is Failure {}
            // As long as one server uses it, no other starts on it.
            let next = try await SparringServer { $0.engine.database = file }
            await next.stop()
            withExtendedLifetime(kept) {}
        }
    }

    @Test func `certificates are for the advertised host too`() throws {
        var launch = ServerLaunch()
        launch.hosts = ["a.test"]
        launch.advertised = try AdvertisedAddress(["https://b.test:9443"])
        #expect(launch.certificateHosts == ["a.test", "b.test", "*.b.test"])
        try TemporaryFolder.run { folder in try launch.serveTLS(on: 0, with: LocalAuthority.load(or: folder)) }
        #expect(launch.ports.tlsPort == 0 && launch.ports.identity?.certificatePEM.contains("BEGIN CERTIFICATE") == true)
        let authority = launch.options.certificateAuthority ?? "none"
        #expect(launch.ports.identity?.certificatePEM.hasSuffix(authority) == true)
    }
}

import SparringJSON
import Support
import Testing

/// `sparring tenant` against a server that runs.
@Suite(.fewAtATime) struct TenantCommandTests {
    @Test func `a change of the provider's client says how the vendors take it`() async throws {
        let server = try await ServerProcess.start(["--vendor", "liveperson"], in: try TemporaryFolder())
        func change(_ vendor: String, _ patch: String) async throws -> Command.End {
            try await sparring(["tenant", "change", vendor, "--set", patch], at: server)
        }
        func trusted() async throws -> JSON? {
            try await server.get("/__admin/sandboxes/default/tenants/liveperson").json?["issuers"]?[JSONPointer("/0/clientId")!]
        }
        #expect(try await change("identity", #"{"tokenLifetime":"5m"}"#).errors == "")
        let changed = try await change("identity", #"{"clientId":"my-app"}"#)
        #expect(
            changed.status == 0 && changed.errors.hasSuffix("sparring tenant change liveperson --set '{\"issuers\":null}'\n"), "\(changed)")
        #expect(try await trusted() == "brand-app")
        let taken = try await change("liveperson", #"{"issuers":null}"#)
        #expect(taken.status == 0 && taken.errors.isEmpty, "\(taken)")
        #expect(try await trusted() == "my-app")
        _ = try await server.stop()
    }
}

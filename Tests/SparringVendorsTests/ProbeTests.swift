import HTTPTypes
import Support
import Testing
import SparringJSON
@Suite struct ProbeTests {
    @Test(arguments: 0..<8) func `probe`(n: Int) async throws {
        let c = ContinuousClock()
        var d: [Duration] = []
        let start = c.now
        try await TestServer.run(.socket) { server in
            d.append(c.now - start)
            let tenants = try await server.admin(.get, "")
            if n == 0 { print(tenants.text) }
            d.append(c.now - start)
        }
        d.append(c.now - start)
        print(d)
    }
}

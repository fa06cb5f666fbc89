import HTTPTypes
import SparringAdmin
import SparringEngine
import SparringJSON
import SparringSandbox
import Support
import Testing

/// Several servers that share the work hand out nothing twice.
@Suite struct NodeTests {
    /// The ids of what a consumer does in a sandbox made with a seed.
    private static func ids(at node: String?, database: String? = nil) async throws -> [String] {
        let tenants: JSON.Object = ["liveperson": ["tokenEndpointTimeout": "10m"]]
        return try await TestServer.run(
            .socket, seed: 7, database: database, tenants: tenants, configure: { $0.engine.node = node.flatMap { try? Node($0) } }
        ) { server in
            var ids: [String] = []
            let made = try await server.send(.post, "/__admin/sandboxes", json: ["seed": 7]).json ?? [:]
            let shown = try await server.admin(.get, "")
            for sandbox in [made, shown] {
                for (_, tenant) in sandbox["tenants"]?.object ?? [:] {
                    ids += ["accountId", "tenantId", "brandId", "appId", "companyMarker", "sigKey"].compactMap { tenant[$0]?.string }
                }
            }
            ids.append(made["id"]?.string ?? "")
            let minted = try await server.admin(.post, "credentials", ["form": "code", "subject": "ada"])
            ids.append(minted["credential"]?.string ?? "")
            return ids
        }
    }

    @Test func `two nodes draw nothing alike from one seed, and each the same again`() async throws {
        let (a, b, alone) = (try await Self.ids(at: "a"), try await Self.ids(at: "b"), try await Self.ids(at: nil))
        #expect(a.count >= 10 && a.count == b.count)
        #expect(Set(a).isDisjoint(with: b) && Set(a).isDisjoint(with: alone), "\(a)\n\(b)\n\(alone)")
        #expect(a.contains("a-sandbox-7") && b.contains("b-sandbox-7"))
        #expect(try await Self.ids(at: "a") == a)
    }

    @Test func `a database that was made at a node goes on drawing for it`() async throws {
        try await TemporaryFolder.database { database in
            let node = try Node("a")
            func code(_ options: (inout ServerOptions) -> Void) async throws -> (String?, JSON?) {
                try await TestServer.run(seed: 7, database: database, configure: options) { server in
                    let minted = try await server.admin(.post, "credentials", ["form": "code", "subject": "ada"])
                    return (minted["credential"]?.string, try await server.admin(.get, "")["node"])
                }
            }
            let first = try await code { $0.engine.node = node }
            let second = try await code { _ in }
            let fresh = try await TestServer.run(seed: 7, configure: { $0.engine.node = node }) { server in
                _ = try await server.admin(.post, "credentials", ["form": "code", "subject": "ada"])
                return try await server.admin(.post, "credentials", ["form": "code", "subject": "ada"])["credential"]?.string
            }
            #expect(first.1 == "a" && second.1 == "a")
            #expect(second.0 == fresh && second.0 != first.0)
        }
    }

    @Test func `faults strike alike at every node`() async throws {
        func strikes(_ node: String?) async throws -> String {
            try await TestServer.run(seed: 3, configure: { $0.engine.node = node.flatMap { try? Node($0) } }) { server in
                try await server.arm("\(lookUpService) status code=503 probability=0.5")
                let account = try await server.admin(.get, "tenants/liveperson")["accountId"]?.string ?? ""
                var text = ""
                for _ in 0..<20 { text += try await server.lookUp(account: account).status == 200 ? "." : "x" }
                return text
            }
        }
        let (a, b) = (try await strikes("a"), try await strikes(nil))
        #expect(a == b && a.contains("x") && a.contains("."))
    }

    @Test func `the node is named wherever the server speaks of itself`() async throws {
        try await TestServer.run(configure: { $0.engine.node = try? Node("node-1") }) { server in
            let health = try await server.send(.get, "/__admin/health").json
            #expect(health?["node"] == "node-1" && health?["accepting"] == true)
            #expect(try await server.send(.get, "/__admin/version").json?["node"] == "node-1")
            #expect(try await server.send(.get, "/__admin/metrics").text.contains("sparring_node_info{node=\"node-1\"} 1"))
            #expect(try await server.admin(.get, "")["node"] == "node-1")
            #expect(try await server.admin(.post, "verdicts", [:])["node"] == "node-1")
        }
    }

    @Test(arguments: ["", "-a", "a-", "A", "a.b", "a_b", String(repeating: "a", count: 33)])
    func `what is no label is no node's name`(_ name: String) {
        #expect(throws: ConfigurationError.self) { try Node(name) }
    }
}

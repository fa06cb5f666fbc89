import HTTPTypes
import SparringJSON
import Support
import Testing

/// Sockets that end because nothing is said on them.
@Suite struct SocketIdleTests {
    /// Both the idle limit and the token's end are over then: the socket ends of the one that came first.
    @Test func `a clock that is set far ahead ends each socket once, for what came first`() async throws {
        try await TestServer.run(tenants: MessagingScene.tenants) { server in
            let scene = MessagingScene(server: server)
            let names = (0..<20).map { "person-\($0)" }
            var sockets: [SocketClient] = []
            for name in names { sockets.append(try await scene.socket(name)) }
            _ = try await sockets[0].request("GetClock", [:])
            try await server.admin(.put, "clock", ["mode": "frozen", "now": "2030-01-01T00:00:00Z"])
            for socket in sockets { _ = try await socket.end() }
            try await until { try await server.admin(.get, "sockets") == ["sockets": []] }
            let entries = try await server.journal("?kind=socket")
            #expect(entries.count { $0["details"]?["by"] == "server" } == names.count)
            #expect(entries.allSatisfy { $0["causeCode"] == "idle-by-advance" })
        }
    }

    /// No client can ping while the clock is advanced by all of the limit at once; between shorter steps it can.
    @Test(arguments: [(["61m"], "idle-by-advance"), (["30s", "30s", "30s"], "idle"), (["2090-01-01T00:00:00Z"], "idle-by-advance")])
    func `a clock that is moved past the whole limit is no client's fault`(_ steps: [String], _ cause: String) async throws {
        try await TestServer.run(tenants: MessagingScene.tenants) { server in
            let scene = MessagingScene(server: server)
            try await server.admin(.put, "clock", ["mode": "frozen"])
            let socket = try await scene.socket("ada")
            _ = try await socket.request("GetClock", [:])
            for step in steps {
                if step.hasSuffix("Z") {
                    try await server.admin(.put, "clock", ["mode": "frozen", "now": .string(step)])
                } else {
                    try await server.admin(.post, "clock/advance", ["by": .string(step)])
                }
            }
            _ = try await socket.end()
            try await until { try await server.admin(.get, "sockets") == ["sockets": []] }
            let entry = try #require(try await server.journal("?kind=socket").first)
            #expect(entry["causeCode"]?.string == cause, "\(entry)")
            let report = try await server.admin(.post, "verdicts", [:])
            let verdict = report["verdicts"]?.array?.first { $0["rule"] == "keeps-the-socket-alive" }
            #expect(verdict?["result"]?.string == (cause == "idle" ? "fail" : "not-exercised"), "\(verdict ?? .null)")
        }
    }
}

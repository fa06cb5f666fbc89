import HTTPTypes
import SparringAdmin
import SparringEngine
import SparringJSON
import SparringSandbox
import Support
import Testing

/// Open sockets, listed and ended over the admin API.
@Suite struct SocketEndTests {
    private func scene(_ body: (TestServer, MessagingScene) async throws -> Void) async throws {
        try await TestServer.run(tenants: MessagingScene.tenants) { server in try await body(server, MessagingScene(server: server)) }
    }

    @Test func `the open ones are listed with who is at the other end`() async throws {
        try await scene { server, scene in
            #expect(try await server.admin(.get, "sockets") == ["sockets": []])
            let socket = try await scene.socket("ada")
            _ = try await socket.request("GetClock", [:])
            let sockets = try await server.admin(.get, "sockets")["sockets"]?.array ?? []
            #expect(sockets.count == 1)
            #expect(sockets.first?["number"] == 1 && sockets.first?["vendor"] == "liveperson" && sockets.first?["frozen"] == false)
            #expect(sockets.first?["lane"] == "ada" && sockets.first?["lastTraffic"]?.string?.isEmpty == false, "\(sockets)")
        }
    }

    @Test(
        arguments: [
            (["how": "close"], .closed(code: 1000, reason: "")),
            (["how": "close", "code": 1011, "reason": "no"], .closed(code: 1011, reason: "no")),
            (["how": "abort"], .ended(.closed)),
        ] as [(JSON, SocketClient.Event)])
    func `a client sees on the wire what was asked for`(_ how: JSON, _ expected: SocketClient.Event) async throws {
        try await scene { server, scene in
            let socket = try await scene.socket("ada")
            _ = try await socket.request("GetClock", [:])
            try await server.admin(.post, "sockets/1/end", how)
            let end = try await socket.end()
            #expect(end == expected)
            try await until { try await server.admin(.get, "sockets") == ["sockets": []] }
            let entry = try #require(try await server.journal("?kind=socket").first)
            #expect(entry["cause"]?.string?.contains("asked for over the admin API") == true, "\(entry.text)")
        }
    }

    @Test func `a frozen one stands, and hears nothing`() async throws {
        try await scene { server, scene in
            let socket = try await scene.socket("ada")
            _ = try await socket.request("GetClock", [:])
            try await server.admin(.post, "sockets/1/end", ["how": "freeze"])
            #expect(try await server.admin(.get, "sockets")["sockets"]?.array?.first?["frozen"] == true)
            let before = try await server.journal("?kind=message").count
            socket.send(["kind": "req", "id": "9", "type": "GetClock", "body": [:]])
            // What another socket says later is heard.
            _ = try await scene.socket("bob").request("GetClock", [:])
            #expect(try await server.journal("?kind=message").count == before + 1)
            #expect(socket.raw.isUp)
        }
    }

    @Test(
        arguments: [
            ("7", ["how": "close"], "404 socket-unknown"), ("1", ["how": "abort", "code": 1011], "422 configuration-invalid /code"),
            ("1", ["how": "freeze", "reason": "x"], "422 configuration-invalid /reason"),
            ("1", ["how": "kick"], "400 request-malformed /how"),
            ("1", ["how": "close", "code": 5000], "400 request-malformed /code"), ("1", [:], "400 request-malformed /how"),
        ] as [(String, JSON, String)])
    func `what cannot be done is refused, and the socket stays`(_ number: String, _ how: JSON, _ words: String) async throws {
        try await scene { server, scene in
            let socket = try await scene.socket("ada")
            _ = try await socket.request("GetClock", [:])
            let answer = try await server.send(.post, "/__admin/sandboxes/default/sockets/\(number)/end", json: how)
            #expect(Problem(answer).words == words, "\(answer.text)")
            #expect(try await socket.request("GetClock", [:])["code"] == 200)
        }
    }

    /// Both the idle limit and the token's end are over then: the socket ends of the one that came first.
    @Test func `a clock that is set far ahead ends each socket once, for what came first`() async throws {
        try await scene { server, scene in
            let names = (0..<20).map { "person-\($0)" }
            var sockets: [SocketClient] = []
            for name in names { sockets.append(try await scene.socket(name)) }
            _ = try await sockets[0].request("GetClock", [:])
            try await server.admin(.put, "clock", ["mode": "frozen", "now": "2030-01-01T00:00:00Z"])
            for socket in sockets { _ = try await socket.end() }
            try await until { try await server.admin(.get, "sockets") == ["sockets": []] }
            let entries = try await server.journal("?kind=socket")
            #expect(entries.count { $0["details"]?["by"] == "server" } == names.count)
            #expect(entries.allSatisfy { $0["causeCode"] == "idle" })
        }
    }
}

import BirdSupport
import HTTPTypes
import SparringAdmin
import SparringEngine
import SparringJSON
import SparringSandbox
import Support
import Testing

/// Open sockets, listed and ended over the admin API.
@Suite struct SocketEndTests {
    /// Sends a message and awaits its answer: afterwards the socket is open and listed.
    private func beat(_ socket: SocketClient) async throws {
        socket.sendText("beat")
        #expect(try await socket.next() == .text("tick"))
    }

    @Test func `the open ones are listed with who is at the other end`() async throws {
        try await Aviary.run { server in
            #expect(try await server.admin(.get, "sockets") == ["sockets": []])
            let socket = try await server.openCage("polly")
            try await beat(socket)
            let sockets = try await server.admin(.get, "sockets")["sockets"]?.array ?? []
            #expect(sockets.count == 1)
            #expect(sockets.first?["number"] == 1 && sockets.first?["vendor"] == "parrot" && sockets.first?["frozen"] == false)
            #expect(sockets.first?["lane"] == "polly" && sockets.first?["lastTraffic"]?.string?.isEmpty == false, "\(sockets)")
        }
    }

    @Test(
        arguments: [
            (["how": "close"], .closed(code: 1000, reason: "")),
            (["how": "close", "code": 1011, "reason": "no"], .closed(code: 1011, reason: "no")),
            (["how": "abort"], .ended(.closed)),
        ] as [(JSON, SocketClient.Event)])
    func `a client sees on the wire what was asked for`(_ how: JSON, _ expected: SocketClient.Event) async throws {
        try await Aviary.run { server in
            let socket = try await server.openCage("polly")
            try await beat(socket)
            try await server.admin(.post, "sockets/1/end", how)
            let end = try await socket.end()
            #expect(end == expected)
            try await until { try await server.admin(.get, "sockets") == ["sockets": []] }
            let entry = try #require(try await server.journal("?kind=socket").first)
            #expect(entry["cause"]?.string?.contains("asked for over the admin API") == true, "\(entry.text)")
        }
    }

    @Test func `a frozen one stands, and hears nothing`() async throws {
        try await Aviary.run { server in
            let socket = try await server.openCage("polly")
            try await beat(socket)
            try await server.admin(.post, "sockets/1/end", ["how": "freeze"])
            #expect(try await server.admin(.get, "sockets")["sockets"]?.array?.first?["frozen"] == true)
            let before = try await server.journal("?kind=message").count
            socket.sendText("beat")
            // What another socket says later is heard.
            try await beat(try await server.openCage("coco"))
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
        try await Aviary.run { server in
            let socket = try await server.openCage("polly")
            try await beat(socket)
            let answer = try await server.send(.post, "/__admin/sandboxes/default/sockets/\(number)/end", json: how)
            #expect(Problem(answer).words == words, "\(answer.text)")
            try await beat(socket)
        }
    }
}

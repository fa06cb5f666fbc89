import BirdSupport
import HTTPTypes
import SparringEngine
import SparringJSON
@testable import SparringSandbox
import SparringTestKit
import Support
import Testing

/// Messages that wait for the one before them on their socket.
@Suite struct SocketInboxTests {
    @Test(
        arguments: [
            ("CONNECTION_RESET_BY_PEER", .ended(.reset)), ("CONNECTION_RESET_BY_PEER phase=onResponseStart", .ended(.reset)),
            ("EMPTY_RESPONSE phase=onResponseStart", .ended(.closed)), ("abort", .ended(.closed)),
            ("close code=4001", .closed(code: 4001, reason: "")),
            ("close code=4001 phase=onResponseEnd", .closed(code: 4001, reason: "")),
        ] as [(String, SocketClient.Event)])
    func `what waits behind the message that a fault ends the socket at is not taken`(_ effect: String, _ end: SocketClient.Event)
        async throws
    {
        try await Aviary.run { server in
            try await server.arm("parrot.openCage delay by=2s message:/payload/text=first")
            try await server.arm("parrot.openCage \(effect) message:/payload/text=first")
            let socket = try await server.openCage("polly")
            for text in ["first", "second", "third"] { socket.say(text) }
            let open = try #require(server.engine.world.sandbox("default")?.sockets[1])
            try await until { open.waiting == 2 }
            try await server.admin(.post, "clock/advance", ["by": "2s"])
            var event = try await socket.next()
            while case .message = event { event = try await socket.next() }
            #expect(event == end)
            // Its end is the last entry.
            try await until { try await server.journal("?kind=socket").count == 1 }
            let said = try await server.journal("?operation=parrot.say").map { $0["request"]?["body"]?.text ?? "" }
            #expect(said.count == 1 && said[0].contains("first"), "\(said)")
        }
    }

    @Test func `an advance waits for what waits behind a message that it releases`() async throws {
        try await Aviary.run { server in
            try await server.arm("parrot.openCage delay by=2s message:/payload/text=first")
            let socket = try await server.openCage("polly")
            socket.say("first")
            // So long that reading it takes longer than the rest of the advance.
            socket.say(String(repeating: "x", count: 1 << 19))
            socket.say("third")
            let open = try #require(server.engine.world.sandbox("default")?.sockets[1])
            try await until { open.waiting == 2 }
            try await server.admin(.post, "clock/advance", ["by": "10s"])
            let entries = try await server.journal("?operation=parrot.say")
            #expect(entries.map { $0["sandboxTime"] } == Array(repeating: "2026-01-01T00:00:02.000Z", count: 3))
            #expect(entries.allSatisfy { $0["ended"] == nil })
        }
    }
}

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
            // So many that deciding them takes longer than the rest of the advance.
            let texts = ["first"] + (1...200).map { "after \($0)" }
            for text in texts { socket.say(text) }
            let open = try #require(server.engine.world.sandbox("default")?.sockets[1])
            try await until { open.waiting == 200 }
            try await server.admin(.post, "clock/advance", ["by": "10s"])
            let entries = try await server.journal("?operation=parrot.say&limit=1000")
            #expect(entries.map { $0["sandboxTime"] } == texts.map { _ in "2026-01-01T00:00:02.000Z" })
            #expect(entries.allSatisfy { $0["ended"] == nil })
        }
    }

    @Test func `what is held back is decided when the server stops, in the order in which it was due`() async throws {
        let birds = (0..<40).map { "bird\($0)" }
        try await TemporaryFolder.database { database in
            try await Aviary.run(database: database) { server in
                // The last one to speak is the first one due.
                for index in birds.indices {
                    try await server.arm("parrot.openCage delay by=\(60 - index)s message:/payload/text=\(index)")
                }
                for (index, bird) in birds.enumerated() { try await server.openCage(bird).say("\(index)") }
                try await until { server.engine.world.sandbox("default")?.clock.pending.count == birds.count }
            }
            try await Aviary.run(database: database) { server in
                let said = try await server.journal("?operation=parrot.say")
                #expect(said.map { $0["lane"]?.string } == birds.reversed())
                let faults = try await server.admin(.get, "faults")["faults"]?.array
                #expect(faults?.map { $0["hits"] } == birds.map { _ in 1 })
            }
        }
    }

    @Test func `nothing is sent on a socket that a fault has closed and whose client has not answered the close frame`() async throws {
        try await Aviary.run { server in
            try await server.arm("parrot.openCage close code=4001 message:/payload/text=bye")
            let (polly, rio, jack) = (
                try await server.openCage("polly"), try await server.openCage("rio"), try await server.openCage("jack")
            )
            // Polly does not read, and so does not answer the close frame.
            polly.say("bye")
            _ = try await server.journal(of: "parrot.say")
            rio.say("hello")
            #expect(try await jack.message("hello") { $0["text"] == "hello" } != .null)
            #expect(try await server.journal("?operation=parrot.heard").map { $0["lane"] } == ["jack"])
            #expect(try await server.journal("?kind=socket").isEmpty)
        }
    }
}

import SparringJSON
import Support
import Testing

/// Messages of a socket where a sandbox varies them.
@Suite struct VariedMessagesTests {
    private static let says = "How can I help?"

    /// A consumer opens a conversation, and hears an agent.
    ///
    /// - Returns: what came on the socket from the conversation on, up to the agent's words and a pong after them.
    private static func hear(_ families: [String], turn: Int64 = 0, _ look: (MessagingScene, SocketClient, [JSON]) async throws -> Void)
        async throws
    {
        let vary: JSON = ["seed": 7, "families": .array(families.map { .string($0) }), "turn": .integer(turn)]
        try await MessagingScene.run(vary: vary) { scene in
            let socket = try await scene.socket("ada")
            let dialog = try await scene.conversation(socket)
            try await scene.agentSays(says, in: dialog)
            var heard: [JSON] = []
            while heard.last?.text.contains(says) != true { heard.append(try await socket.message("anything") { _ in true }) }
            #expect(try await socket.isAlive())
            while case .message(let message)? = try await socket.keptNext() { heard.append(message) }
            try await look(scene, socket, heard)
        }
    }

    private static func words(_ scene: MessagingScene) async throws -> [String] {
        try await scene.server.journal("?kind=notification&limit=1000").flatMap { entry in
            (entry["varied"]?.array ?? []).compactMap { $0["words"]?.string }
        }
    }

    @Test func `a message of an unknown kind comes before`() async throws {
        try await Self.hear(["V6"]) { scene, _, heard in
            let strange = heard.filter { $0["type"]?.string?.contains("sparring") == true }
            let words = try await Self.words(scene)
            #expect(words.contains { $0.contains("unknown kind") } && strange.count <= words.count, "\(heard)")
            #expect(heard.last?["type"]?.string == MessagingScene.events)
        }
    }

    @Test func `a message comes twice`() async throws {
        for turn in Int64(0)...1 {
            try await Self.hear(["V22"], turn: turn) { scene, _, heard in
                let said = heard.count { $0.text.contains(Self.says) }
                let entry = try await scene.server.newest("liveperson.eventsPublished")
                #expect(said == (entry["varied"] == nil ? 1 : 2), "turn \(turn): \(heard)")
            }
        }
    }

    @Test func `what nobody asked for is of a kind that the contract has`() async throws {
        for turn in Int64(0)...1 {
            try await Self.hear(["V23"], turn: turn) { scene, _, heard in
                let typing = heard.count { $0.text.contains("COMPOSING") }
                let entry = try await scene.server.newest("liveperson.eventsPublished")
                #expect((typing > 0) == (entry["varied"] != nil), "turn \(turn): \(heard)")
            }
        }
    }

    @Test(arguments: 0...2) func `messages in other frames are the same`(_ turn: Int64) async throws {
        try await Self.hear(["V20"], turn: turn) { scene, socket, _ in
            let words = try await scene.server.journal("?limit=1000").flatMap { $0["varied"]?.array ?? [] }.compactMap {
                $0["words"]?.string
            }
            #expect(!words.isEmpty)
            #expect((socket.traffic.fragments > 0) == words.contains { $0.contains("fragments") }, "\(words) \(socket.traffic)")
            #expect((socket.traffic.pings > 0) == words.contains { $0.contains("ping") }, "\(words) \(socket.traffic)")
        }
    }

    @Test func `an item of an unknown kind has no number of its own, and the real one is there`() async throws {
        try await Self.hear(["V7"]) { scene, _, heard in
            let changes = heard.flatMap { $0["body"]?["changes"]?.array ?? [] }
            for change in changes where change["event"]?["type"]?.string?.hasPrefix("Sparring") == true {
                #expect(change["sequence"] == nil, "\(change)")
            }
            #expect(changes.contains { $0["event"]?["message"]?.string == Self.says && $0["event"]?["type"] == "ContentEvent" })
        }
    }

    @Test func `a response comes after what its call causes, and the journal has them as they were decided`() async throws {
        try await MessagingScene.run(vary: ["seed": 7, "families": ["V21"]]) { scene in
            let socket = try await scene.socket("ada")
            let opened = try await socket.request("cm.ConsumerRequestConversation", [:])
            let dialog = try #require(opened["body"]?["conversationId"])
            let id = socket.freshID()
            socket.send([
                "kind": "req", "id": .string(id), "type": "ms.SubscribeMessagingEvents", "body": ["dialogId": dialog, "fromSeq": 0],
            ])
            let first = try await socket.message("anything") { _ in true }
            #expect(first["type"]?.string == MessagingScene.events, "\(first)")
            _ = try await socket.message("the response") { $0["reqId"]?.string == id }
            let entries = try await scene.server.journal("?limit=1000").filter { $0["operation"]?.string?.contains("vents") == true }
            #expect(entries.map { $0["kind"]?.string } == ["message", "notification"], "\(entries)")
        }
    }

    @Test func `what is sent is as the contract says, but for what was meant`() async throws {
        for seed in Int64(1)...4 {
            try await MessagingScene.run(vary: .integer(seed)) { scene in
                let socket = try await scene.socket("ada")
                let dialog = try await scene.conversation(socket)
                try await scene.follow(socket)
                try await scene.agentSays(Self.says, in: dialog)
                _ = try await scene.say("Where is my parcel?", in: dialog, on: socket)
                let findings = try await scene.server.journal("?kind=finding&limit=100")
                #expect(findings.isEmpty, "seed \(seed): \(findings)")
            }
        }
    }
}

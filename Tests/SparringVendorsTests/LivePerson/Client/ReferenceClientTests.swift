import SparringAdmin
import Support
import Testing

/// A good client breaks no rule, whatever happens. (The bad ones are in Tests/peers: `make hands HANDS=--habits` plays them.)
@Suite(.serialized) struct ReferenceClientTests {
    private static let folder = Repository.folder("fixtures/scenarios")

    @Test func `a good client breaks no rule, and does what each scenario expects`() async throws {
        try await Self.each(Play.all)
    }

    @Test func `what goes straight into the pipeline goes over sockets too`() async throws {
        let names: Set = [
            "answer-lost-after-a-message", "code-redeemed-answer-lost", "message-never-distributed", "token-expires-mid-conversation",
            "truncated-json", "upload-url-expires",
        ]
        let plays = Play.all.filter { names.contains($0.scenario) }
        #expect(plays.count == names.count)
        try await Self.each(plays.map { $0.on(.socket) })
    }

    /// Plays and judges four at a time, each in a sandbox of its own.
    private static func each(_ plays: [Play]) async throws {
        let wire = plays.filter { $0.speed == .socket }
        try await each(plays.filter { $0.speed == .pipeline }, on: .pipeline)
        try await each(wire.filter { $0.port == nil }, on: .socket)
        // Whose connection it was nobody can say that brought no request: those play alone.
        try await each(wire.filter { $0.port != nil }, on: .socket, atATime: 1)
    }

    private static func each(_ plays: [Play], on speed: TestServer.Speed, atATime most: Int = 4) async throws {
        guard !plays.isEmpty else { return }
        try await TestServer.run(speed, tls: plays.contains { $0.port != nil }, configure: { $0.scenarios = folder }) { server in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, play) in plays.enumerated() {
                    if index >= most { try await group.next() }
                    group.addTask { look(try await judged(play, on: server), at: play) }
                }
                try await group.waitForAll()
            }
        }
    }

    private static func look(_ judged: Judged, at play: Play) {
        #expect(judged.broken.isEmpty, "\(play.scenario) breaks\(judged.words(judged.broken))")
        let missing = judged.expected.subtracting(judged.passed)
        #expect(missing.isEmpty, "\(play.scenario) expects\(judged.words(missing))")
    }

    private static func judged(_ play: Play, on server: TestServer) async throws -> Judged {
        let stage = try await ClientStage(play.scenario, on: server, as: "\(play.scenario)-\(play.way)-good")
        try await play.run(ReferenceClient(stage, play.way, over: play.port))
        let judged = try await stage.judge()
        try await stage.delete()
        return judged
    }
}

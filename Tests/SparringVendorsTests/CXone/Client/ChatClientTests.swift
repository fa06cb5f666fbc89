import Foundation
import HTTPTypes
import SparringAdmin
import SparringJSON
import SparringLocks
import Support
import Testing

/// A good client of CXone's breaks no rule, whatever happens, in each mode and as each SDK. (`make hands` plays one by another hand.)
@Suite(.serialized) struct ChatClientTests {
    @Test func `a good client breaks no rule, and does what each scenario expects`() async throws {
        // A rule that is expected of one SDK or in one mode is passed there.
        let missing = Mutex<[String: Set<String>]>([:])
        try await Self.each { scenario, judged in
            missing.withLock { $0[scenario] = ($0[scenario] ?? judged.expected).subtracting(judged.passed) }
        }
        for (scenario, rules) in missing.withLock({ $0 }) { #expect(rules.isEmpty, "\(scenario) expects \(rules.sorted())") }
    }

    @Test func `every scenario of CXone's is played`() throws {
        let incidents = Set(Incident.chats.map(\.scenario))
        #expect(Set(ChatPlay.all.map(\.scenario)) == incidents)
    }

    /// Plays and judges four at a time, each in a sandbox of its own.
    private static func each(_ look: @escaping @Sendable (String, Judged) -> Void) async throws {
        let plays = ChatPlay.all.flatMap { play in
            ChatClient.Platform.allCases.flatMap { platform in play.modes.map { (play, platform, $0) } }
        }
        try await TestServer.run(.socket, configure: { $0.scenarios = Repository.folder("fixtures/scenarios") }) { server in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, (play, platform, mode)) in plays.enumerated() {
                    if number >= 4 { try await group.next() }
                    group.addTask { look(play.scenario, try await judged(play, platform, mode, number, on: server)) }
                }
                try await group.waitForAll()
            }
        }
    }

    private static func judged(
        _ play: ChatPlay, _ platform: ChatClient.Platform, _ mode: ChatScene.Mode, _ number: Int, on server: TestServer
    ) async throws -> Judged {
        let brand = String(5000 + number)
        let tenants: JSON = [
            "cxone": ["brandId": .string(brand), "channels": [["channelId": .string(mode.channel), "mode": .string(mode.rawValue)]]]
        ]
        let stage = try await ClientStage(play.scenario, on: server, as: "chat-\(number)", tenants: tenants)
        let client = ChatClient(stage, platform, mode, brand: brand, number: number)
        for step in play.steps { try await client.take(step) }
        let judged = try await stage.judge()
        let name = "\(play.scenario) as \(platform), \(mode)"
        #expect(judged.broken.isEmpty, "\(name) breaks\(judged.words(judged.broken))")
        #expect(await client.outbox.isEmpty, "\(name) could not say all")
        try await stage.delete()
        return judged
    }
}

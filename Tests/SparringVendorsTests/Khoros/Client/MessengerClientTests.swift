import Foundation
import HTTPTypes
import SparringAdmin
import SparringJSON
import SparringLocks
import Support
import Testing

/// A good client of Khoros' breaks no rule, whatever happens, as each SDK and in both ways of using another JWT. (`make hands` plays one by another hand.)
@Suite(.serialized) struct MessengerClientTests {
    @Test func `a good client breaks no rule, and does what each scenario expects`() async throws {
        // A rule that is expected of one SDK is passed there.
        let missing = Mutex<[String: Set<String>]>([:])
        try await Self.each { scenario, judged in
            missing.withLock { $0[scenario] = ($0[scenario] ?? judged.expected).subtracting(judged.passed) }
        }
        for (scenario, rules) in missing.withLock({ $0 }) { #expect(rules.isEmpty, "\(scenario) expects \(rules.sorted())") }
    }

    @Test func `every scenario of Khoros' is played`() throws {
        #expect(Set(MessengerPlay.all.map(\.scenario)) == Set(Incident.messenger.map(\.scenario)))
    }

    /// Plays and judges four at a time, each in a sandbox of its own.
    private static func each(_ look: @escaping @Sendable (String, Judged) -> Void) async throws {
        let plays = MessengerPlay.all.flatMap { play in
            MessengerClient.Platform.allCases.flatMap { platform in MessengerClient.Style.allCases.map { (play, platform, $0) } }
        }
        try await TestServer.run(.socket, configure: { $0.scenarios = Repository.folder("fixtures/scenarios") }) { server in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, (play, platform, style)) in plays.enumerated() {
                    if number >= 4 { try await group.next() }
                    group.addTask { look(play.scenario, try await judged(play, platform, style, number, on: server)) }
                }
                try await group.waitForAll()
            }
        }
    }

    private static func judged(
        _ play: MessengerPlay, _ platform: MessengerClient.Platform, _ style: MessengerClient.Style, _ number: Int, on server: TestServer
    ) async throws -> Judged {
        let app = "app\(number)"
        let integrations = MessengerClient.Platform.allCases.map { each -> JSON in
            ["id": .string("\(app)\(each.rawValue)"), "platform": .string(each.rawValue)]
        }
        let tenants: JSON = ["khoros": ["appId": .string(app), "integrations": .array(integrations)]]
        let stage = try await ClientStage(play.scenario, on: server, as: "messenger-\(number)", tenants: tenants)
        let client = MessengerClient(stage, platform, style, app: app)
        for step in play.steps { try await client.take(step) }
        let judged = try await stage.judge()
        #expect(judged.broken.isEmpty, "\(play.scenario) as \(platform), \(style) breaks\(judged.words(judged.broken))")
        try await stage.delete()
        return judged
    }
}

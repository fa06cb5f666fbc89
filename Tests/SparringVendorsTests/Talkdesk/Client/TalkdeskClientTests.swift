import Foundation
import SparringAdmin
import SparringJSON
import Support
import Testing

/// Good clients of Talkdesk's break no rule, whatever happens: the app in each form of its backend, and the backend in each way of proving itself.
@Suite(.serialized) struct TalkdeskClientTests {
    @Test func `a good app breaks no rule, and does what each scenario expects`() async throws {
        try await Self.judge(TalkdeskPlay.apps, as: AuthorizedApp.Form.allCases) { play, form, stage, scene in
            let app = AuthorizedApp(stage, form, account: scene.account)
            for step in play.steps { try await app.take(step) }
        }
    }

    @Test func `a good backend breaks no rule, and does what each scenario expects`() async throws {
        try await Self.judge(TalkdeskPlay.backends, as: TokenBackend.Proof.allCases) { play, proof, stage, scene in
            let backend = TokenBackend(stage, proof, scene)
            for step in play.steps {
                if case .wait(let seconds) = step { try await stage.pass(seconds) } else { try await backend.serve() }
            }
        }
    }

    @Test func `every scenario of Talkdesk's is played`() throws {
        #expect(Set((TalkdeskPlay.apps + TalkdeskPlay.backends).map(\.scenario)) == Set(Incident.talkdesk.map(\.scenario)))
    }

    /// Plays and judges four at a time, each in a sandbox of its own. A rule that is expected of one variant is passed there.
    private static func judge<Variant: Sendable>(
        _ plays: [TalkdeskPlay], as variants: [Variant],
        _ perform: @escaping @Sendable (TalkdeskPlay, Variant, ClientStage, TalkdeskScene) async throws -> Void
    ) async throws {
        let all = plays.flatMap { play in variants.map { (play, $0) } }
        var missing: [String: Set<String>] = [:]
        try await TestServer.run(.socket, configure: { $0.scenarios = Repository.folder("fixtures/scenarios") }) { server in
            try await withThrowingTaskGroup(of: (String, Judged).self) { group in
                func take() async throws {
                    guard let (scenario, judged) = try await group.next() else { return }
                    missing[scenario] = (missing[scenario] ?? judged.expected).subtracting(judged.passed)
                }
                for (number, (play, variant)) in all.enumerated() {
                    if number >= 4 { try await take() }
                    group.addTask { (play.scenario, try await judged(play, variant, number, on: server, perform)) }
                }
                while !group.isEmpty { try await take() }
            }
        }
        for (scenario, rules) in missing { #expect(rules.isEmpty, "\(scenario) expects \(rules.sorted())") }
    }

    private static func judged<Variant: Sendable>(
        _ play: TalkdeskPlay, _ variant: Variant, _ number: Int, on server: TestServer,
        _ perform: @Sendable (TalkdeskPlay, Variant, ClientStage, TalkdeskScene) async throws -> Void
    ) async throws -> Judged {
        let (account, client) = ("td\(number)", "client\(number)")
        let tenants: JSON = ["talkdesk": ["account": .string(account), "clients": TalkdeskScene.clients(["id": .string(client)])]]
        let stage = try await ClientStage(play.scenario, on: server, as: "talkdesk-\(number)", tenants: tenants)
        try await perform(play, variant, stage, TalkdeskScene(server: server, account: account, client: client, sandbox: stage.sandbox))
        let judged = try await stage.judge()
        #expect(judged.broken.isEmpty, "\(play.scenario) as \(variant) breaks\(judged.words(judged.broken))")
        try await stage.delete()
        return judged
    }
}

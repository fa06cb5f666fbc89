import Foundation
import HTTPTypes
import SparringAdmin
import SparringJSON
import SparringLocks
import Support
import Testing

/// A good app of a company's breaks no rule, whatever happens, on both systems and with both ways of giving out tokens; with a bad habit it breaks the rules of
/// the habit, and no others. The same goes for its push endpoint. (`make hands` plays clients by another hand.)
@Suite(.serialized) struct CompanyAppTests {
    @Test func `every scenario of ASAPP's is played`() throws {
        #expect(Set(CompanyPlay.all.map(\.scenario)) == Set(Incident.company.map(\.scenario)))
    }

    @Test func `a good client breaks no rule, and does what each scenario expects`() async throws {
        let plays = CompanyPlay.all.flatMap { play in
            CompanyApp.Platform.allCases.flatMap { platform in CompanyApp.Style.allCases.map { (play, platform, $0) } }
        }
        try await Self.each(plays) { number, play, server in
            let stage = try await Self.stage(play.0.scenario, number, server)
            let app = CompanyApp(stage, play.1, play.2, company: stage.sandbox)
            for step in play.0.steps { try await app.take(step) }
            let judged = try await stage.judge()
            #expect(judged.broken.isEmpty, "\(play.0.scenario) as \(play.1), \(play.2) breaks\(judged.words(judged.broken))")
            let missing = judged.expected.subtracting(judged.passed)
            #expect(missing.isEmpty, "\(play.0.scenario) as \(play.1), \(play.2) is not seen to do \(missing.sorted())")
            try await stage.delete()
        }
    }

    @Test func `each bad habit breaks its own rules, and no others`() async throws {
        try await Self.each(CompanyHabit.allCases) { number, habit, server in
            let play = try #require(CompanyPlay.all.first { $0.scenario == habit.row.scenario })
            let stage = try await Self.stage(play.scenario, number, server)
            let app = CompanyApp(stage, .ios, .whenRefused, company: stage.sandbox, habit: habit)
            for step in play.steps { try await app.take(step) }
            let judged = try await stage.judge()
            #expect(judged.objected == habit.row.objections, "\(habit):\(judged.words(judged.objected.union(habit.row.objections)))")
            try await stage.delete()
        }
    }

    /// Nil: the good one, under each fault of the others.
    @Test(arguments: CompanyEndpoint.Habit.allCases.map { Optional($0) } + [nil])
    func `a push endpoint on the network is judged too`(_ habit: CompanyEndpoint.Habit?) async throws {
        let faults = habit.map { [$0.row.fault] } ?? CompanyEndpoint.Habit.allCases.map(\.row.fault)
        for fault in faults {
            let endpoint = CompanyEndpoint(habit)
            try await ScriptedServer.run({ endpoint.answer($0) }) { hook in
                let push: JSON = [
                    "url": .string(hook.url("/push")), "timeout": habit == .answersNothing ? "200ms" : "20s", "waits": ["1s"],
                ]
                try await CompanyScene.run(["push": push]) { scene in
                    #expect(try await scene.person("ada").register("d").status == 204)
                    if let fault { try await scene.arm("asapp.receivePush " + fault) }
                    for text in ["one", "two"] {
                        try await scene.act("push", ["consumer": "ada", "text": .string(text)])
                        try await scene.advance("2s")
                        for push in endpoint.take() {
                            try await scene.server.admin(
                                .post, "journal/marks",
                                [
                                    "mark": "push-forwarded", "lane": "ada", "to": .string(push.device),
                                    "messageId": .string(push.messageId), "unreadMessages": .integer(Int64(push.unread)),
                                ])
                        }
                    }
                    let judged = Judged(try await scene.server.admin(.post, "verdicts", ["timeBasis": "sandbox"]))
                    #expect(judged.objected == habit?.row.objections ?? [], "\(judged.words(judged.objected))")
                    if habit == nil { #expect(judged.passed.isSuperset(of: ["accepts-what-was-agreed", "forwards-a-push-once"])) }
                }
            }
        }
    }

    /// Four at a time, each in a sandbox of its own.
    private static func each<Play: Sendable>(
        _ plays: [Play], _ look: @escaping @Sendable (Int, Play, TestServer) async throws -> Void
    ) async throws {
        try await TestServer.run(.socket, configure: { $0.scenarios = Repository.folder("fixtures/scenarios") }) { server in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, play) in plays.enumerated() {
                    if number >= 4 { try await group.next() }
                    group.addTask { try await look(number, play, server) }
                }
                try await group.waitForAll()
            }
        }
    }

    private static func stage(_ scenario: String, _ number: Int, _ server: TestServer) async throws -> ClientStage {
        let company = "company-\(number)"
        return try await ClientStage(scenario, on: server, as: company, tenants: ["asapp": ["appId": .string(company)]])
    }
}

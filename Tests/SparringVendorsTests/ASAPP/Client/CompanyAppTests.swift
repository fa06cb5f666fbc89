import Foundation
import HTTPTypes
import SparringAdmin
import SparringJSON
import SparringLocks
import Support
import Testing

/// A good app of a company's breaks no rule, whatever happens, on both systems and with both ways of giving out tokens. (`make hands` plays one by another hand.)
@Suite(.serialized) struct CompanyAppTests {
    @Test func `a good client breaks no rule, and does what each scenario expects`() async throws {
        let plays = CompanyPlay.all.flatMap { play in
            CompanyApp.Platform.allCases.flatMap { platform in CompanyApp.Style.allCases.map { (play, platform, $0) } }
        }
        try await TestServer.run(.socket, configure: { $0.scenarios = Repository.folder("fixtures/scenarios") }) { server in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, (play, platform, style)) in plays.enumerated() {
                    if number >= 4 { try await group.next() }
                    group.addTask {
                        let company = "company-\(number)"
                        let stage = try await ClientStage(
                            play.scenario, on: server, as: company, tenants: ["asapp": ["appId": .string(company)]])
                        let app = CompanyApp(stage, platform, style, company: company)
                        for step in play.steps { try await app.take(step) }
                        let judged = try await stage.judge()
                        #expect(judged.broken.isEmpty, "\(play.scenario) as \(platform), \(style) breaks\(judged.words(judged.broken))")
                        let missing = judged.expected.subtracting(judged.passed)
                        #expect(missing.isEmpty, "\(play.scenario) as \(platform), \(style) is not seen to do \(missing.sorted())")
                        try await stage.delete()
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func `every scenario of ASAPP's is played`() throws {
        #expect(Set(CompanyPlay.all.map(\.scenario)) == Set(Incident.company.map(\.scenario)))
    }
}

import SparringAdmin
import SparringEngine
import SparringJSON
import Support
import Testing

/// The rules by the machine's clock, of a client whose timers are real ones, cut to a tenth. `make test` runs this by itself, as delays of a tenth
/// of a second are judged.
@Suite(.serialized) struct RealTimeTests {
    /// A run that the machine kept waiting is played again: the rules tell of the client, and the machine is a part of it here.
    @Test func `with timers cut to a tenth the verdict is the same as without waiting`() async throws {
        let play = try #require(Play.all.first { $0.scenario == "unregister-fails-twice-at-sign-out" })
        try await TestServer.run(.socket, configure: { $0.scenarios = Repository.folder("fixtures/scenarios") }) { server in
            var told = ""
            for attempt in 1...10 {
                let stage = try await ClientStage(play.scenario, on: server, as: "wall-\(attempt)", scale: 0.1)
                try await play.run(ReferenceClient(stage, play.way))
                let judged = try await stage.judge(["timeBasis": "wall", "timeScale": 0.1, "settle": "30s"])
                let missing = judged.expected.subtracting(judged.passed)
                if judged.broken.isEmpty, missing.isEmpty { return }
                told = "breaks\(judged.words(judged.broken)), misses\(judged.words(missing))"
            }
            Issue.record("\(told)")
        }
    }
}

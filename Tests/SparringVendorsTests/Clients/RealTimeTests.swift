import SparringAdmin
import SparringEngine
import SparringJSON
import Support
import Testing

/// The rules by the machine's clock, of a client whose timers are real ones, cut to a tenth. `make test` runs this by itself, as delays of a tenth
/// of a second are judged.
@Suite(.serialized) struct RealTimeTests {
    /// A run that the machine kept waiting is played again: the rules tell of the client, and the machine is a part of it here.
    @Test(
        arguments: [
            (nil, []), (.retriesAtOnce, ["backs-off-1-2-4-8-16s"]), (.backsOffLinearly, ["backs-off-1-2-4-8-16s"]),
            (.forgetsToUnregister, ["unregisters-before-signing-out"]),
            (.countsBeforeItRegisters, ["counts-unread-after-the-registration"]),
        ] as [(Habit?, Set<String>)])
    func `with timers cut to a tenth the same is told as without waiting`(_ habit: Habit?, _ breaks: Set<String>) async throws {
        let name = habit == .backsOffLinearly ? "pusher-down-for-31s" : "unregister-fails-twice-at-sign-out"
        let play = try #require(Play.all.first { $0.scenario == name })
        try await TestServer.run(.socket, configure: { $0.scenarios = Repository.folder("fixtures/scenarios") }) { server in
            var told = ""
            for attempt in 1...10 {
                let stage = try await ClientStage(play.scenario, on: server, as: "wall-\(attempt)", scale: 0.1)
                try await play.run(ReferenceClient(stage, play.way, habit: habit))
                let judged = try await stage.judge(["timeBasis": "wall", "timeScale": 0.1, "settle": "30s"])
                let missing = habit == nil ? judged.expected.subtracting(judged.passed) : []
                if judged.broken == breaks, missing.isEmpty { return }
                told = "breaks\(judged.words(judged.broken)), misses\(judged.words(missing))"
            }
            Issue.record("\(habit?.rawValue ?? "good") \(told)")
        }
    }
}

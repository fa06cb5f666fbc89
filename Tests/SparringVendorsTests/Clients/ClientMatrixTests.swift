import Foundation
import HTTPTypes
import SparringAdmin
import SparringEngine
import SparringJSON
import SparringLocks
import Support
import Testing

/// The rules tell good clients from bad ones: a good one breaks none, whatever happens, and each bad habit breaks its own and no others.
///
/// The good client plays all scenarios. A bad habit plays those in which it shows, and one of ``Play/common``; with SPARRING_MATRIX in the
/// environment (`make matrix`) all of them, which takes minutes.
@Suite(.serialized) struct ClientMatrixTests {
    private static let folder = Repository.folder("fixtures/scenarios")
    private static let environment = ProcessInfo.processInfo.environment

    @Test func `a good client breaks no rule, and does what each scenario expects`() async throws {
        try await Self.each(Play.all.map { ($0, nil) }) { play, _, judged in
            let name = play.scenario
            #expect(judged.broken.isEmpty, "\(name) breaks\(judged.words(judged.broken))")
            let missing = judged.expected.subtracting(judged.passed)
            #expect(missing.isEmpty, "\(name) expects\(judged.words(missing))")
        }
    }

    @Test func `each bad habit breaks its own rules and no others`() async throws {
        let broken = Mutex<[Habit: Set<String>]>([:])
        let isWhole = Self.environment["SPARRING_MATRIX"] != nil
        let pairs = Habit.allCases.enumerated().flatMap { number, habit in
            let other = Play.common[number % Play.common.count]
            return Play.all.filter { isWhole || habit.shows.contains($0.scenario) || $0.scenario == other }.map { ($0, habit) }
        }
        try await Self.each(pairs) { play, habit, judged in
            guard let habit else { return }
            broken.withLock { $0[habit, default: []].formUnion(judged.objected) }
            let others = judged.objected.subtracting(habit.breaks)
            #expect(others.isEmpty, "\(play.scenario): who \(habit.rawValue) breaks, in addition\(judged.words(others))")
        }
        for habit in Habit.allCases {
            let missing = habit.breaks.subtracting(broken.withLock { $0[habit] ?? [] })
            #expect(missing.isEmpty, "who \(habit.rawValue) does not break \(missing.sorted().joined(separator: ", "))")
        }
        let rules = try await TestServer.run(.pipeline) { try await $0.send(.get, "/__admin/rules").json?["rules"]?.array ?? [] }
        let matrix = Matrix(
            broken: broken.withLock { $0 }, rules: rules.compactMap { $0["rule"]?.string }, brokenByOthers: try Self.brokenByOthers())
        #expect(matrix.unbroken.isEmpty, "no habit breaks \(matrix.unbroken.joined(separator: ", "))")
        if Self.environment["SPARRING_RECORD"] != nil { try matrix.record() }
        #expect(try Matrix.recorded == matrix.text, "the page Verdicts says otherwise; SPARRING_RECORD=1 records it anew")
    }

    /// `make hands HANDS=--habits` plays them.
    private static func brokenByOthers() throws -> Set<String> {
        let file = try Data(contentsOf: URL(filePath: Repository.folder("Tests/peers/habits.json")))
        let rows = try JSON(parsing: Array(file))["rows"]?.array ?? []
        let lists = rows.flatMap { [$0["breaks"], $0["advice"]] }
        let company = CompanyHabit.allCases.map(\.row.objections) + CompanyEndpoint.Habit.allCases.map(\.row.objections)
        return Set(lists.flatMap { $0?.array ?? [] }.compactMap(\.string)).union(company.joined())
    }

    @Test func `what goes straight into the pipeline goes over sockets too`() async throws {
        let names: Set = [
            "answer-lost-after-a-message", "code-redeemed-answer-lost", "message-never-distributed", "token-expires-mid-conversation",
            "truncated-json", "upload-url-expires",
        ]
        let plays = Play.all.filter { names.contains($0.scenario) }
        #expect(plays.count == names.count)
        try await Self.each(plays.map { ($0.on(.socket), nil) }) { play, _, judged in
            #expect(judged.broken.isEmpty, "\(play.scenario) breaks\(judged.words(judged.broken))")
            let missing = judged.expected.subtracting(judged.passed)
            #expect(missing.isEmpty, "\(play.scenario) expects\(judged.words(missing))")
        }
    }

    /// Plays and judges four at a time, each pair in a sandbox of its own.
    private static func each(_ pairs: [(Play, Habit?)], _ look: @escaping @Sendable (Play, Habit?, Judged) -> Void) async throws {
        let wire = pairs.filter { $0.0.speed == .socket }
        try await each(pairs.filter { $0.0.speed == .pipeline }, on: .pipeline, look)
        try await each(wire.filter { $0.0.port == nil }, on: .socket, look)
        // Whose connection it was nobody can say that brought no request: those play alone.
        try await each(wire.filter { $0.0.port != nil }, on: .socket, atATime: 1, look)
    }

    private static func each(
        _ pairs: [(Play, Habit?)], on speed: TestServer.Speed, atATime most: Int = 4,
        _ look: @escaping @Sendable (Play, Habit?, Judged) -> Void
    ) async throws {
        guard !pairs.isEmpty else { return }
        try await TestServer.run(speed, tls: pairs.contains { $0.0.port != nil }, configure: { $0.scenarios = folder }) { server in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, (play, habit)) in pairs.enumerated() {
                    if index >= most { try await group.next() }
                    group.addTask { look(play, habit, try await judged(play, habit, on: server)) }
                }
                try await group.waitForAll()
            }
        }
    }

    private static func judged(_ play: Play, _ habit: Habit?, on server: TestServer) async throws -> Judged {
        let number = habit.flatMap { Habit.allCases.firstIndex(of: $0) }.map { "\($0 + 1)" } ?? "good"
        let stage = try await ClientStage(play.scenario, on: server, as: "\(play.scenario)-\(play.way)-\(number)")
        try await play.run(ReferenceClient(stage, play.way, over: play.port, habit: habit))
        let judged = try await stage.judge()
        try await stage.delete()
        return judged
    }
}

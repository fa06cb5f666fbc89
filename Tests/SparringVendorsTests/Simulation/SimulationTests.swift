import Foundation
import Testing

/// Stories that nobody wrote, in worlds of their own: what is promised holds after each step.
@Suite struct SimulationTests {
    /// `make simulate` asks for more of them, from another one on.
    private static let seeds: ClosedRange<Int64> = {
        let first = number("SPARRING_SEED") ?? 1
        return first...(first + (number("SPARRING_SEEDS") ?? 200) - 1)
    }()

    private static func number(_ name: String) -> Int64? { ProcessInfo.processInfo.environment[name].flatMap { Int64($0) } }

    /// The number of stories that are played at once.
    private static let hands = 4

    private static func dealt(_ hand: Int, every: Int64 = 1) -> [Int64] {
        seeds.filter { $0.isMultiple(of: every) && Int($0 / every) % hands == hand }
    }

    /// The failure of a story; nil where there is none.
    private static func failure(_ story: Story) async -> String? {
        do {
            _ = try await Simulation.play(story)
            return nil
        } catch { return "\(error)" }
    }

    @Test(arguments: try Story.kept().map(\.name))
    func `what was hard once holds`(_ name: String) async throws {
        let story = try #require(try Story.kept().first { $0.name == name }?.1)
        _ = try await Simulation.play(story)
        let one = try await Simulation.play(story.replayable)
        let other = try await Simulation.play(story.replayable)
        #expect(one == other, "\(one.difference(from: other))")
    }

    @Test(arguments: 0..<hands)
    func `a story of any seed holds`(_ hand: Int) async throws {
        for seed in Self.dealt(hand) {
            let story = Story(drawn: seed)
            guard let failure = await Self.failure(story) else { continue }
            let shrunk = await story.shrunk { await Self.failure($0) }
            try Self.keep(shrunk, failure)
            Issue.record("seed \(seed): \(failure)\nas small as it gets (\(await Self.failure(shrunk) ?? "it passed now")):\n\(shrunk)")
        }
    }

    /// With `SPARRING_KEEP=1` (`make simulate`) what failed is played first from then on.
    private static func keep(_ story: Story, _ failure: String) throws {
        guard number("SPARRING_KEEP") == 1 else { return }
        try FileManager.default.createDirectory(atPath: Story.folder, withIntermediateDirectories: true)
        let reason = failure.split(separator: "\n").first.map { "# \($0.prefix(300))\n" } ?? ""
        try (reason + story.description).write(toFile: "\(Story.folder)/\(story.seed).story", atomically: true, encoding: .utf8)
    }

    /// All that a story says is done one after another, so that the journal is the same to the byte, but for what the machine's clock says.
    @Test(arguments: 0..<hands)
    func `the same seed is the same story`(_ hand: Int) async throws {
        for seed in Self.dealt(hand, every: 8) {
            let story = Story(drawn: seed).replayable
            // Where it fails, the other test says so.
            guard let one = try? await Simulation.play(story), let other = try? await Simulation.play(story), one != other else { continue }
            Issue.record("seed \(seed): \(one.difference(from: other))\n\(story)")
        }
    }

    @Test(arguments: 0..<hands)
    func `each lane gets the same, alone and among sixty-three others`(_ hand: Int) async throws {
        for seed in Self.dealt(hand, every: 100) {
            let crowd = Crowd(drawn: seed)
            let oneByOne = try await crowd.play(.oneByOne)
            let atOnce = try await crowd.play(.atOnce)
            #expect(oneByOne.count == Crowd.size && atOnce.count == Crowd.size)
            // Entries are JSON.
            #expect(oneByOne.values.allSatisfy { $0.contains { $0.hasPrefix("{") } })
            for (lane, expected) in oneByOne where atOnce[lane] != expected {
                Issue.record("seed \(seed), \(lane): \(Self.difference(expected, atOnce[lane] ?? [])), with \(crowd.faults)")
            }
            for index in [Int(seed) % Crowd.size, Int(seed / 7) % Crowd.size] {
                let app = crowd.deeds[index].app
                let alone = try await crowd.play(.alone(app))[app.lane] ?? []
                let expected = oneByOne[app.lane] ?? []
                guard alone != expected else { continue }
                Issue.record("seed \(seed), \(app.lane), alone: \(Self.difference(expected, alone)), with \(crowd.faults)")
            }
        }
    }

    static func difference(_ one: [String], _ other: [String]) -> String {
        guard
            let index = (0..<max(one.count, other.count)).first(where: { index in
                !one.indices.contains(index) || !other.indices.contains(index) || one[index] != other[index]
            })
        else { return "none" }
        return "line \(index): \(one.indices.contains(index) ? one[index] : "-") | \(other.indices.contains(index) ? other[index] : "-")"
    }
}

extension Simulation.Record {
    func difference(from other: Self) -> String {
        if outcomes != other.outcomes { return SimulationTests.difference(outcomes, other.outcomes) }
        for (name, journal) in journals where journal != other.journals[name] {
            return "\(name): \(SimulationTests.difference(journal, other.journals[name] ?? []))"
        }
        return "none"
    }
}

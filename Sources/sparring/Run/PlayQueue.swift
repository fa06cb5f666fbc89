import SparringSandbox
import SparringVerdict

/// The plays of a run, and those who play them: each has a server of its own, so that each play finds the same ids.
struct PlayQueue: Sendable {
    let place: RunServer.Place
    let settings: PlayRunner.Settings
    let again: RunAgain
    /// How many plays run at once.
    let jobs: Int

    /// - Parameters:
    ///   - scenarios: as the command line names them.
    ///   - willBegin: called when all is known to be playable.
    /// - Returns: in the order in which they were named; and why the database that is kept may lack something.
    func play(_ scenarios: [String], willBegin: () throws -> Void) async throws -> ([SuiteReport.Play], StoreEnded?) {
        let first = try await RunServer(place)
        return try await ending(first) {
            let plans = try PlayPlan.all(scenarios, known: try await first.scenarios(), of: first.vendors)
            let left = Plans(plans)
            try willBegin()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await work(left, on: first) }
                for _ in 1..<max(1, min(jobs, plans.count)) {
                    group.addTask {
                        let server = try await RunServer(place)
                        _ = try await ending(server) { try await work(left, on: server) }
                    }
                }
                try await group.waitForAll()
            }
            return await left.done
        }
    }

    /// Stops the server, whatever comes.
    private func ending<Value: Sendable>(
        _ server: RunServer, _ body: () async throws -> Value
    ) async throws -> (Value, StoreEnded?) {
        let value: Value
        do { value = try await body() } catch {
            try? await server.stop()
            throw error
        }
        // What was judged has been judged.
        do { try await server.stop() } catch let ended as StoreEnded { return (value, ended) }
        return (value, nil)
    }

    private func work(_ plans: Plans, on server: RunServer) async throws {
        let runner = PlayRunner(server: server, settings: settings)
        while let (index, plan) = await plans.next() {
            let title = plans.count > 1 ? "play \(index + 1) of \(plans.count): \(plan.scenario ?? "no scenario")" : nil
            if let title, !settings.isQuiet { Terminal.complain("sparring: " + title) }
            let (play, ending) = try await runner.play(plan) { seed in again.words(scenario: plan.word, seed: seed) }
            await plans.finish(index, play)
            if ending == .interrupted { await plans.stop() }
            if settings.isQuiet { Self.tell(play, title ?? "") }
        }
    }

    /// Prints the result of a play that ran beside others.
    private static func tell(_ play: SuiteReport.Play, _ title: String) {
        Terminal.complain("sparring: \(title)\(play.failure.map { ", \($0)" } ?? "")")
        if !play.output.isEmpty { Terminal.complain(play.output.hasSuffix("\n") ? String(play.output.dropLast()) : play.output) }
    }

    /// The plays that are still to come, and those that have ended.
    private actor Plans {
        private let plans: [PlayPlan]
        private var begun = 0
        private var plays: [Int: SuiteReport.Play] = [:]

        init(_ plans: [PlayPlan]) { self.plans = plans }

        nonisolated var count: Int { plans.count }
        var done: [SuiteReport.Play] { plans.indices.compactMap { plays[$0] } }

        func next() -> (Int, PlayPlan)? {
            guard begun < plans.count else { return nil }
            begun += 1
            return (begun - 1, plans[begun - 1])
        }

        /// Drops the plays that have not begun.
        func stop() { begun = plans.count }

        func finish(_ index: Int, _ play: SuiteReport.Play) { plays[index] = play }
    }
}

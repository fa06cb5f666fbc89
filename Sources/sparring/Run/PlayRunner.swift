import Foundation
import SparringAdmin
import SparringJSON
import SparringJournal
import SparringVerdict

/// Plays scenarios on one server, one after another: makes a sandbox, runs the client's command, judges every sandbox that was used.
struct PlayRunner {
    /// The settings of all plays.
    struct Settings: Sendable {
        var command: [String]
        /// Members of the request that makes the sandbox, but for the scenario.
        var sandbox: JSON
        /// How it is judged, as the admin API takes it.
        var judging: JSON
        var settle: String?
        /// The CA is put into the variables by which clients learn whom to trust.
        var trusts = true
        var adminToken: String?
        /// The sandboxes stay.
        var keeps = false
        /// The command is ended after so much time; nil: it may run for ever.
        var limit: Duration?
        /// Called with the sandboxes that were used once they have been judged.
        var willForget: (@Sendable ([String], RunServer) async -> Void)?
        /// The command's output is kept until it has ended: several are run at once.
        var isQuiet = false
    }

    let server: RunServer
    let settings: Settings

    /// The client's last action, such as hanging up, may still be on its way to the journal.
    private static let lateness = Duration.seconds(1)

    /// - Parameters:
    ///   - plan: what to play.
    ///   - again: the command line that does the same again.
    /// - Returns: the play, and whether the command was left to end.
    func play(_ plan: PlayPlan, again: (_ seed: Int64) -> String?) async throws -> (SuiteReport.Play, RunningClient.Ending) {
        var form = settings.sandbox
        if let scenario = plan.form { form["scenario"] = scenario }
        let made: JSON
        do { made = try await server.client.call(.createSandbox, body: form).json } catch let failure as CommandFailure {
            throw plan.file.flatMap { failure.located(in: $0) } ?? failure
        }
        let owner = try await server.owner(of: made)
        return try await PlayRunner(server: owner, settings: settings).play(plan, in: made, again: again)
    }

    /// - Parameter made: the sandbox, as the admin API shows it.
    private func play(
        _ plan: PlayPlan, in made: JSON, again: (_ seed: Int64) -> String?
    ) async throws -> (SuiteReport.Play, RunningClient.Ending) {
        let environment = try await RunEnvironment(server, made, trusts: settings.trusts, adminToken: settings.adminToken)
        defer { environment.remove() }
        let own = environment.sandbox
        // A mistake in the judging options is reported before the client's tests run, not after.
        let seed = made["seed"]?.integer ?? 0
        do { _ = try await server.judge(own, settings.judging) } catch let refusal as CommandFailure {
            throw JudgingOptions.failure(refusal)
        }
        if !settings.isQuiet { Terminal.complain("sparring: sandbox \(own) at \(server.client.baseURL), seed \(seed)") }

        let before = Set(try await server.sandboxes())
        let strayed = try await server.lastUnplaced()
        try await server.remembers(settings.judging)
        let began = Timestamp.now
        let ended = try await RunningClient.run(
            settings.command, environment: environment.variables,
            output: settings.isQuiet ? .kept : Terminal.isInteractive ? .inherited : .followed, limit: settings.limit)
        let forgotten = try await server.remembered()
        let used = [own] + (try await server.sandboxes()).filter { !before.contains($0) }
        let reports = try await judge(used)

        var play = SuiteReport.Play(
            scenario: plan.scenario, status: ended.status, began: began, ended: .now, reports: worthTelling(forgotten, reports, plan))
        var redaction = Redaction()
        redaction.gather(settings: made)
        if let token = settings.adminToken { redaction.gather(settings: ["adminToken": .string(token)]) }
        play.output = redaction.output(ended.output)
        play.again = again(seed)
        let strays = Strays(try await server.unplaced(since: strayed), by: reports.first?.contract ?? ContractFindings())
        play.notes = notes(strays, forgotten + reports, environment)
        play.strays = strays.calls
        if ended.ending == .cutShort { play.killedAfter = settings.limit?.words }
        if let note = try await haste(of: plan, since: made, reports) { play.notes.append(note) }
        // A remark that cannot be made must not cost the report.
        play.notes += (try? await idleFaults(of: plan, in: own, reports)) ?? []
        if plan.scenario != nil { play.notes += (try? await RefusedSteps.notes(of: own, on: server.client)) ?? [] }
        await settings.willForget?(used, server)
        if !settings.keeps {
            for sandbox in server.isOwn ? used : [own] {
                try await CommandFailure.toleratingOwnFailures { try await server.client.call(.deleteSandbox, in: sandbox) }
            }
        }
        return (play, ended.ending)
    }

    private func judge(_ sandboxes: [String]) async throws -> [VerdictReport] {
        for sandbox in sandboxes {
            // Where it cannot be written, the verdict says so.
            try await CommandFailure.toleratingOwnFailures {
                try await server.client.call(.mark, in: sandbox, body: ["mark": .string(Behaviours.processEnded)])
            }
        }
        var reports: [VerdictReport] = []
        let deadline = ContinuousClock.now + Self.lateness
        for sandbox in sandboxes {
            var report = try await server.judge(sandbox, settings.judging, settle: settings.settle)
            while report.isUnclear, report.ownFailures.isEmpty, ContinuousClock.now < deadline {
                try await Task.sleep(for: .milliseconds(50))
                let again = try await server.judge(sandbox, settings.judging)
                // What has settled stays so.
                if !again.isUnclear { report = again }
            }
            reports.append(report)
        }
        return reports
    }

    /// Says why a play did not show what its scenario is about: the test did not do its part, or the command ended before all had happened.
    private func haste(of plan: PlayPlan, since made: JSON, _ reports: [VerdictReport]) async throws -> String? {
        guard let name = plan.scenario, let own = made["id"]?.string, reports.contains(where: { $0.result != .pass && $0.result != .fail }),
            let json = plan.form?.object == nil ? try? await server.client.call(.readScenario, ["scenario": name]).json : plan.form,
            let scenario = try? Scenario(json)
        else { return nil }
        if !scenario.needs.isEmpty {
            return "scenario '\(name)' needs \(scenario.needs.map(\.words).joined(separator: ", and "))"
        }
        if let absent = await absentees(scenario.consumers, own) {
            return "scenario '\(name)' needs \(absent): sign in under that name, or play a copy of it that names yours"
        }
        guard let lasts = scenario.lasts,
            let began = made["clock"]?["now"]?.string.flatMap({ Timestamp($0) }),
            let now = try? await server.client.call(.readClock, in: own).json["now"]?.string.flatMap({ Timestamp($0) }), now - began < lasts
        else { return nil }
        let rate = Self.rate(that: lasts, fitsInto: now - began, at: made["clock"]?["rate"]?.double ?? 1)
        return "scenario '\(name)' takes \(lasts.words) of the sandbox's clock, and the command ended after \((now - began).words) of it: "
            + Self.wayOut(rate: rate, scale: settings.judging["timeScale"]?.double ?? 1)
    }

    /// In words: the consumers whom a scenario names, and who have not signed in to a sandbox; nil: there is none.
    private func absentees(_ named: [String], _ sandbox: String) async -> String? {
        guard !named.isEmpty, let listed = try? await server.client.call(.listConsumers, in: sandbox).json["consumers"]?.array else {
            return nil
        }
        let present = Set(listed.flatMap { [$0["consumer"]?.string, $0["id"]?.string].compactMap(\.self) })
        let absent = named.filter { !present.contains($0) }.map { "'\($0)'" }
        if absent.isEmpty { return nil }
        return "a consumer called " + absent.joined(separator: ", and one called ")
    }

    /// The ways to let all of a scenario happen. A clock that runs faster also leaves a client less time for the sandbox's limits: it is the last resort where
    /// the client's timers were shortened to fit that clock.
    ///
    /// - Parameters:
    ///   - rate: the one that would do; nil: none does.
    ///   - scale: of the client's timers.
    static func wayOut(rate: Int?, scale: Double) -> String {
        guard scale != 1 else {
            return "let the client live longer, \(rate.map { "advance the clock, or give --rate \($0)" } ?? "or advance the clock")"
        }
        let way = "let the client run longer (a longer wait in it, or a command that ends later), or advance the clock"
        guard let rate else { return way }
        return way + "; --rate \(rate) would do too, and leaves the client less time for the sandbox's limits than --time-scale allows for"
    }

    /// The rate of the sandbox's clock at which `lasts` goes by, with a quarter to spare, while the command lived for `lived`; nil: at no sensible one.
    static func rate(that lasts: Duration, fitsInto lived: Duration, at rate: Double) -> Int? {
        guard rate > 0, lived > .zero else { return nil }
        let wanted = (rate * Double(lasts.milliseconds) / Double(lived.milliseconds) * 1.25).rounded(.up)
        return wanted <= 200 ? Int(wanted) : nil
    }

    /// Faults that did nothing: those of the command line, which somebody believes to be tried, and those of a scenario of which nothing came.
    private func idleFaults(of plan: PlayPlan, in own: String, _ reports: [VerdictReport]) async throws -> [String] {
        let isWanting = plan.scenario != nil && reports.contains { $0.result != .pass && $0.result != .fail }
        guard isWanting || settings.sandbox["faults"] != nil, reports.contains(where: { $0.sandbox == own && $0.calls > 0 }) else {
            return []
        }
        return try await IdleFaults(of: own, on: server.client).notes
    }

    /// Tests that make sandboxes of their own, of the scenario if one is played, may leave the one alone that was made for them.
    private func worthTelling(_ forgotten: [VerdictReport], _ reports: [VerdictReport], _ plan: PlayPlan) -> [VerdictReport] {
        // One that was reset at the end of a test has nothing to tell since.
        let others =
            forgotten + reports.dropFirst().filter { report in report.calls > 0 || !forgotten.contains { $0.sandbox == report.sandbox } }
        guard let own = reports.first, own.calls == 0,
            others.contains(where: { plan.scenario == nil || $0.scenario == plan.scenario && $0.calls > 0 })
        else { return Array(reports.prefix(1)) + others }
        return others
    }

    /// Options that the tests of a play may have been believed to meet.
    private func unreached(_ own: String, _ reports: [VerdictReport]) -> [String] {
        let options = [("faults", "--fault"), ("clock", "--clock and --rate"), ("tenants", "--tenant"), ("vary", "--vary")].filter {
            name, _ in
            let value = settings.sandbox[name]
            return value != nil && value?.object?.isEmpty != true
        }
        guard !options.isEmpty, reports.contains(where: { $0.calls > 0 }), !reports.contains(where: { $0.sandbox == own && $0.calls > 0 })
        else { return [] }
        let names = options.map(\.1).joined(separator: ", ")
        return [
            "\(names): only for the sandbox that `run` made, which no request reached; tests that make sandboxes of their own must ask for it there"
        ]
    }

    /// Calls that matched nothing; and that nothing came.
    private func notes(_ strays: Strays, _ reports: [VerdictReport], _ environment: RunEnvironment) -> [String] {
        var notes: [String] = []
        if reports.allSatisfy({ $0.calls == 0 }) {
            let places = ["SPARRING_URL (here \(server.client.baseURL))", server.tlsURL.map { "SPARRING_TLS_URL (here \($0))" }].compactMap
            { $0 }
            notes.append(
                strays.isEmpty
                    ? "no request reached Sparring: the client must take Sparring's address from \(places.joined(separator: " or "))"
                    : "no request reached a sandbox")
            if let variable = Proxies.variable {
                notes.append("\(variable) names a proxy; NO_PROXY has Sparring's addresses, which not every HTTP library reads")
            }
        }
        notes += unreached(environment.sandbox, reports)
        notes += strays.notes
        if !strays.connections.isEmpty, server.tlsURL != nil {
            notes.append(
                settings.trusts
                    ? "the CA's certificate is in the file that SPARRING_CA_FILE names"
                    : "with --no-trust, the client itself must trust the CA in the file that SPARRING_CA_FILE names")
        }
        return notes
    }
}

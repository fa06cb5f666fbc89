import SparringAdmin
import SparringJSON
import SparringJournal
import SparringSandbox
import SparringVariation
import SparringVerdict

/// Judges a client by what is varied: runs its command plainly, then with each family alone, and shrinks what it breaks on to one change.
struct VaryJudge {
    let server: RunServer
    let settings: PlayRunner.Settings
    let plan: PlayPlan
    let variation: VariationPlan
    let budget: VaryBudget
    let again: RunAgain

    /// The sandboxes of all runs have one name, so that credentials, which depend on it, are the same.
    static let sandbox = "varied"
    /// A command that takes so much longer than without variation will not end.
    private static let patience = (least: Duration.seconds(20), times: 4)

    /// A signal asked this process to end.
    struct Interrupted: Error {}

    /// - Parameter known: what the client has broken on before, which is kept up to date.
    /// - Returns: the plain run, and what came out.
    func judge(_ known: inout KnownVariations) async throws -> (SuiteReport.Play, VariationReport) {
        var report = VariationReport(scenario: plan.scenario, seed: variation.seed)
        let plain = try await plainRun(&report)
        if report.obstacle == nil {
            do {
                try await replay(&known, &report, plain)
                try await judgeFamilies(&known, &report, plain)
            } catch is Interrupted {
                report.shortfall = "it was interrupted: not everything was tried"
            }
        }
        report.runs = budget.used
        return (plain.play, report)
    }

    // MARK: Without variation

    /// A client that fails by itself cannot be judged by what is varied; one that fails now and then is given two more chances.
    private func plainRun(_ report: inout VariationReport) async throws -> Trial {
        let first = try await run(nil, limit: nil, isQuiet: false)
        if first.isGood {
            // Nothing that is varied reaches a client that does not call.
            if first.play.reports.allSatisfy({ $0.calls == 0 }) { report.obstacle = "the run without variation made no call" }
            return first
        }
        Terminal.complain("sparring: the run without variation failed; running it twice more")
        let others = [try await run(nil, limit: nil), try await run(nil, limit: nil)]
        if let good = others.last, others.allSatisfy(\.isGood) { return good }
        report.obstacle = "the run without variation fails" + (first.play.failure.map { ": \($0)" } ?? "")
        return first
    }

    // MARK: What was found before

    private func replay(_ known: inout KnownVariations, _ report: inout VariationReport, _ plain: Trial) async throws {
        for failure in known.failures where failure.scenario == plan.scenario {
            guard budget.end == nil else { return }
            let ids = try failure.only.map { try VariationID($0) }
            guard let family = ids.first?.family else { continue }
            let plan = VariationPlan(seed: failure.seed, families: Set(ids.map(\.family)), only: ids)
            let trial = try await run(plan, limit: Self.limit(after: plain))
            let signs = trial.signs(against: plain)
            tell(family, "found before", trial, signs)
            if signs.isEmpty || trial.seen.changes.isEmpty {
                known.failures.removeAll { $0 == failure }
            } else {
                var finding = finding(family, ids, trial, signs, seed: failure.seed)
                finding.isKnown = true
                report.findings.append(finding)
            }
        }
    }

    // MARK: Families

    /// The progress of a family so far.
    private struct Course {
        let family: VariationFamily
        var row: VariationReport.Family
        /// The ways in which places were changed.
        var ways: Set<Int> = []
        var turns = 0
        var isOver = false

        init(_ family: VariationFamily) {
            self.family = family
            row = VariationReport.Family(id: family.id, title: family.title, outcome: .notRun)
        }
    }

    /// Each family once; then again those of which few places were changed, until each of the ways has been met that there are.
    private func judgeFamilies(_ known: inout KnownVariations, _ report: inout VariationReport, _ plain: Trial) async throws {
        var courses = variation.families.sorted().map(Course.init)
        defer {
            for (index, course) in courses.enumerated() where report.findings.contains(where: { $0.family == course.family.id }) {
                courses[index].row.outcome = .fail
            }
            report.families = courses.map(\.row)
        }
        while courses.contains(where: { !$0.isOver }) {
            for index in courses.indices where !courses[index].isOver {
                if let end = budget.end {
                    if courses.contains(where: { $0.turns == 0 }) { report.shortfall = end }
                    return
                }
                guard let (trial, signs) = try await advance(&courses[index], report, plain) else { continue }
                guard let finding = try await shrunk(courses[index].family, trial, signs, plain) else {
                    courses[index].row.outcome = .pass
                    report.shortfall =
                        "\(courses[index].family.id) failed once and not again: the client wavers (\(signs.joined(separator: "; ")))"
                    continue
                }
                report.findings.append(finding)
                known.failures.append(
                    KnownVariations.Failure(
                        scenario: plan.scenario, seed: variation.seed, only: finding.changes.map(\.id), words: finding.sentence))
            }
        }
    }

    private static let fewChanges = 20

    /// Runs with a family alone.
    ///
    /// - Returns: the run and its signs, if it failed.
    private func advance(
        _ course: inout Course, _ report: VariationReport, _ plain: Trial
    ) async throws -> (Trial, [String])? {
        var alone = variation
        (alone.families, alone.turn) = ([course.family], course.turns)
        // What has been found is not looked for again.
        alone.without += try report.findings.flatMap(\.changes).map { try VariationID($0.id).drawn }
        let trial = try await run(alone, limit: Self.limit(after: plain))
        course.turns += 1
        let changes = trial.seen.changes
        let signs = changes.isEmpty ? [] : trial.signs(against: plain)
        tell(course.family, changes.count == 1 ? "1 change" : "\(changes.count) changes", trial, signs)
        course.row.changes = max(course.row.changes, changes.count)
        course.row.operations = Set(course.row.operations + changes.map(\.operation)).sorted()
        course.row.outcome = course.row.changes == 0 ? .notMet : signs.isEmpty ? .pass : .fail
        let before = course.ways.count
        course.ways.formUnion(try changes.compactMap { try VariationID($0.id).choice })
        let hasMoreWays = course.ways.count > before && course.ways.count < course.family.ways
        // The second turn varies the places that the first has left alone.
        let hasMorePlaces = course.turns == 1 && changes.count < Self.fewChanges
        course.isOver = !signs.isEmpty || changes.isEmpty || !hasMoreWays && !hasMorePlaces
        return signs.isEmpty ? nil : (trial, signs)
    }

    /// Leaves out what does not matter, then looks for the simplest change that still does.
    ///
    /// - Returns: nil where it does not fail again: it was chance.
    private func shrunk(
        _ family: VariationFamily, _ failed: Trial, _ signs: [String], _ plain: Trial
    ) async throws -> VariationReport.Finding? {
        var best = (trial: failed, signs: signs)
        func fails(_ ids: [VariationID]) async throws -> Bool? {
            if budget.end != nil { return nil }
            let plan = VariationPlan(seed: variation.seed, families: [family], only: ids)
            let trial = try await run(plan, limit: Self.limit(after: plain))
            let signs = trial.signs(against: plain)
            tell(family, ids.count == 1 ? "\(ids[0])" : "\(ids.count) of its changes", trial, signs)
            if signs.isEmpty { return false }
            best = (trial, signs)
            return true
        }
        let all = try failed.seen.changes.map { try VariationID($0.id) }
        var (ids, isMinimal) = try await DeltaDebugging(fails: fails).minimized(all)
        if isMinimal, ids.count == 1, let choice = ids[0].choice {
            for simpler in 0..<choice {
                var id = ids[0]
                id.choice = simpler
                guard let fails = try await fails([id]) else { break }
                if fails {
                    ids = [id]
                    break
                }
            }
        }
        if try await fails(ids) == false { return nil }
        var finding = finding(family, ids, best.trial, best.signs, seed: variation.seed)
        finding.isShrunk = isMinimal
        return finding
    }

    private func finding(
        _ family: VariationFamily, _ ids: [VariationID], _ trial: Trial, _ signs: [String], seed: Int64
    ) -> VariationReport.Finding {
        let wanted = Set(ids.map(\.drawn.description))
        let changes = trial.seen.changes.filter { change in
            (try? VariationID(change.id)).map { wanted.contains($0.drawn.description) } ?? false
        }
        var finding = VariationReport.Finding(
            family: family.id, title: family.title, advice: family.advice, changes: changes, signs: signs)
        if changes.count <= 10 { finding.again = again.words(scenario: plan.word, vary: seed, only: changes.map(\.id)) }
        return finding
    }

    // MARK: Runs

    private static func limit(after plain: Trial) -> Duration {
        max(patience.least, (plain.play.ended - plain.play.began) * patience.times)
    }

    /// - Parameters:
    ///   - variation: nil: nothing is varied.
    ///   - limit: for the command; nil: none.
    private func run(_ variation: VariationPlan?, limit: Duration?, isQuiet: Bool = true) async throws -> Trial {
        budget.count()
        var settings = settings
        settings.sandbox["name"] = .string(Self.sandbox)
        settings.sandbox["vary"] = variation?.json
        try server.vary(variation?.json)
        settings.limit = limit
        settings.isQuiet = isQuiet || settings.isQuiet
        let seen = Looked()
        settings.willForget = { sandboxes, server in await seen.look(at: sandboxes, server) }
        let (play, end) = try await PlayRunner(server: server, settings: settings).play(plan) { _ in nil }
        if end == .interrupted { throw Interrupted() }
        return Trial(play: play, seen: try await seen.result(), isCutShort: end == .cutShort)
    }

    private func tell(_ family: VariationFamily, _ what: String, _ trial: Trial, _ signs: [String]) {
        let outcome = trial.seen.changes.isEmpty ? "not met" : signs.isEmpty ? "pass" : "FAIL"
        Terminal.complain("sparring: run \(budget.used), \(family.id) \(family.title), \(Terminal.printable(what)): \(outcome)")
    }
}

/// The look at a run's sandboxes before they are deleted.
private actor Looked {
    private var seen = Trial.Seen()
    private var failure: (any Error)?

    func look(at sandboxes: [String], _ server: RunServer) async {
        do { seen = try await Trial.Seen(sandboxes, at: server) } catch { failure = error }
    }

    func result() throws -> Trial.Seen {
        if let failure { throw failure }
        return seen
    }
}

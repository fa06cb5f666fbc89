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
        if first.isGood { return first }
        Terminal.complain("sparring: the run without variation did not go well; it is run twice more")
        let others = [try await run(nil, limit: nil), try await run(nil, limit: nil)]
        if let good = others.last, others.allSatisfy(\.isGood) { return good }
        report.obstacle =
            "the run without variation does not go well" + (first.play.failure.map { ": \($0)" } ?? "")
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

    private func judgeFamilies(_ known: inout KnownVariations, _ report: inout VariationReport, _ plain: Trial) async throws {
        for family in variation.families.sorted() {
            var row = VariationReport.Family(id: family.id, title: family.title, outcome: .notRun)
            defer { report.families.append(row) }
            if report.findings.contains(where: { $0.family == family.id }) { row.outcome = .fail }
            if let end = budget.end {
                report.shortfall = end
                continue
            }
            var alone = variation
            alone.families = [family]
            // What has been found is not looked for again.
            alone.without += try report.findings.flatMap(\.changes).map { try VariationID($0.id).drawn }
            let (trial, signs) = try await allWays(family, alone, plain)
            row.changes = trial.seen.changes.count
            row.operations = Set(trial.seen.changes.map(\.operation)).sorted()
            if row.outcome != .fail { row.outcome = trial.seen.changes.isEmpty ? .notMet : signs.isEmpty ? .pass : .fail }
            guard !signs.isEmpty else { continue }
            let finding = try await shrunk(family, trial, signs, plain)
            report.findings.append(finding)
            known.failures.append(
                KnownVariations.Failure(
                    scenario: plan.scenario, seed: variation.seed, only: finding.changes.map(\.id), words: finding.sentence))
        }
    }

    /// Runs with a family alone: again where few places were changed, until each of the ways has been met that there are.
    ///
    /// - Returns: the run that failed, with its signs; else the one that changed most.
    private func allWays(
        _ family: VariationFamily, _ alone: VariationPlan, _ plain: Trial
    ) async throws -> (Trial, [String]) {
        var met: Set<Int> = []
        var best: Trial?
        var plan = alone
        while true {
            let trial = try await run(plan, limit: Self.limit(after: plain))
            let signs = trial.seen.changes.isEmpty ? [] : trial.signs(against: plain)
            tell(family, trial.seen.changes.count == 1 ? "1 change" : "\(trial.seen.changes.count) changes", trial, signs)
            if !signs.isEmpty { return (trial, signs) }
            if best.map({ $0.seen.changes.count < trial.seen.changes.count }) ?? true { best = trial }
            let before = met.count
            met.formUnion(try trial.seen.changes.compactMap { try VariationID($0.id).choice })
            plan.turn += 1
            if met.count == before || met.count >= family.ways || budget.end != nil { return (best ?? trial, []) }
        }
    }

    /// Leaves out what does not matter, then looks for the simplest change that still does.
    private func shrunk(
        _ family: VariationFamily, _ failed: Trial, _ signs: [String], _ plain: Trial
    ) async throws -> VariationReport.Finding {
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
        if changes.count <= 10 { finding.again = again.words(scenario: plan.scenario, vary: seed, only: changes.map(\.id)) }
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
        settings.limit = limit
        settings.isQuiet = isQuiet || settings.isQuiet
        let seen = Looked()
        settings.willForget = { [server] sandboxes in await seen.look(at: sandboxes, server) }
        let (play, end) = try await PlayRunner(server: server, settings: settings).play(plan) { _ in nil }
        if end == .interrupted { throw Interrupted() }
        return Trial(play: play, seen: try await seen.result(), isCutShort: end == .cutShort)
    }

    private func tell(_ family: VariationFamily, _ what: String, _ trial: Trial, _ signs: [String]) {
        let outcome = trial.seen.changes.isEmpty ? "not met" : signs.isEmpty ? "pass" : "FAIL"
        Terminal.complain("sparring: run \(budget.used), \(family.id) \(family.title), \(Terminal.printable(what)): \(outcome)")
    }
}

/// What was seen of the sandboxes of a run before they were deleted.
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

import ArgumentParser
import Foundation
import SparringAdmin
import SparringContract
import SparringJSON
import SparringJournal
import SparringSandbox
import SparringVerdict

/// `sparring run`
struct RunCommand: LocalCommand {
    static let abstract = "Run a client's tests against Sparring, and judge the client."
    static let discussion = """
        Starts a server on free ports (or uses --url), creates a sandbox, runs the command, and judges every sandbox that the command \
        used, including those that it created. The command finds Sparring through environment variables: SPARRING_URL, \
        SPARRING_TLS_URL, SPARRING_CA_FILE, SPARRING_SANDBOX, SPARRING_SCENARIO, and each tenant's configuration, such as \
        SPARRING_LIVEPERSON_ACCOUNT_ID, which is the same in all scenarios.

          sparring run -- pytest
          sparring run --scenario pusher-down-for-31s --html report.html -- npm test
          sparring run --scenario 'pusher-*' --jobs 4 --junit report.xml -- ./tests

        To get the calls as an HTTP Archive (HAR), keep the journal of the run in a new file:
          sparring run --database run.db -- npm test
          sparring contract export har --database run.db > run.har

        Exit status: 1 if the client broke a rule or the contract; else the command's own, if that is not 0; else 2 if a rule that a scenario expects, \
        or --rule names, was not exercised or could not be judged, or no rule was exercised at all; else 0. 64 or more: Sparring could not run the command, as in sysexits(3).
        """

    @Option(
        name: .customLong("scenario"),
        help: "A scenario's name, a pattern such as 'pusher-*', or a YAML file; may be given several times. Each is played separately.",
        completion: KnownNames.scenarios)
    var scenarios: [String] = []
    @Option(help: "How many plays run in parallel, each with its own server.") var jobs = 1
    @Option(help: "The seed of all random values. Default: each scenario's.") var seed: Int64?
    @Option(name: .customLong("fault"), help: "An additional fault; may be given several times.") var faults: [String] = []
    @Option(
        help: ArgumentHelp("A vendor's tenant; may be given several times.", valueName: "vendor={…}"), transform: JSONArgument.namedObject)
    var tenant: [(name: String, value: JSON)] = []
    @Option(
        help: "How the sandbox's clock runs (values: real, frozen, rate). Default: as the scenario says.",
        completion: .list(["real", "frozen", "rate"]))
    var clock: String?
    @Option(help: "Sandbox seconds for each second, such as 20; implies --clock rate.") var rate: Double?
    @Option(
        help: ArgumentHelp(
            "After the command has ended, advance the sandbox's clock by up to this time, until no rule is undecided.",
            valueName: "duration"))
    var settle: String?
    @Option(
        help: ArgumentHelp(
            "Kill the command and everything that it started after this time in a play, such as 10m. Default: no limit.",
            valueName: "duration"))
    var timeout: String?
    @Flag(
        inversion: .prefixedNo,
        help: """
            Make the command trust Sparring's certificates, through NODE_EXTRA_CA_CERTS, SSL_CERT_FILE, REQUESTS_CA_BUNDLE and \
            CURL_CA_BUNDLE.
            """)
    var trust = true
    @Flag(help: "Make the server refuse anything that the contract does not allow, even if the vendor would accept it.") var strict = false
    @OptionGroup(title: "Variation") var vary: VaryRunOptions
    @OptionGroup(title: "Server") var place: RunPlaceOptions
    @OptionGroup(title: "Judging") var judging: JudgingOptions
    @OptionGroup(title: "Reports") var reports: ReportOptions
    @Option(
        name: [.customLong("json-report"), .customLong("json")], help: ArgumentHelp("Write the whole report as JSON.", valueName: "file"),
        completion: .file())
    var json: String?
    @Argument(parsing: .postTerminator, help: "The command, after '--'.") var command: [String]

    /// 1 would say that a rule was broken.
    static let refusal: Int32 = 64

    func validate() throws {
        for (name, text) in [("--settle", settle), ("--timeout", timeout)] {
            if let text, Duration(text: text) == nil { throw ValidationError("\(name): \(Duration.refusal(of: text)).") }
        }
        if timeout != nil, !vary.isPlain {
            throw ValidationError("--vary stops slow runs by itself: leave out --timeout, or give --max-time.")
        }
        if !(1...64).contains(jobs) { throw ValidationError("--jobs must be from 1 to 64.") }
        if jobs > 1 { try place.validateForJobs() }
        if jobs > 1, !vary.isPlain { throw ValidationError("--vary runs the command repeatedly, one run at a time: leave out --jobs.") }
        if place.database != nil, !vary.isPlain {
            throw ValidationError("--database keeps one play, and --vary makes many: give --vary-together.")
        }
        if clock == "rate", rate == nil { throw ValidationError("--clock rate needs --rate, such as --rate 20") }
        if let clock, clock != "rate", rate != nil { throw ValidationError("--rate cannot be used with --clock \(clock)") }
        if let rate, !(rate > 0 && rate <= 1_000_000) { throw ValidationError("--rate must be above 0 and at most 1000000.") }
        try FaultFile.validate(faults)
        try JSONArgument.requireOnce(tenant, "--tenant")
        if place.database != nil, scenarios.count > 1 || scenarios.contains(where: { $0.contains("*") }) {
            throw ValidationError("--database keeps one play: give one --scenario.")
        }
    }

    func perform() async throws {
        let status = try await judged()
        if status != 0 { throw ExitCode(status) }
    }

    private func judged() async throws -> Int32 {
        try reports.check(and: json)
        try place.overlays.warn(contracts: Resources.locate().contracts)
        try checkVariations()
        let place = try place.place(isStrict: strict)
        if !vary.isPlain { return try await judgedByVariation(place) }
        let queue = PlayQueue(place: place, settings: try settings(), again: RunAgain(CommandLine.arguments), jobs: jobs)
        let (plays, ended) = try await queue.play(scenarios) { try reports.clear(and: json) }
        var suite = SuiteReport(version: sparringVersion, command: command, plays: plays)
        suite.showsAllRules = reports.allRules
        suite.needsExercise = !judging.allowUnexercised && vary.variation.vary == nil
        suite.minimums = try judging.minimums()
        let status = try report(suite)
        if let ended { throw CommandFailure(text: "\(ended)", status: EX_IOERR) }
        return status
    }

    /// A server that is already running has contracts of its own.
    private func checkVariations() throws {
        guard place.url == nil, vary.variation.namesVariations else { return }
        let folder = try ContractFolder(path: Resources.locate().contracts, overlays: try place.overlays.read())
        try vary.variation.check(folder.contracts.filter { $0.vendor != "admin" }, mayGrow: true)
    }

    /// Each play is made with everything as it is, then with what is varied.
    private func judgedByVariation(_ place: RunServer.Place) async throws -> Int32 {
        guard let variation = try vary.variation.plan else { return 0 }
        try CommandFailure.requireWritable(vary.file)
        var known = try KnownVariations(reading: vary.file)
        let (again, budget, settings) = (RunAgain(CommandLine.arguments), vary.budget, try settings())
        let server = try await RunServer(place)
        var plays: [(SuiteReport.Play, VariationReport)] = []
        do {
            let plans = try PlayPlan.all(scenarios, known: try await server.scenarios(), of: server.vendors)
            try reports.clear(and: json)
            for plan in plans {
                let judge = VaryJudge(
                    server: server, settings: settings, plan: plan, variation: variation, budget: budget, again: again)
                plays.append(try await judge.judge(&known))
            }
        } catch {
            try? await server.stop()
            throw error
        }
        try known.write(to: vary.file)
        var suite = SuiteReport(version: sparringVersion, command: command, plays: plays.map(\.0))
        suite.variations = plays.map(\.1)
        suite.showsAllRules = reports.allRules
        suite.minimums = try judging.minimums()
        let status = try report(suite)
        try await server.stop()
        return status
    }

    private func settings() throws -> PlayRunner.Settings {
        var settings = PlayRunner.Settings(
            command: command,
            sandbox: .members([
                "seed": seed.map { .integer($0) }, "idSeed": 1,
                "faults": faults.isEmpty ? nil : .array(try faults.map { .string(try FaultFile.read($0)) }),
                "tenants": JSONArgument.members(tenant), "label": Variables["SPARRING_TEST"].map { .string($0) },
                "vary": vary.isPlain ? try vary.variation.form : nil,
                "clock": clock == nil && rate == nil
                    ? nil : .members(["mode": .string(clock ?? "rate"), "rate": rate.map { .number($0) }]),
            ]), judging: try judging.form())
        settings.settle = settle
        settings.limit = timeout.flatMap { Duration(text: $0) }
        settings.trusts = trust
        settings.adminToken = place.token
        settings.keeps = place.keep || place.database != nil
        settings.isQuiet = jobs > 1
        return settings
    }

    private func report(_ suite: SuiteReport) throws -> Int32 {
        try reports.write(suite)
        if let json { try ReportOptions.write(suite.json.text + "\n", to: json) }
        try reports.summarize(suite)
        try Terminal.print(suite.text(colour: Terminal.hasColour))
        for play in suite.plays {
            let place = suite.plays.count > 1 ? "\(play.scenario ?? "no scenario"): " : ""
            for note in play.notes { Terminal.complain("sparring: " + Terminal.printable(place + note)) }
            if let failure = play.failure {
                let more = play.reports.contains { $0.result == .fail } ? ", and the client broke a rule or the contract (see above)" : ""
                Terminal.complain("sparring: \(place)\(failure)\(more)")
            }
        }
        for words in [suite.strayWords].compactMap(\.self) + suite.shortfalls { Terminal.complain("sparring: \(words)") }
        if suite.result == .notExercised, !suite.isUnclear {
            let way = suite.exitStatus == 2 ? ", so the exit status is 2 unless --allow-unexercised is given" : ""
            Terminal.complain("sparring: no rule was exercised\(way); `sparring verify --list` lists the rules")
        } else if suite.exitStatus == 2, let words = suite.unclearWords {
            Terminal.complain("sparring: the exit status is 2, as \(words)")
        }
        return suite.exitStatus
    }
}

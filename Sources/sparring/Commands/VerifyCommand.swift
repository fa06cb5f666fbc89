import ArgumentParser
import Foundation
import SparringAdmin
import SparringContract
import SparringJSON
import SparringJournal
import SparringSandbox
import SparringVerdict

/// `sparring verify`
struct VerifyCommand: LocalCommand {
    static let abstract = "Judge whether the client retried, stopped, reconnected and re-authenticated as it should."
    static let discussion = """
        Judges a sandbox's journal by the rules of the behaviour files. Exits with 0 if no rule was broken, with 1 if one was, and \
        with 2 if the verdict is inconclusive: a rule that the scenario expects was not exercised, no rule was exercised at all, or the journal has lost \
        entries that a rule needs. Exits with 64 or more if nothing could be judged at all.
          sparring verify
          sparring verify --sandbox nightly --rule backs-off-1-2-4-8-16s --settle 1m
          sparring verify --database run.db --junit verdicts.xml --html page.html
          sparring verify --list
        """

    @Flag(name: .customLong("list"), help: "List the rules, and judge nothing.") var isList = false
    @Option(help: ArgumentHelp("Judge a saved database, without a server.", valueName: "file"), completion: .file())
    var database: String?
    @Option(
        help: ArgumentHelp(
            "Wait up to this long until no rule is undecided, such as a rule about silence after the last retry.", valueName: "duration"))
    var settle: String?
    @OptionGroup var judging: JudgingOptions
    @OptionGroup var overlays: OverlayOptions
    @OptionGroup var reports: ReportOptions
    @OptionGroup(title: "Connection") var connection: ConnectionOptions
    @OptionGroup var sandbox: SandboxOptions

    /// 1 would say that a rule was broken.
    static let refusal: Int32 = 64

    func validate() throws {
        if database == nil, !isList, !overlays.files.isEmpty {
            throw ValidationError("--overlay is for --database and --list; a server uses the overlays that it was started with.")
        }
        try connection.exclude(database: database)
        if database != nil, settle != nil { throw ValidationError("--settle waits for a running server; a saved database has ended.") }
    }

    func perform() async throws {
        if isList { return try list() }
        try reports.check(and: nil)
        let report = if let database { try saved(database) } else { try await asked(connection.client) }
        var suite = SuiteReport(report, version: sparringVersion, now: .now)
        suite.showsAllRules = reports.allRules
        suite.needsExercise = !judging.allowUnexercised
        suite.minimums = try judging.minimums()
        try reports.write(suite)
        try Terminal.print(connection.json ? report.json.text : suite.text(colour: Terminal.hasColour))
        if suite.exitStatus != 0 { throw ExitCode(suite.exitStatus) }
    }

    private func list() throws {
        let behaviours = try Resources.behaviours(overlays: overlays.read())
        let rules = behaviours.rules.filter { judging.means($0) }
        let names = RuleNames(behaviours.rules)
        try Terminal.print(Table.text("rule", "kind", "says", of: rules) { [names.shortName(of: $0), $0.kind, $0.says] })
        let unobservable = judging.rules.isEmpty ? behaviours.unobservable(beside: rules.map(\.vendor)) : []
        guard !unobservable.isEmpty else { return }
        try Terminal.print("\n" + Table.text("not on the wire", "because", of: unobservable) { [$0.says, $0.because] })
    }

    private func saved(_ file: String) throws -> VerdictReport {
        do {
            return try sandbox.read(file) { saved, name in
                var form = try judging.form()
                form["whole"] = true
                return try saved.judge(name, VerdictRequest(form), Resources.behaviours(overlays: overlays.read()))
            }
        } catch let error as ConfigurationError { throw JudgingOptions.failure(error) }
    }

    private func asked(_ server: AdminClient) async throws -> VerdictReport {
        let form = try judging.form()
        do { return try await server.verdicts(sandbox.name, form, settle: settle) } catch let refusal as CommandFailure {
            throw JudgingOptions.failure(refusal)
        }
    }
}

extension Resources {
    /// The rules that came with this binary.
    static func behaviours(contracts: String? = nil, overlays: [Overlay] = []) throws -> Behaviours {
        let folder = try Resources.locate(contracts: contracts).contracts
        return try Behaviours(
            folder: folder, contracts: try ContractFolder(path: folder, overlays: overlays).contracts.filter { $0.vendor != "admin" },
            effects: FaultVocabulary.words)
    }
}

import ArgumentParser
import Foundation
import SparringAdmin
import SparringContract
import SparringJSON
import SparringSandbox
import SparringVerdict

/// `sparring verify`
struct VerifyCommand: LocalCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Judge the client: did it retry, stop, reconnect and re-authenticate as it should?",
        discussion: """
            Reads a sandbox's journal by the rules of the behaviour files. Ends with 0 where no rule was broken, with 1 where one was, and with 2 \
            where it cannot be told: a rule that the scenario asks for was not exercised, or the journal has lost what it needs. What cannot be judged at all ends with 64 or more.
              sparring verify
              sparring verify --sandbox nightly --rule backs-off-1-2-4-8-16s --settle 1m
              sparring verify --database sparring.db --junit verdicts.xml --html verdicts.html
              sparring verify --list
            """)

    @Flag(name: .customLong("list"), help: "List the rules, and judge nothing.") var isList = false
    @Option(help: ArgumentHelp("Judge what happened in a saved database, without a server.", valueName: "file"), completion: .file())
    var database: String?
    @Option(
        help: ArgumentHelp(
            "Wait as long as this until nothing is left open, such as the silence after a last retry.", valueName: "duration"))
    var settle: String?
    @OptionGroup var judging: JudgingOptions
    @OptionGroup var reports: ReportOptions
    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var sandbox: SandboxOptions

    /// 1 would say that a rule was broken.
    static let refusal: Int32 = 64

    func validate() throws {
        if database != nil, settle != nil { throw ValidationError("--settle waits for a running server; a saved database has ended.") }
    }

    func perform() async throws {
        if isList { return try list() }
        let verdicts = if let database { try saved(database) } else { try await asked(connection.client) }
        try reports.write(verdicts)
        try Terminal.print(connection.json ? verdicts.json.text : verdicts.text(.text))
        if verdicts.status != 0 { throw ExitCode(verdicts.status) }
    }

    private func list() throws {
        let behaviours = try Resources.behaviours()
        let rules = behaviours.rules.filter { judging.means($0) }
        var table = Table("rule", "kind", "says")
        let names = RuleNames(behaviours.rules)
        for rule in rules { table.add(names.shortName(of: rule), rule.kind, rule.says) }
        try Terminal.print(table.text)
        let unobservable = judging.rules.isEmpty ? behaviours.unobservable(beside: rules) : []
        guard !unobservable.isEmpty else { return }
        var others = Table("not on the wire", "because")
        for owed in unobservable { others.add(owed.says, owed.because) }
        try Terminal.print("\n" + others.text)
    }

    private func saved(_ file: String) throws -> Verdicts {
        do {
            let saved = try SavedDatabase(path: file)
            // What `run` saved has one sandbox, and no reason to be told its name.
            let all = try saved.sandboxes
            let name = sandbox.isGiven || all.count != 1 ? sandbox.name : all[0]
            return try Verdicts(saved.judge(name, VerdictRequest(judging.form), Resources.behaviours()))
        } catch let error as ToolError {
            throw CommandFailure(text: "\(error)", status: 66)
        } catch let error as ConfigurationError {
            throw CommandFailure(text: error.message, status: 64)
        }
    }

    private func asked(_ server: AdminClient) async throws -> Verdicts {
        try await Verdicts(server, sandbox.name, judging.form, settle: settle)
    }
}

/// Which rules are judged, and by which clock.
struct JudgingOptions: ParsableArguments {
    @Option(name: .customLong("rule"), help: "A rule by its name; may be given several times. Default: all.") var rules: [String] = []
    @Option(
        name: .customLong("behaviour"),
        help: ArgumentHelp("A vendor whose rules are judged; may be given several times. Default: all.", valueName: "vendor"))
    var behaviours: [String] = []
    @Option(
        help: "What the client is (values: ios, android, web, server). Default: what it shows itself to be.",
        completion: .list(["ios", "android", "web", "server"]))
    var platform: String?
    @Option(help: "How the client signs in (values: code, implicit). Default: as it shows.", completion: .list(["code", "implicit"]))
    var flow: String?
    @Option(
        name: .customLong("policy"),
        help: ArgumentHelp(
            "What the vendor leaves to the app, such as retries=3 or retry-schedule=2s,4s,8s; may be given several times.",
            valueName: "name=value"))
    var policies: [String] = []
    @Option(
        help: """
            What a broken contract does (values: fail, warn, off). 'fail': missing and mistyped members fail where the contract is verified, and \
            everything else warns.
            """, completion: .list(["fail", "warn", "off"]))
    var contract = "fail"
    @Option(
        help: "The clock that delays are measured on (values: wall, sandbox). 'sandbox' is for clients whose timers sleep on clock/wait.",
        completion: .list(["wall", "sandbox"]))
    var timeBasis = "wall"
    @Option(help: "What a second of a schedule is in this run: 0.1 for clients whose timers were shortened to a tenth.") var timeScale = 1.0
    @Option(
        help: ArgumentHelp(
            "The least deviation that is told from none. Default: 25 ms times the scale, at least 5 ms.", valueName: "duration"))
    var jitterFloor: String?

    /// As the admin API takes it.
    var form: JSON {
        .members([
            "rules": rules.isEmpty ? nil : .array(rules.map { .string($0) }),
            "behaviours": behaviours.isEmpty ? nil : .array(behaviours.map { .string($0) }), "platform": platform.map { .string($0) },
            "flow": flow.map { .string($0) }, "contract": .string(contract),
            "policies": policies.isEmpty ? nil : .object(policyMembers),
            "timeBasis": .string(timeBasis), "timeScale": .number(timeScale), "jitterFloor": jitterFloor.map { .string($0) },
        ])
    }

    private var policyMembers: JSON.Object {
        policies.reduce(into: [:]) { members, text in
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            members[parts[0]] = .string(parts.count > 1 ? parts[1] : "")
        }
    }

    func validate() throws {
        for text in policies where !text.contains("=") || text.hasPrefix("=") || text.hasSuffix("=") {
            throw ValidationError("--policy: '\(text)' is not name=value, such as retries=3.")
        }
    }

    func means(_ rule: Rule) -> Bool {
        (rules.isEmpty || rules.contains(rule.name) || rules.contains(rule.qualifiedName))
            && (behaviours.isEmpty || behaviours.contains(rule.vendor))
    }
}

/// Files that the verdicts are written to.
struct ReportOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Write JUnit XML.", valueName: "file"), completion: .file()) var junit: String?
    @Option(help: ArgumentHelp("Write a page that opens without a server.", valueName: "file"), completion: .file()) var html: String?
    @Flag(help: "Print a line for each complaint as GitHub Actions shows it beside the run. Default: where GITHUB_ACTIONS is set.")
    var annotations = false

    func write(_ verdicts: Verdicts) throws {
        for (file, format) in [(junit, ReportFormat.junit), (html, .html)] {
            if let file { try Self.write(verdicts.text(format), to: file) }
        }
        let lines = verdicts.text(.annotations)
        if annotations || WorkflowCommands.areObeyed, !lines.isEmpty { try Terminal.annotate(lines) }
    }

    /// Leaves the files as they are.
    ///
    /// - Throws: where one could not be written.
    func check(and json: String?) throws {
        for file in [junit, html, json].compactMap({ $0 }) {
            let isThere = FileManager.default.fileExists(atPath: file)
            let place = isThere ? file : URL(fileURLWithPath: file).deletingLastPathComponent().path
            guard access(place, W_OK) == 0 else { throw CommandFailure.cannotCreate(file, String(cString: strerror(errno))) }
        }
    }

    static func write(_ text: String, to file: String) throws {
        do { try Data(text.utf8).write(to: URL(fileURLWithPath: file)) } catch {
            throw CommandFailure.cannotCreate(file, Terminal.reason(of: error).text)
        }
    }
}

/// What was judged, in every form it is wanted in.
struct Verdicts {
    let json: JSON
    private let reports: JSON

    init(_ report: VerdictReport) throws {
        json = report.json
        var reports = JSON.Object()
        for format in Self.formats { reports[format.rawValue] = .string(try report.rendered(format)) }
        self.reports = .object(reports)
    }

    /// Asks a server.
    init(_ server: AdminClient, _ sandbox: String, _ form: JSON, settle: String? = nil) async throws {
        var form = form
        form["formats"] = .array(Self.formats.map { .string($0.rawValue) })
        form["settle"] = settle.map { .string($0) }
        var json = try await server.post(AdminPath.verdicts(sandbox), form, timeout: .seconds(660)).json
        reports = json["reports"] ?? [:]
        json["reports"] = nil
        self.json = json
    }

    private static var formats: [ReportFormat] { [Terminal.hasColour ? .ansi : .text, .junit, .html, .annotations] }

    func text(_ format: ReportFormat) -> String {
        let format = format == .text && reports[ReportFormat.ansi.rawValue] != nil ? .ansi : format
        return reports[format.rawValue]?.string ?? ""
    }

    var status: Int32 {
        switch json["result"]?.string {
        // Where nothing was asked for, that nothing happened is no alarm.
        case "pass", "not-exercised": 0
        case "fail": 1
        default: 2
        }
    }
}

extension Resources {
    /// The rules that came with this binary.
    static func behaviours(contracts: String? = nil) throws -> Behaviours {
        let folder = try Resources.locate(contracts: contracts).contracts
        return try Behaviours(
            folder: folder, contracts: try Contract.load(directory: folder).filter { $0.vendor != "admin" }, effects: FaultVocabulary.words)
    }
}

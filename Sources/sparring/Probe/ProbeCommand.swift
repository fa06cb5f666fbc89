import ArgumentParser
import Foundation
import SparringAdmin
import SparringClient
import SparringContract
import SparringEngine
import SparringJSON
import SparringJournal

/// `sparring probe`
struct ProbeCommand: LocalCommand {
    static let abstract = "Compare contracts and Sparring with a vendor's real backend."
    static let discussion = """
        Plays refusals and transcripts at the vendor and at a fresh sandbox, each twice, and says where contract, vendor and Sparring \
        differ. Without --send, it only prints what it would call. With --send, it calls only the hosts that you give, makes one call a \
        second, calls only those writing operations that you allow, and stops at the first 429. Exits with 1 if something differs, with 2 \
        if something could not be checked.
          sparring probe --target liveperson=https://api.vendor.example
          sparring probe --target liveperson=https://api.vendor.example --send
          sparring probe --target liveperson=https://api.vendor.example \\
            --target liveperson.Login=https://login.vendor.example \\
            --config account.yaml --credential token='./sign-in alice' \\
            --allow liveperson.authenticateV2 --transcript 'liveperson/ios-*' --send
        """

    @Option(
        name: .customLong("target"),
        help: ArgumentHelp(
            "A vendor's base URL; VENDOR.TAG=URL and VENDOR.OPERATION=URL set it for some of its operations. May be given several times.",
            valueName: "vendor=url"))
    var targets: [String] = []
    @Option(
        name: .customLong("transcript"),
        help: ArgumentHelp(
            "Play only this, 'VENDOR/refusals' or a transcript: a name, a pattern such as 'VENDOR/ios-*', or a file. May be given several times.",
            valueName: "name"))
    var transcripts: [String] = []
    @Flag(help: "Make the calls. Without this flag, they are only printed.") var send = false
    @Option(
        name: .customLong("allow"),
        help: ArgumentHelp(
            "A writing operation that may be called, or 'VENDOR.*' for all of a vendor's. May be given several times.",
            valueName: "operation"))
    var allowed: [String] = []
    @Option(help: ArgumentHelp("Send at most this many calls and messages.", valueName: "count")) var maxCalls = 100
    @Option(
        help: ArgumentHelp("The time from one call to the next. Default: 1s; none if the vendor is on this machine.", valueName: "time"),
        transform: { text in
            guard let interval = Duration(text: text) else { throw ValidationError("'\(text)' is not a time such as 1s") }
            return interval
        })
    var interval: Duration?
    @Option(
        help: ArgumentHelp("Configuration file; its first sandbox has the settings of the vendor's account.", valueName: "file"),
        completion: .file())
    var config: String?
    @OptionGroup var credentials: ProbeCredentials
    @Option(
        help: ArgumentHelp(
            "A command that does at the vendor what agents do: it reads each act as JSON from standard input, and prints the answer.",
            valueName: "command"))
    var acts: String?
    @OptionGroup var trusted: TrustOption
    @Option(
        help: ArgumentHelp("File that keeps what was seen of each operation, and when, but no credentials.", valueName: "file"),
        completion: .file())
    var fidelity = FidelityFile.usual
    @Option(
        help: ArgumentHelp("Write the corrections that the vendor's answers suggest, for 'sparring learn'.", valueName: "file"),
        completion: .file())
    var proposals: String?
    @Flag(help: "Print the report as JSON.") var json = false
    @OptionGroup var overlays: OverlayOptions

    /// 1 would say that something differs.
    static let refusal: Int32 = 64

    func validate() throws {
        guard maxCalls > 0 else { throw ValidationError("--max-calls must be above 0") }
        if targets.isEmpty { throw ValidationError("--target is missing: only hosts that you give are called") }
    }

    func perform() async throws {
        let resources = try Resources.locate()
        let folder = try ContractFolder(path: resources.contracts, overlays: try overlays.read())
        let server = try PrivateServer.make(resources, folder)
        let keys = server.tenantKeys
        try await server.engine.stop(grace: .zero)
        let contracts = folder.contracts.filter { keys[$0.vendor] != nil }
        let given: VendorTargets
        do { given = try VendorTargets(targets, contracts) } catch { throw CommandFailure(text: "--target: \(error)", status: 64) }
        for name in allowed where !Self.isOperation(name, contracts) {
            let hint = CommandFailure.hint(for: name, in: contracts.flatMap(\.operations).map(\.qualifiedName))
            throw CommandFailure(text: Terminal.printable("--allow: there is no operation \(name.quoted)") + hint, status: 64)
        }
        let configured = try config.map { try ConfigurationFile.read($0).checkedTenants(keys.keys.sorted()) } ?? [:]
        var scripts = try ProbeScripts(
            folder: resources.home + "/fixtures/transcripts", contracts: contracts, tenantKeys: keys, configured: configured
        ).scripts(of: Set(given.all.map(\.vendor)), transcripts)
        if !overlays.files.isEmpty {
            let shipped = try ContractFolder(path: resources.contracts).contracts
            scripts = try scripts.map { try $0.moved(from: shipped, to: contracts) }
        }
        try credentials.check(scripts, transcripts: resources.home + "/fixtures/transcripts")
        let tls = try trusted.tls()
        let plan = try ProbePlan(scripts, at: given, contracts, terms)
        guard send else { return try Terminal.print(ProbeText.plan(plan)) }
        if plan.count == 0 {
            throw CommandFailure(
                text: "there is nothing to send: every call was left out; run without --send to see the reasons", status: 2)
        }
        for file in [fidelity, proposals].compactMap(\.self) { try CommandFailure.requireWritable(file) }
        let supplies = credentials
        var probe = Probe(
            plan, contracts, line(given, tls), hand: acts.map { CommandHand(command: ShellCommand(text: $0)) },
            learns: proposals != nil, supply: { try await supplies.credential($0) }
        ) { try PrivateServer.make(resources, folder) }
        var live = try FidelityFile.read(fidelity) ?? LiveFidelity()
        let report = try await probe.run { Terminal.complain("playing \($0)") }
        let sights = report.sights(at: Timestamp.now.description, of: Array(Set(given.all.map(\.authority))).sorted())
        for (operation, sight) in sights { live.note(sight, of: operation) }
        if !sights.isEmpty { try FidelityFile.write(live, to: fidelity) }
        if let proposals, let found = report.proposals {
            try CommandFailure.writing(proposals) {
                try Data((found.json.text + "\n").utf8).write(to: URL(fileURLWithPath: proposals), options: .atomic)
            }
        }
        try Terminal.print(json ? report.json.text : ProbeText.report(report))
        if report.exitStatus != 0 { throw ExitCode(report.exitStatus) }
    }

    private var terms: ProbePlan.Terms {
        var terms = ProbePlan.Terms()
        (terms.allowed, terms.hasHand, terms.supplies, terms.most) = (allowed, acts != nil, credentials.kinds, maxCalls)
        return terms
    }

    private static func isOperation(_ name: String, _ contracts: [Contract]) -> Bool {
        contracts.contains { contract in
            name == "\(contract.vendor).*" || contract.operations.contains { $0.qualifiedName == name }
        }
    }

    private func line(_ given: VendorTargets, _ tls: ClientTLS?) -> ProbeLine {
        let isLocal = given.all.allSatisfy(\.isOnThisMachine)
        let pace = ProbePace(interval ?? (isLocal ? .zero : .seconds(1)))
        return ProbeLine(tls: tls, agent: "sparring/\(sparringVersion)") { try await pace.wait() }
    }
}

import ArgumentParser
import SparringAdmin
import SparringContract
import SparringEngine
import SparringJSON
import SparringJournal
import SparringVerdict

/// `sparring replay`
struct ReplayCommand: LocalCommand {
    static let abstract = "Play a recorded client against a fresh sandbox, and compare Sparring's answers with the recorded ones."
    static let discussion = """
        Sends the calls of an HTTP Archive, on the recording's clock, to a Sparring that runs only in this process, and says where its \
        answers differ from those in the archive. Ids, credentials and times that differ between any two runs are noise. Needs neither \
        a server nor a vendor. Exits with 1 if something differs.
          sparring replay traffic.har
          sparring replay traffic.har --known known.json --html page.html
          sparring replay traffic.har --host api.our-cloud.example
        """

    @OptionGroup var recording: RecordingOptions
    @Option(
        help: ArgumentHelp(
            "Settings of the sandbox that the archive does not show, such as clients and their secrets: its sandbox of the same name, or its first.",
            valueName: "file"), completion: .file())
    var config: String?
    @Option(
        help: ArgumentHelp("Differences that are known and fail nothing, as --write-known wrote them.", valueName: "file"),
        completion: .file())
    var known: String?
    @Flag(help: "Print the report as JSON.") var json = false
    @OptionGroup var overlays: OverlayOptions
    @OptionGroup var reports: ReportOptions

    /// 1 would say that the replay differs.
    static let refusal: Int32 = 64

    func perform() async throws {
        try reports.check(and: nil)
        let resources = try Resources.locate()
        let archive = try recording.archive()
        let folder = try ContractFolder(path: resources.contracts, overlays: try overlays.read())
        let reader = try recording.read(archive, folder.contracts)
        try recording.requireCalls(in: reader)
        let form: JSON = .members(["whole": true, "known": try known.map(JudgingOptions.baseline)])
        let configured = try config.map { try ConfigurationFile.read($0) }
        let server = try PrivateServer.make(resources, folder)
        let replay: Replay
        do { replay = try await Replay.run(archive, reader, configured: configured) { server } } catch {
            throw CommandFailure(text: "\(recording.file): the sandbox of the recording cannot be made: \(error)", status: 65)
        }
        // Nothing that was checked must not pass for nothing that differs.
        if replay.count == 0 {
            throw CommandFailure(text: "no call in \(recording.file) can be sent again: none matches an operation", status: 2)
        }
        let report = try replay.judge(VerdictRequest(form), server.behaviours, name: recording.name)
        var suite = SuiteReport(report, version: sparringVersion, now: .now)
        suite.showsAllRules = reports.allRules
        try reports.write(suite)
        try Terminal.print(json ? Self.json(replay, report) : Self.summary(replay) + suite.text(colour: Terminal.hasColour))
        if suite.exitStatus != 0 { throw ExitCode(suite.exitStatus) }
    }

    private static func json(_ replay: Replay, _ report: VerdictReport) -> String {
        var json = report.json
        json["noise"] = .object(JSON.Object(uniqueKeysWithValues: replay.noise.map { ($0.kind, .integer(Int64($0.count))) }))
        json["omitted"] = .array(replay.omitted.map { .string($0) })
        return json.text
    }

    private static func summary(_ replay: Replay) -> String {
        let noise = replay.noise.map(\.words).joined(separator: ", ")
        var text = "\(replay.count) calls and messages sent again" + (noise.isEmpty ? "\n" : "; noise: \(noise)\n")
        for words in replay.omitted.prefix(10) { text += "not done again: \(Terminal.printable(words))\n" }
        if replay.omitted.count > 10 { text += "and \(replay.omitted.count - 10) more that were not done again\n" }
        return text + "\n"
    }
}

import ArgumentParser
import Foundation
import SparringAdmin
import SparringContract
import SparringJSON
import SparringJournal
import SparringVerdict

/// `sparring import`
struct ImportCommand: LocalCommand {
    static let abstract = "Check a recording of a client and a vendor against the contracts."
    static let discussion = """
        Reads an HTTP Archive, as browsers, proxies and `contract export har` write it, and says which vendor each call belongs to, and \
        where requests and answers differ from the contract. Needs neither a server nor a vendor. Exits like 'verify': with 1 if the \
        contract is broken.
          sparring import traffic.har
          sparring import traffic.har --coverage --html page.html
          sparring import traffic.har --host api.our-cloud.example
          sparring import traffic.har --json-lines > entries.jsonl
        """

    @OptionGroup var recording: RecordingOptions
    @Flag(help: "Print the calls as a journal's entries, one per line, and judge nothing.") var jsonLines = false
    @Flag(help: "Print credentials in these lines, as they were recorded.") var withCredentials = false
    @Flag(help: "Print the report as JSON.") var json = false
    @OptionGroup var judging: JudgingOptions
    @OptionGroup var overlays: OverlayOptions
    @OptionGroup var reports: ReportOptions

    /// 1 would say that the contract is broken.
    static let refusal: Int32 = 64

    func validate() throws {
        if jsonLines, json { throw ValidationError("--json prints a report, --json-lines entries: give one of them.") }
    }

    func perform() async throws {
        try reports.check(and: nil)
        let folder = try Resources.locate().contracts
        let reader = try recording.read(try recording.archive(), ContractFolder(path: folder, overlays: try overlays.read()).contracts)
        if jsonLines { return try printEntries(reader) }
        try recording.requireCalls(in: reader)
        var form = try judging.form()
        form["whole"] = true
        let report: VerdictReport
        do {
            report = try reader.judge(
                VerdictRequest(form), Resources.behaviours(overlays: overlays.read()), name: recording.name)
        } catch let error as ConfigurationError { throw JudgingOptions.failure(error) }
        var suite = SuiteReport(report, version: sparringVersion, now: .now)
        suite.showsAllRules = reports.allRules
        suite.minimums = try judging.minimums()
        try reports.write(suite)
        try Terminal.print(json ? report.json.text : Self.summary(reader) + suite.text(colour: Terminal.hasColour))
        if suite.exitStatus != 0 { throw ExitCode(suite.exitStatus) }
    }

    private func printEntries(_ reader: RecordingReader) throws {
        var printer = JournalPrinter(form: .json, redaction: withCredentials ? nil : Redaction(.recording))
        printer.isWhole = true
        for entry in reader.json { try printer.print(entry) { try Terminal.print($0) } }
        try printer.end { try Terminal.print($0) }
    }

    /// A line for each vendor, and one for the hosts that are none's.
    private static func summary(_ reader: RecordingReader) -> String {
        var counts: [String: (calls: Int, messages: Int)] = [:]
        for entry in reader.entries {
            guard let vendor = entry.operation?.split(separator: ".").first.map(String.init) else { continue }
            if entry.kind == .exchange { counts[vendor, default: (0, 0)].calls += 1 }
            if entry.kind == .message || entry.kind == .notification { counts[vendor, default: (0, 0)].messages += 1 }
        }
        let rows = counts.sorted { $0.key < $1.key }
        var text = Table.text("vendor", "calls", "messages", of: rows) { [$0.key, "\($0.value.calls)", "\($0.value.messages)"] }
        if !reader.others.isEmpty { text += "\nnot a vendor's: \(RecordingOptions.listed(reader.others))" }
        return text + "\n\n"
    }
}

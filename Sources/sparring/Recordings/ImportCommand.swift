import ArgumentParser
import Foundation
import SparringAdmin
import SparringContract
import SparringJSON
import SparringJournal
import SparringVerdict

/// `sparring import`
struct ImportCommand: LocalCommand {
    static let abstract = "Hold a recording of a client and a vendor against the contracts."
    static let discussion = """
        Reads an HTTP Archive, as browsers, proxies and `contract export har` write it, and says which calls are whose, and what in requests and in answers \
        differs from the contract. It needs no server and no vendor. Exits as 'verify' does: with 1 if the contract is broken.
          sparring import traffic.har
          sparring import traffic.har --coverage --html page.html
          sparring import traffic.har --host api.our-cloud.example
          sparring import traffic.har --json-lines > entries.jsonl
        """

    @Argument(help: "The archive; '-' is standard input.", completion: .file()) var file: String
    @Option(
        name: .customLong("host"),
        help: ArgumentHelp(
            "A host whose calls are a vendor's, beside the vendors' own and this machine's; may be given several times.", valueName: "host")
    )
    var hosts: [String] = []
    @Flag(help: "Print the calls as a journal's entries, one per line, and judge nothing.") var jsonLines = false
    @Flag(help: "Print credentials in these lines, as they were recorded.") var withCredentials = false
    @Flag(help: "Print the report as JSON.") var json = false
    @OptionGroup var judging: JudgingOptions
    @OptionGroup var overlays: OverlayOptions
    @OptionGroup var reports: ReportOptions

    /// 1 would say that the contract is broken.
    static let refusal: Int32 = 64

    func validate() throws {
        for host in hosts where ServerHost(host) == nil {
            throw ValidationError("--host '\(host)' is no host name; one part of it may be '*', as in '*.vendor.example'")
        }
        if jsonLines, json { throw ValidationError("--json prints a report, --json-lines entries: give one of them.") }
    }

    func perform() async throws {
        let folder = try Resources.locate().contracts
        var reader = try RecordingReader(
            try ContractFolder(path: folder, overlays: try overlays.read()).contracts, hosts: hosts.compactMap { ServerHost($0) })
        reader.take(try archive())
        if jsonLines { return try printEntries(reader) }
        guard reader.count > 0 else {
            let others =
                reader.others.isEmpty ? "" : ": it has calls of \(Self.listed(reader.others)); --host names a host that is a vendor's"
            throw CommandFailure(text: "no call in \(file) is a vendor's\(others)", status: 2)
        }
        var form = try judging.form()
        form["whole"] = true
        let report: VerdictReport
        do {
            report = try reader.judge(
                VerdictRequest(form), Resources.behaviours(overlays: overlays.read()), name: (file as NSString).lastPathComponent)
        } catch let error as ConfigurationError {
            throw CommandFailure(text: error.message, status: 64)
        }
        var suite = SuiteReport(report, version: sparringVersion, now: .now)
        suite.showsAllRules = reports.allRules
        suite.minimums = try judging.minimums()
        try reports.write(suite)
        try Terminal.print(json ? report.json.text : Self.summary(reader) + suite.text(colour: Terminal.hasColour))
        if suite.exitStatus != 0 { throw ExitCode(suite.exitStatus) }
    }

    private func archive() throws -> Archive {
        guard let data = file == "-" ? FileHandle.standardInput.readDataToEndOfFile() : FileManager.default.contents(atPath: file) else {
            throw CommandFailure(text: "\(file) cannot be read", status: 66)
        }
        do {
            return try Archive(try JSON(parsing: data))
        } catch let error as ConfigurationError {
            throw CommandFailure(text: "\(file): \(error.pointer): \(error.message)", status: 65)
        } catch {
            throw CommandFailure(text: "\(file) is not JSON: \(error)", status: 65)
        }
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
        if !reader.others.isEmpty { text += "\nnot a vendor's: \(listed(reader.others))" }
        return text + "\n\n"
    }

    private static func listed(_ hosts: [String: Int]) -> String {
        let sorted = hosts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let words = sorted.prefix(10).map { "\(Terminal.printable($0.key)) (\($0.value))" }.joined(separator: ", ")
        return sorted.count > 10 ? words + " and \(sorted.count - 10) more" : words
    }
}

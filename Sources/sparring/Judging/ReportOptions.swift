import ArgumentParser
import Foundation
import SparringJSON
import SparringVerdict

/// Files that the verdicts are written to.
struct ReportOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Write JUnit XML.", valueName: "file"), completion: .file()) var junit: String?
    @Option(help: ArgumentHelp("Write a page that opens without a server.", valueName: "file"), completion: .file()) var html: String?
    @Option(help: ArgumentHelp("Write SARIF 2.1.0, for code scanning.", valueName: "file"), completion: .file()) var sarif: String?
    @Option(
        help: ArgumentHelp(
            "Write this run's contract violations and broken rules, for --known in later runs. Replaces the file, without what you added to it.",
            valueName: "file"), completion: .file())
    var writeKnown: String?
    @Flag(help: "List every rule in JUnit and on the page, not only those that were exercised or expected.") var allRules = false
    @Flag(help: "Print each problem as a GitHub Actions annotation. Default: on if GITHUB_ACTIONS is set.")
    var annotations = false

    func write(_ suite: SuiteReport) throws {
        if let junit { try Self.write(suite.junit(host: ProcessInfo.processInfo.hostName), to: junit) }
        if let html { try Self.write(suite.html(), to: html) }
        if let sarif { try Self.write(suite.sarif.text + "\n", to: sarif) }
        if let writeKnown { try Self.write(suite.baseline.text, to: writeKnown) }
        let lines = suite.annotations
        if annotations || WorkflowCommands.areObeyed, !lines.isEmpty { try Terminal.annotate(lines.joined(separator: "\n")) }
    }

    /// Adds to the summary that GitHub Actions shows of the job, where there is one (`GITHUB_STEP_SUMMARY`).
    func summarize(_ suite: SuiteReport) throws {
        guard let file = Variables["GITHUB_STEP_SUMMARY"] else { return }
        try CommandFailure.writing(file) {
            if !FileManager.default.fileExists(atPath: file) { try Data().write(to: URL(fileURLWithPath: file)) }
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
            defer { try? handle.close() }
            try handle.seekToEnd()
            try handle.write(contentsOf: Data(suite.markdown.utf8))
        }
    }

    /// Leaves the files as they are.
    ///
    /// - Throws: where one could not be written.
    func check(and json: String?) throws {
        let files = files(and: json)
        guard Set(files.map { URL(fileURLWithPath: $0).standardizedFileURL.path }).count == files.count else {
            throw CommandFailure(text: "two reports would be written to the same file: give each its own file", status: 64)
        }
        for file in files { try CommandFailure.requireWritable(file) }
        if let writeKnown { Self.warn(ofReplacing: writeKnown) }
    }

    /// Says what a new baseline leaves out of the one that is there.
    private static func warn(ofReplacing file: String) {
        guard isRegular(file), let data = FileManager.default.contents(atPath: file), let json = try? JSON(parsing: Array(data)) else {
            return
        }
        let additions = FindingBaseline.additions(in: json)
        guard !additions.isEmpty else { return }
        let words = Terminal.printable("\(file) without \(additions.joined(separator: ", "))")
        Terminal.complain("sparring: --write-known replaces \(words)")
    }

    /// The file is no folder, no device and no link such as /dev/stdout.
    private static func isRegular(_ file: String) -> Bool {
        let type = try? FileManager.default.attributesOfItem(atPath: file)[.type] as? FileAttributeType
        return type == .typeRegular
    }

    /// Takes away what an earlier run has left, which would go on saying how that one went.
    func clear(and json: String?) throws {
        for file in files(and: json) where Self.isRegular(file) { try? FileManager.default.removeItem(atPath: file) }
    }

    private func files(and json: String?) -> [String] { [junit, html, sarif, writeKnown, json].compactMap { $0 } }

    static func write(_ text: String, to file: String) throws {
        try CommandFailure.writing(file) { try Data(text.utf8).write(to: URL(fileURLWithPath: file)) }
    }
}

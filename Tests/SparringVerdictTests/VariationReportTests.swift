import SparringJournal
import SparringJSON
import SparringVerdict
import Testing

/// The findings of variation in every form of report.
@Suite struct VariationReportTests {
    private static let report: VariationReport = {
        var report = VariationReport(scenario: "two-birds", seed: 7)
        report.runs = 31
        report.families = [
            VariationReport.Family(
                id: "V4", title: "unknown members", outcome: .fail, changes: 12, operations: ["bird.find", "bird.list"]),
            VariationReport.Family(id: "V5", title: "unknown values", outcome: .pass, changes: 1, operations: ["bird.find"]),
            VariationReport.Family(id: "V6", title: "unknown messages", outcome: .notMet),
            VariationReport.Family(id: "V7", title: "odd items", outcome: .notRun),
        ]
        let finding = VariationReport.Finding(
            family: "V4", title: "unknown members", advice: "ignore members that you do not know",
            changes: [
                VariationReport.Finding.Change(
                    id: "V4@bird.find/ada/1#/a=0", operation: "bird.find", place: "/a", words: "added <b>: \"7f3\"", entry: 3)
            ], signs: ["the command exited with 1"], again: "sparring run --vary 7 -- true")
        report.findings = [finding]
        report.shortfall = "3 runs were made"
        return report
    }()

    private static func suite(_ report: VariationReport) -> SuiteReport {
        let time = Timestamp(milliseconds: 0)
        var suite = SuiteReport(
            version: "1", command: ["true"], plays: [SuiteReport.Play(status: 0, began: time, ended: time, reports: [])])
        suite.variations = [report]
        return suite
    }

    @Test func `an entry's families are read from its variations' ids`() {
        let varied: JSON = [["id": "V4@bird.find/ada/1#"], ["id": "V10@bird#integers"], ["id": "V4@bird.find/ada/1#/a"]]
        #expect(JournalEntry.Variation.families(of: varied) == ["V10", "V4"])
        #expect(JournalEntry.Variation.families(of: nil).isEmpty)
    }

    @Test func `what JSON has is read back`() throws {
        let suite = Self.suite(Self.report)
        let read = try SuiteReport(json: suite.json)
        #expect(read.json == suite.json && read.exitStatus == 1)
        #expect(Self.report.headline == "the client breaks on one variation: 2 of 4 families of variations were met")
    }

    @Test func `every form names the change, the advice and how to see it again`() {
        let suite = Self.suite(Self.report)
        let forms = [
            ("text", suite.text(colour: false)), ("junit", suite.junit()), ("html", suite.html()), ("sarif", suite.sarif.text),
            ("markdown", suite.markdown),
        ]
        for (name, text) in forms {
            #expect(text.contains("unknown members") && text.contains("ignore members that you do not know"), "\(name): \(text)")
            #expect(text.contains("entry 3") && text.contains("sparring run --vary 7 -- true"), "\(name): \(text)")
            #expect(name == "text" || name == "sarif" || !text.contains("<b>"), "\(name)")
        }
        #expect(suite.annotations.contains { $0.hasPrefix("::error title=V4 unknown members::") })
        #expect(suite.junit().contains("skipped=\"2\""))
    }

    @Test(arguments: [(nil, [], 0), ("it does not go well", [], 2), (nil, ["V4"], 1)] as [(String?, [String], Int32)])
    func `the exit status says whether the client took it`(_ obstacle: String?, _ found: [String], _ status: Int32) {
        var report = Self.report
        report.obstacle = obstacle
        if found.isEmpty { report.findings = [] }
        #expect(Self.suite(report).exitStatus == status)
    }
}

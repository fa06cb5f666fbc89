import Foundation
import SparringContract
import SparringJSON
import SparringJournal
import Testing

@testable import SparringVerdict

/// How much of the contracts a run has met, and what is made of it.
struct CoverageTests {
    private static func row(_ name: String, calls: Int, met: [Int], sent: [Bool] = []) -> Coverage.Row {
        var row = Coverage.Row(name: name, calls: calls)
        row.answers = met.enumerated().map { Coverage.Answer(name: "answer-\($0)", isHappy: $0 == 0, count: $1) }
        row.members = sent.enumerated().map { ("/m\($0)", $1) }
        return row
    }

    private static var first: Coverage {
        var coverage = Coverage()
        coverage.rows = [
            row("v.a", calls: 3, met: [3, 0], sent: [true, false]), row("v.b", calls: 0, met: [0]), row("v.c", calls: 1, met: [1]),
            Coverage.Row(name: "v.told", isNotification: true, calls: 2),
        ]
        coverage.rules = [("v.r", true), ("v.s", false)]
        coverage.extra = [("GET /x", 1)]
        coverage.effects = ["delay"]
        coverage.closeCodes = [1006]
        return coverage
    }

    private static func words(_ coverage: Coverage) -> [String] {
        Coverage.Axis.allCases.map { "\($0) \(coverage.share($0).met)/\(coverage.share($0).all)" }
    }

    @Test func `Each axis counts what it is about, and a row is covered only if all of it was met`() {
        #expect(Self.words(Self.first) == ["operations 2/3", "answers 2/4", "refusals 0/1", "messages 1/1", "members 1/2", "rules 1/2"])
        #expect(Self.first.rows.map(\.state) == [.partial, .missing, .covered, .covered])
        #expect(Self.first.rows[0].words == "3 calls; not met: answer-1; not sent: /m1")
        #expect(Coverage().isEmpty && !Self.first.isEmpty)
        #expect(Coverage().share(.members).part == 1)
    }

    @Test func `Two runs together have met what either has`() {
        var second = Coverage()
        second.rows = [Self.row("v.a", calls: 1, met: [0, 1], sent: [false, true]), Self.row("v.d", calls: 1, met: [1])]
        second.rules = [("v.s", true)]
        second.extra = [("GET /x", 2)]
        let both = Self.first.merging(second)
        #expect(Self.words(both) == ["operations 3/4", "answers 4/5", "refusals 1/1", "messages 1/1", "members 2/2", "rules 2/2"])
        #expect(both.rows[0].state == .covered && both.extra.map(\.count) == [3])
    }

    @Test(
        arguments: [
            (Coverage.Axis.operations, 0.66, 0, [String]()),
            (.operations, 0.67, 1, ["coverage of operations is 2 of 3, below the minimum of 67%"]),
            (.refusals, 0.01, 1, ["coverage of refusals is 0 of 1, below the minimum of 1%"]), (.refusals, 0, 0, []),
        ])
    func `A minimum that is not reached fails the run, in every form of the report`(
        _ axis: Coverage.Axis, _ part: Double, _ status: Int32, _ complaints: [String]
    ) throws {
        var report = ReportSample.report([ReportSample.passed])
        report.coverage = Self.first
        var suite = SuiteReport(report, version: "1.2.3", now: .init(seconds: 0))
        suite.minimums = [(axis, part)]
        #expect(suite.exitStatus == status && suite.shortfalls == complaints)
        for complaint in complaints {
            #expect(suite.text(colour: false).contains(complaint) && suite.html().contains(complaint))
            #expect(suite.annotations.contains { $0.hasPrefix("::error") && $0.contains(complaint) })
        }
        let cases = try #require(ParsedElement.parse(suite.junit())).all("testcase").filter { $0.attributes["name"] == "covers-\(axis)" }
        #expect(cases.count == 1 && cases[0].all("failure").count == complaints.count)
        let read = try SuiteReport(json: try JSON(parsing: suite.json.bytes))
        #expect(read.json.text == suite.json.text && read.exitStatus == status)
    }

    @Test func `Nothing called reaches no minimum`() {
        var report = ReportSample.report([ReportSample.passed])
        report.coverage = Coverage()
        var suite = SuiteReport(report, version: "1.2.3", now: .init(seconds: 0))
        suite.minimums = [(.members, 0)]
        #expect(suite.exitStatus == 1)
        #expect(suite.shortfalls == ["coverage of members is 0 of 0, below the minimum of 0%"])
    }

    @Test func `Optional members are those that no schema requires, with their items and alternatives`() throws {
        let contracts = try Contract.load(directory: Self.contracts)
        let operation = try #require(contracts.first { $0.vendor == "liveperson" }?.operation("registerPush"))
        let schema = try #require(operation.requestBody?.mediaTypes[0].schema)
        #expect(schema.optionalMembers == ["/lang"])
    }

    private static let contracts = #filePath.components(separatedBy: "/Tests/")[0] + "/contracts"
}

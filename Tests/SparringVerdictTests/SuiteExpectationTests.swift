import SparringJournal
import Testing

@testable import SparringVerdict

/// The rules that a scenario expects, in the sandboxes of a suite of tests.
@Suite struct SuiteExpectationTests {
    private static func report(_ result: Verdict.Result, of scenario: String? = "storm", sandbox: String) -> VerdictReport {
        var expected = Verdict(rule: ReportSample.summary("clean-logout"), result: result, summary: "as it was")
        expected.isExpected = true
        return ReportSample.report([expected, ReportSample.passed], sandbox: sandbox, scenario: scenario)
    }

    private static func suite(_ plays: [[VerdictReport]]) -> SuiteReport {
        let time = Timestamp(milliseconds: 0)
        return SuiteReport(
            version: "1", command: ["true"],
            plays: plays.map { SuiteReport.Play(scenario: $0.first?.scenario, status: 0, began: time, ended: time, reports: $0) })
    }

    @Test func `one sandbox that meets the incident is enough for its play, and for no other`() {
        let (met, missed) = (Self.report(.pass, sandbox: "a"), Self.report(.notExercised, sandbox: "b"))
        #expect(Self.suite([[met, missed]]).exitStatus == 0)
        #expect(Self.suite([[met], [missed]]).exitStatus == 2)
        #expect(Self.suite([[met, Self.report(.notExercised, of: "calm", sandbox: "b")]]).exitStatus == 2)
        #expect(Self.suite([[Self.report(.fail, sandbox: "a"), missed]]).exitStatus == 1)
    }

    @Test(
        arguments: [
            ([.notExercised], "clean-logout was not exercised"), ([.excused], "clean-logout was excused"),
            ([.notExercised, .undecided], "clean-logout was not exercised"), ([.undecided], "clean-logout stayed undecided"),
            ([.inconclusive], "clean-logout could not be judged"), ([.pass], nil), ([.fail], nil),
        ] as [([Verdict.Result], String?)])
    func `a run that is unclear names a rule for it`(_ results: [Verdict.Result], _ words: String?) {
        let reports = results.enumerated().map { Self.report($0.element, sandbox: "s\($0.offset)") }
        #expect(Self.suite([reports]).unclearWords == words)
    }
}

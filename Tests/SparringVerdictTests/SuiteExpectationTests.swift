import SparringJSON
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

    @Test func `calls that matched nothing and fail the run are in every form of its report`() throws {
        var good = Self.report(.pass, sandbox: "a")
        good.contract = ContractFindings(gate: .all)
        var suite = Self.suite([[good, good]])
        let call = "a call matched nothing: GET /chat/9.0/whatever: no operation has this path"
        suite.plays[0].strays = 1
        suite.plays[0].notes = [.init(call, .stray), .init("something else, and not that a call matched nothing: it is a remark")]
        let words = "1 call matched nothing, and the run fails for it (--contract all)"
        #expect(suite.exitStatus == 1)
        let junit = try #require(ParsedElement.parse(suite.junit()))
        let failed = try #require(junit.all("failure").first)
        #expect(junit.all("failure").count == 1 && failed.attributes["message"] == words && suite.junit().contains("/chat/9.0/whatever"))
        #expect(suite.markdown.hasPrefix("### ❌") && suite.markdown.contains("/chat/9.0/whatever") && !suite.markdown.contains("something"))
        #expect(suite.annotations == ["::error title=\(words.replacing(",", with: "%2C"))::\(call)"], "\(suite.annotations)")
        #expect(suite.html().contains("<title>") && suite.html().contains(words))
        #expect(suite.json["strays"]?.string == words)
        #expect(suite.json["plays"]?.array?[0]["strayNotes"] == [.string(call)])
        #expect(try SuiteReport(json: suite.json).annotations == suite.annotations)
    }

    @Test func `an idle run is no success in a job's summary`() {
        var suite = Self.suite([[ReportSample.report([ReportSample.idle])]])
        suite.needsExercise = true
        #expect(suite.exitStatus == 2 && suite.markdown.hasPrefix("### ⚠️") && suite.markdown.contains("No request reached Sparring"))
        #expect(suite.annotations.contains { $0.hasPrefix("::error title=no request reached Sparring::") })
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

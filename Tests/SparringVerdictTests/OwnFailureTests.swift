import SparringJSON
import SparringJournal
import Testing

@testable import SparringVerdict

/// A client is not judged by a run in which Sparring itself failed.
@Suite struct OwnFailureTests {
    private static let rule = "retry: { of: liveperson.readUnread, schedule: [1s, 2s] }"
    private static let good = """
        1 call readUnread ada 503 unavailable
        2 call readUnread ada 200 unread-count
        """
    private static let bad = """
        1 call readUnread ada 503 unavailable
        1.1 call readUnread ada 503 unavailable
        1.2 call readUnread ada 503 unavailable
        """

    private static func entry(_ kind: String, _ code: String, _ cause: String, _ members: JSON = [:]) -> JSON {
        var entry: JSON = [
            "number": 9, "kind": .string(kind), "operation": "liveperson.readUnread", "lane": "ada",
            "sandboxTime": "2027-01-15T08:00:03.000Z", "arrival": ["monotonic": 3_000_000_000, "process": 1], "cause": .string(cause),
            "causeCode": .string(code),
        ]
        for (name, value) in members.object ?? [:] { entry[name] = value }
        return entry
    }

    struct Case: Sendable {
        var what: String
        var entries: [JSON] = []
        var unrecorded: (Int, String)?
        var failures: (unrecorded: Int, internalErrors: Int)
        var status: Int32
    }

    static let cases = [
        Case(what: "nothing failed", failures: (0, 0), status: 0),
        Case(
            what: "an answer of Sparring's own",
            entries: [entry("exchange", "failed", "Sparring failed: x", ["answer": ["status": 500, "outcome": "unavailable"]])],
            failures: (0, 1), status: 70),
        Case(what: "due work", entries: [entry("due", "failed", "Sparring failed: x")], failures: (0, 1), status: 70),
        Case(what: "the end of a socket", entries: [entry("finding", "failed", "Sparring failed: x")], failures: (0, 1), status: 70),
        Case(
            what: "calls that the journal says are missing",
            entries: [entry("finding", "unrecorded", "3 calls …", ["details": ["unrecorded": ["count": 3]]])], failures: (3, 0), status: 74),
        Case(what: "calls that it does not say are missing yet", unrecorded: (2, "2 calls …"), failures: (2, 0), status: 74),
        Case(
            what: "both", entries: [entry("due", "failed", "Sparring failed: x")], unrecorded: (2, "2 calls …"), failures: (2, 1),
            status: 74),
        Case(
            what: "an answer that broke the contract, which was given all the same",
            entries: [
                entry(
                    "finding", "failed", "Sparring's own answer x breaks the contract",
                    [
                        "findings": [
                            [
                                "code": "missing", "place": "body:/a", "words": "x",
                                "contract": ["document": "a.yaml", "path": "/a", "line": 1],
                            ]
                        ]
                    ])
            ], failures: (0, 0), status: 0),
        Case(
            what: "an answer that a fault made",
            entries: [
                entry(
                    "exchange", "fault", "fault 1", ["operation": "liveperson.other", "answer": ["status": 500, "outcome": "unavailable"]])
            ], failures: (0, 0),
            status: 0),
        Case(
            what: "a clock that went back between two processes", entries: [entry("clock", "failed", "the machine's clock is behind")],
            failures: (0, 0), status: 0),
    ]

    @Test(arguments: cases) func `what Sparring failed at makes the run inconclusive`(_ each: Case) throws {
        for (story, sound) in [(Self.good, Verdict.Result.pass), (Self.bad, .fail)] {
            let report = try Trial.report(Self.rule, story, until: 100, unrecorded: each.unrecorded, then: each.entries)
            let found = report.ownFailures
            #expect((found.unrecorded, found.internalErrors) == each.failures, "\(each.what)")
            let hasFailed = each.status != 0
            #expect(report.verdicts[0].result == (hasFailed ? .inconclusive : sound), "\(each.what)")
            #expect(report.result == (hasFailed ? .inconclusive : sound), "\(each.what)")
            #expect(report.exitStatus == (hasFailed ? each.status : sound == .fail ? 1 : 0), "\(each.what)")
            let read = try VerdictReport(json: report.wholeJSON)
            #expect(read.exitStatus == report.exitStatus && read.ownFailures.evidence.count == found.evidence.count, "\(each.what)")
        }
    }

    @Test func `a rule that was not exercised stays so, and the verdict says what was recorded`() throws {
        let failed = [Self.entry("due", "failed", "Sparring failed: x")]
        let idle = try Trial.report(Self.rule, "1 call other ada 200 x", until: 100, then: failed)
        #expect(idle.verdicts[0].result == .notExercised && idle.exitStatus == 70)
        let broken = try Trial.report(Self.rule, Self.bad, until: 100, then: failed)
        #expect(broken.verdicts[0].summary.hasPrefix("Sparring itself failed; by what was recorded: FAIL, attempt 2 "))
    }

    @Test func `every report says it first`() throws {
        let report = try Trial.report(
            Self.rule, Self.bad, until: 100, unrecorded: (20, "20 calls or events could not be recorded: disk is full"),
            then: [Self.entry("due", "failed", "Sparring failed: x")])
        let headline = "Sparring itself failed, so the client cannot be judged: 20 calls or events could not be recorded, 1 internal error"
        let lines = ["entry 9: liveperson.readUnread: Sparring failed: x", "20 calls or events could not be recorded: disk is full"]
        let text = report.text(colour: false)
        #expect(text.hasPrefix("\(headline)\n  \(lines[0])\n  \(lines[1])\n\nINCONCLUSIVE trial: "))
        #expect(text.contains("\n\(headline); seed 1"))

        let suite = SuiteReport(
            version: "1",
            plays: [.init(status: 0, began: Timestamp(seconds: 1), ended: Timestamp(seconds: 2), reports: [report])])
        #expect(suite.result == .inconclusive && suite.exitStatus == 74)
        #expect(suite.markdown.hasPrefix("### ⚠️ Sparring: \(headline)\n\n- entry 9: "))
        #expect(suite.annotations.first?.hasPrefix("::error title=Sparring itself failed%2C so") == true)
        let junit = try #require(ParsedElement.parse(suite.junit()))
        let first = try #require(junit.all("testsuite").first)
        #expect(first.attributes["name"] == "sparring" && first.all("error").first?.attributes["message"] == headline)
        let page = suite.html()
        #expect(page.contains("<h1>? \(headline)</h1>") || page.contains("<h1>✗ \(headline)</h1>"))
        let run = suite.sarif["runs"]?.array?.first?["invocations"]?.array?.first
        #expect(run?["executionSuccessful"] == false && run?["exitCode"] == 74)
        #expect(run?["toolExecutionNotifications"]?.array?.first?["message"]?["text"]?.string == headline)
        #expect(suite.json["exitStatus"] == 74 && suite.json["result"] == "inconclusive")
    }

    @Test func `of several plays the one whose Sparring failed decides`() throws {
        let failed = try Trial.report(Self.rule, Self.good, until: 100, unrecorded: (1, "x"))
        let plays = [try Trial.report(Self.rule, Self.bad, until: 100), failed].map {
            SuiteReport.Play(status: 3, began: Timestamp(seconds: 1), ended: Timestamp(seconds: 2), reports: [$0])
        }
        let suite = SuiteReport(version: "1", plays: plays)
        #expect(suite.exitStatus == 74 && suite.headline.contains("Sparring itself failed"))
    }
}

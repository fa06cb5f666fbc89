import SparringJournal
import Testing

@testable import SparringVerdict

/// A report as JUnit XML and as a page.
@Suite struct ReportMarkupTests {
    static let hostile = [
        "</title></style><script>alert(1)</script>", "a & b &amp; c", "\" onload=\"x", "' onload='x", "]]> <![CDATA[", "<!-- -->",
        "two\nlines", "a\r\nb\tc", "\u{0}\u{1}\u{8}\u{B}\u{1F}", "\u{FFFE}\u{FFFF}", "<\u{338} &\u{301} \"\u{301}", "🦊 naïve 日本",
    ]

    static func verdict(_ text: String) -> Verdict {
        var chain = ReportSample.chain
        chain.lane = text
        chain.what = text
        chain.attempts[0].outcome = text
        return Verdict(
            rule: ReportSample.summary(text, vendor: text, says: text, source: text, fidelity: text, platforms: [text]), result: .fail,
            summary: text, evidence: [.init(1, "first"), .init(2, text)], chains: [chain], because: text, isExpected: true)
    }

    @Test func `JUnit has a suite for each vendor and one for the contract, a case for each rule, and the run's properties`() throws {
        let report = ReportSample.report([
            ReportSample.passed, ReportSample.failed, ReportSample.idle, ReportSample.missed, ReportSample.doubtful,
        ])
        let root = try #require(ParsedElement.parse(report.junit()))
        #expect(root.name == "testsuites")
        #expect(
            root.attributes == ["name": "sparring", "tests": "5", "failures": "1", "errors": "2", "skipped": "0", "time": "38.400"])
        let suites = root.children
        #expect(suites.map(\.name) == ["testsuite", "testsuite", "testsuite"])
        #expect(suites.map { $0.attributes["name"] } == ["liveperson", "identity", "contract"])
        #expect(suites.map { $0.attributes["tests"] } == ["3", "1", "1"], "what was not exercised and not expected is left out")
        #expect(suites.map { $0.attributes["errors"] } == ["1", "1", "0"])
        #expect(suites[0].children.map(\.name) == ["properties"] + Array(repeating: "testcase", count: 3))
        let properties = suites[1].all("property").map { "\($0.attributes["name"] ?? "")=\($0.attributes["value"] ?? "")" }
        #expect(properties == ["seed=42", "scenario=socket-storm", "sandbox=default", "clock=wall clock × 1", "sparring=1.2.3"])
        let first = try #require(suites[0].all("testcase").first)
        #expect(first.attributes == ["name": "login-once", "classname": "sparring.liveperson", "time": "0.000"])
    }

    @Test(
        arguments: [
            (ReportSample.passed, nil, nil),
            (ReportSample.failed, "failure", "retry"),
            (ReportSample.missed, "error", "not-exercised"),
            (ReportSample.doubtful, "error", "inconclusive"),
            (ReportSample.undecided, "error", "undecided"),
            (ReportSample.advice, "system-out", nil),
        ] as [(Verdict, String?, String?)])
    func `in JUnit each result has its element`(verdict: Verdict, element: String?, type: String?) throws {
        let root = try #require(ParsedElement.parse(ReportSample.report([verdict]).junit()))
        let children = try #require(root.all("testcase").first).children
        #expect(children.map(\.name) == (element.map { [$0] } ?? []))
        #expect(children.first?.attributes["type"] == type)
        #expect(children.first?.attributes["message"] == (element == nil || element == "system-out" ? nil : verdict.summary))
    }

    @Test func `a failure in JUnit has the evidence and the retries as text`() throws {
        let root = try #require(ParsedElement.parse(ReportSample.report([ReportSample.failed]).junit()))
        let text = try #require(root.all("failure").first).text
        #expect(text.hasPrefix("socket-backoff, entry 15: "))
        #expect(text.contains("\nentry 16: \(ReportSample.missing)\n"))
        #expect(text.contains("\n4                 > 12.4 s  8.0 s (6.4 s to 12.0 s)           nothing came         missing"))
    }

    @Test(arguments: hostile)
    func `whatever strangers say, JUnit stays well-formed and says it`(hostile: String) throws {
        let report = ReportSample.report([Self.verdict(hostile)], sandbox: hostile, scenario: hostile)
        let root = try #require(ParsedElement.parse(report.junit()))
        let kept = hostile.xmlText
        #expect(
            root.whole.map(\.name) == [
                "testsuites", "testsuite", "properties", "property", "property", "property", "property", "property", "testcase", "failure",
                "testsuite", "properties", "property", "property", "property", "property", "property", "testcase",
            ])
        #expect(root.all("failure").first?.attributes["message"] == kept)
        #expect(root.all("testcase").first?.attributes["name"] == kept)
        #expect(root.all("property").filter { $0.attributes["value"] == kept }.count == 4)
    }

    @Test func `the page tells what it says nothing of`() throws {
        var report = ReportSample.report([ReportSample.passed])
        #expect(!report.html().contains("Not visible on the network"))
        report.unobservable = [
            Unobservable(vendor: "liveperson", says: "shows <one> badge", source: "SDK flows", because: "it is on the screen")
        ]
        let page = report.html()
        #expect(
            page.contains("<h2>Not visible on the network (1 requirement)</h2>") && page.contains("shows &lt;one&gt; badge")
                && page.contains("it is on the screen")
        )
        #expect(ParsedElement.parse(page) != nil)
    }

    @Test(arguments: hostile)
    func `whatever strangers say, it is text on the page`(hostile: String) throws {
        let kinds: [TimelineItem.Kind] = [.success, .failure, .lost, .notification, .opened, .closed, .clock, .fault, .mark]
        func timeline(_ text: String) -> [TimelineItem] {
            kinds.enumerated().map { ReportSample.item($0, $1, lane: text, text, outcome: text, faults: [1], at: Double($0)) }
        }
        let page = ReportSample.report([Self.verdict(hostile)], timeline: timeline(hostile), sandbox: hostile, scenario: hostile).html()
        let tame = ReportSample.report([Self.verdict("x")], timeline: timeline("x"), sandbox: "x", scenario: "x").html()
        let root = try #require(ParsedElement.parse(page))
        let expected = try #require(ParsedElement.parse(tame))
        #expect(Set(root.whole.map(\.name)).subtracting(expected.whole.map(\.name)).isEmpty)
        #expect(root.whole.filter { $0.name != "text" }.count == expected.whole.filter { $0.name != "text" }.count)
        #expect(Set(root.whole.flatMap(\.attributes.keys)) == Set(expected.whole.flatMap(\.attributes.keys)))
        // Line ends are one in XML, as in HTML.
        let kept = hostile.xmlText.replacing("\r\n", with: "\n")
        #expect(root.all("summary").first?.wholeText.contains(kept) == true)
    }

    @Test func `the page opens what failed and leads from evidence to the drawing`() throws {
        let report = ReportSample.report(
            [ReportSample.passed, ReportSample.failed, ReportSample.missed], timeline: [ReportSample.item(15, .failure, at: 1)])
        let page = report.html()
        let root = try #require(ParsedElement.parse(page))
        #expect(root.all("h1").first?.text == "✗ Attempt 3 came 900 ms after attempt 2; due after 4.0 s (3.2 s to 6.0 s)")
        #expect(page.contains("<p><b>socket-backoff</b> failed. 1 of 3 rules failed, 1 not exercised (1 expected).</p>"))
        #expect(root.all("h2").map(\.text) == ["What is wrong", "The run", "What was done well", "Rules"])
        let details = root.all("details")
        #expect(details.map { $0.attributes["open"] != nil } == [true, true, false, false])
        #expect(details[0].all("summary").first?.wholeText.contains("socket-backoff") == true)
        #expect(details[0].all("a").map { $0.attributes["href"] } == ["#e15"], "entry 16 is not drawn")
        #expect(root.whole.filter { $0.attributes["id"] == "e15" }.count == 1)
        let anchors = Set(root.whole.compactMap { $0.attributes["id"] })
        for link in root.all("a") where link.attributes["href"]?.hasPrefix("https:") != true {
            #expect(anchors.contains(String((link.attributes["href"] ?? "").dropFirst())))
        }
        #expect(
            details[0].all("tr").last?.children.map(\.wholeText) == [
                "4", "", "> 12.4 s", "8.0 s (6.4 s to 12.0 s)", "", "nothing came", "missing",
            ])
    }

    @Test(
        arguments: [
            ([ReportSample.passed], "✓ All rules that were exercised passed"),
            ([ReportSample.idle], "– No rule was exercised"),
            ([ReportSample.passed, ReportSample.missed, ReportSample.doubtful], "? 2 of 3 rules are open"),
            ([], "– No rule was exercised"),
        ] as [([Verdict], String)])
    func `the page's headline says the result`(verdicts: [Verdict], headline: String) throws {
        var report = ReportSample.report(verdicts)
        #expect(verdicts.contains { $0.result != .notExercised } || report.html().contains("– No request reached the sandbox"))
        report.calls = 3
        let root = try #require(ParsedElement.parse(report.html()))
        #expect(root.all("h1").map(\.text) == [headline])
        #expect(root.all("svg").isEmpty || !verdicts.isEmpty)
    }

    @Test func `the page needs nothing from elsewhere`() {
        let page = ReportSample.crowd.html()
        for word in ["<script", "http:", "src=", "url(", "@import", "<link"] { #expect(!page.contains(word), "\(word)") }
    }

    @Test func `rules that were not exercised are folded away, and shown where all are wanted`() throws {
        let report = ReportSample.report([ReportSample.passed, ReportSample.idle])
        var suite = SuiteReport(report, version: "1", now: Timestamp(seconds: 0))
        let folded = try #require(ParsedElement.parse(suite.html()))
        #expect(folded.all("summary").map(\.wholeText).contains("1 rule was not exercised"))
        suite.showsAllRules = true
        let all = try #require(ParsedElement.parse(suite.html()))
        #expect(!all.all("summary").map(\.wholeText).contains("1 rule was not exercised"))
        #expect(suite.junit().contains("<skipped message=\"there was no second login\""))
    }

    @Test(arguments: [
        ("RFC 6749 §4.1.2", "https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2"), ("RFC 9110", "https://www.rfc-editor.org/rfc/rfc9110"),
        ("as RFC 7519 section 2 has it", "https://www.rfc-editor.org/rfc/rfc7519#section-2"), ("SDK flows 3", nil),
    ])
    func `a source that names an RFC leads to it`(source: String, url: String?) throws {
        let root = try #require(ParsedElement.parse("<p>\(SourceLink(source).markup.text)</p>"))
        #expect(root.all("a").first?.attributes["href"] == url && root.wholeText.count == source.count)
    }

    @Test func `a page of two thousand events in fifty lanes stays small`() throws {
        let page = ReportSample.crowd.html()
        #expect(page.utf8.count < 600_000, "\(page.utf8.count)")
        let root = try #require(ParsedElement.parse(page))
        let run = try #require(root.all("svg").first { $0.attributes["class"] == "run" })
        #expect(run.children.filter { $0.name == "g" }.count == 2000)
        #expect(root.whole.first { $0.attributes["class"] == "lanes" }?.children.count == 45 + 5)
    }
}

import SparringJSON
import Testing

@testable import SparringVerdict

/// A report as text, as JSON and to GitHub.
@Suite struct ReportTests {
    @Test func `the text tells what is wrong first, with the retries in a table`() {
        let report = ReportSample.report([ReportSample.passed, ReportSample.idle, ReportSample.missed, ReportSample.failed])
        #expect(
            report.text(colour: false) == """
                FAIL socket-backoff, entry 15: attempt 3 came 900 ms after attempt 2; due after 4.0 s (3.2 s to 6.0 s) (and 1 more)
                  says     Tries again after 2 s, 4 s and 8 s, and no more.
                  because  the gateway is away
                  source   reference §5
                  entry 16: attempt 4 was due 8.0 s (6.4 s to 12.0 s) after attempt 3 and did not come within 12.4 s

                  liveperson.openSocket of alice, then nothing for 12.4 s
                  attempt  entries  waited    due                      off by   answer               judged
                  1        7, 8                                                 no answer            first
                  2        12       2.1 s     2.0 s (1.6 s to 3.0 s)   +100 ms  service-unavailable  good
                  3        15       900 ms    4.0 s (3.2 s to 6.0 s)   −3.1 s   service-unavailable  early
                  4                 > 12.4 s  8.0 s (6.4 s to 12.0 s)           nothing came         missing

                NOT EXERCISED clean-logout: there was no logout
                  says     Closes its socket before it signs out.
                  because  the consumer signs out
                  source   reference §5

                pass login-once  done 3 times
                1 rule was not exercised

                1 of 4 rules failed, 2 not exercised (1 expected); seed 42, scenario socket-storm, wall clock × 1, 38.4 s watched

                """)
    }

    @Test func `rules that were not exercised are named only where all are asked for`() {
        let report = ReportSample.report([ReportSample.passed, ReportSample.idle])
        #expect(!report.text(colour: false).contains("fresh-code"))
        #expect(report.text(colour: false, verbose: true).contains("not exercised fresh-code  there was no second login\n"))
        #expect(report.text(colour: false, verbose: true).contains("pass          login-once  done 3 times\n"))
        #expect(!report.text(colour: false, verbose: true).contains("1 rule was not exercised"))
    }

    @Test func `what is undecided is no pass, and the text says what to do`() {
        let open = Verdict(rule: ReportSample.summary("r"), result: .undecided, summary: "0.4 s of 38.4 s watched after entry 12")
        func text(_ verdicts: [Verdict]) -> String { ReportSample.report(verdicts).text(colour: false) }
        #expect(
            text([open]).contains(
                "\n\n1 undecided rule does not fail the run: to have it judged, keep the client running longer, or use --settle\n\n0 of 1 rule"
            ))
        #expect(text([open, open]).contains("2 undecided rules do not fail the run: to have them judged,"))
        var wanted = open
        wanted.isExpected = true
        #expect(!text([wanted, ReportSample.passed]).contains("not fail the run"))
    }

    @Test func `what the client did well is not among what it is blamed for`() {
        var blame = Verdict.Evidence(4, "came twice")
        blame.isAgainst = true
        let favour = Verdict.Evidence(7, "came once")
        func text(_ result: Verdict.Result, _ summary: String, _ evidence: [Verdict.Evidence]) -> String {
            var verdict = Verdict(rule: ReportSample.summary("r"), result: result, summary: summary, evidence: evidence)
            verdict.isExpected = true
            return ReportSample.report([verdict]).text(colour: false)
        }
        #expect(!text(.fail, "came twice", [blame, favour]).contains("entry 7"))
        #expect(text(.inconclusive, "12 entries have left the journal", [blame, favour]).contains("  entry 4: came twice\n"))
        #expect(text(.inconclusive, "12 entries have left the journal", [favour]).contains("  entry 7: came once\n"))
    }

    @Test(arguments: [(0.0, ""), (1, ""), (20, ", sandbox clock at rate 20")])
    func `the rate of the sandbox's clock is in the last line, if it is not the machine's`(rate: Double, words: String) throws {
        var report = ReportSample.report([ReportSample.passed])
        report.timing.rate = rate
        #expect(report.text(colour: false).contains("wall clock × 1\(words), 38.4 s"))
        #expect(try VerdictReport(json: report.wholeJSON).text(colour: false) == report.text(colour: false))
    }

    @Test func `colours are only added`() {
        let report = ReportSample.report([ReportSample.failed, ReportSample.doubtful, ReportSample.passed, ReportSample.missed])
        let coloured = report.text(colour: true)
        #expect(coloured.contains("\u{1B}[1;31mFAIL\u{1B}[0m socket-backoff"))
        #expect(coloured.replacing(/\u{1B}\[[0-9;]*m/, with: "") == report.text(colour: false))
        #expect(!report.text(colour: false).contains("\u{1B}"))
    }

    @Test(
        arguments: [
            ([], "no rules were judged"),
            ([ReportSample.passed], "1 of 1 rule passed"),
            ([ReportSample.idle, ReportSample.idle], "0 of 2 rules passed, 2 not exercised"),
            ([ReportSample.passed, ReportSample.doubtful], "1 of 2 rules passed, 1 inconclusive"),
            (
                [ReportSample.failed, ReportSample.doubtful, ReportSample.missed],
                "1 of 3 rules failed, 1 inconclusive, 1 not exercised (1 expected)"
            ),
        ] as [([Verdict], String)])
    func `the last line of the text counts`(verdicts: [Verdict], words: String) {
        let report = ReportSample.report(verdicts, scenario: nil, pruned: 7)
        #expect(report.text(colour: false).hasSuffix(words + "; seed 42, wall clock × 1, 38.4 s watched, 7 entries lost\n"))
    }

    @Test(arguments: [("a\nFAIL b", #"a\nFAIL b"#), ("\u{1B}[0mgone", #"\u{1B}[0mgone"#), ("\r\u{7F}\u{9B}", #"\r\u{7F}\u{009B}"#)])
    func `what strangers say neither steers the terminal nor makes lines of its own`(hostile: String, shown: String) {
        func text(_ said: String) -> String {
            var chain = ReportSample.chain
            chain.lane = said
            chain.attempts[0].outcome = said
            let verdict = Verdict(
                rule: ReportSample.summary("r", says: said, source: said), result: .fail, summary: said, evidence: [.init(nil, said)],
                chains: [chain], because: said)
            return ReportSample.report([verdict, ReportSample.passed], scenario: said).text(colour: false)
        }
        #expect(text(hostile) == text(shown))
        #expect(text(hostile).contains("FAIL r: \(shown)\n"))
        #expect(text(hostile).unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
    }

    @Test(arguments: [
        (
            ContractFindings.Gate.verified, ContractFindings.Weight.fail,
            "The client broke the contract 21 times, and the run fails for it", Int32(1)
        ),
        (.warn, .fail, "The client broke the contract 21 times", 0),
        (.verified, .warn, "Against the contract, but no reason to fail, 21 times", 0),
        (.verified, .notEmulated, "Not in the contract, or not emulated, 21 times", 0),
    ])
    func `every form of the report lists broken contracts, and the gate decides whether the run fails`(
        gate: ContractFindings.Gate, weight: ContractFindings.Weight, heading: String, status: Int32
    ) throws {
        var report = ReportSample.report([ReportSample.passed])
        #expect(!report.text(colour: false).contains("contract"))
        report.contract = ContractFindings(gate: gate)
        for entry in 1...21 { report.contract.add(ReportSample.finding(weight, entry: entry)) }
        #expect(report.exitStatus == status)
        #expect(
            report.text(colour: false).contains(
                "\n\(heading):\n  entries 1 to 21: query parameter appId: required (21 times; 0123456789abcdef)\n"))
        #expect(report.html().contains("<h2>\(heading)</h2>"))
        #expect(report.annotations.first?.contains("title=\(heading.replacing(",", with: "%2C"))::entries 1 to 21: query") == true)
        #expect(report.json["contract"]?["findings"]?.array?.count == 1)
        let junit = try #require(ParsedElement.parse(report.junit()))
        let cases = junit.all("testcase").filter { $0.attributes["name"] == "keeps-the-contract" }
        #expect(cases.count == 1 && cases[0].all("failure").count == Int(status) && cases[0].all("system-out").count == 1 - Int(status))
        if status == 1 {
            let message = "query parameter appId: required (the client broke the contract 21 times, and the run fails for it)"
            #expect(cases[0].all("failure").first?.attributes["message"] == message)
        }
        report.contract = ContractFindings(gate: .off)
        report.contract.add(ReportSample.finding(weight, entry: 1))
        #expect(!report.text(colour: false).contains("contract") && report.exitStatus == 0)
    }

    @Test(arguments: [1, 5, 6, 8])
    func `text names the first five known violations`(_ count: Int) {
        var report = ReportSample.report([ReportSample.passed])
        for number in 1...count {
            report.contract.add(
                ContractFinding(
                    .known, fingerprint: "000000000000000\(number)", code: "missing", operation: "liveperson.login",
                    words: "number \(number)",
                    first: number))
        }
        let times = count == 1 ? "once" : "\(count) times"
        let lines = (1...min(count, 5)).map { "  entry \($0): number \($0) (000000000000000\($0))\n" }.joined()
        let rest = count > 5 ? "  and \(count - 5) more\n" : ""
        let text = report.text(colour: false)
        #expect(text.contains("\nAgainst the contract, known and not counted, \(times):\n\(lines)\(rest)\n"), "\(text)")
        #expect(report.annotations.isEmpty && report.exitStatus == 0)
    }

    @Test func `the JSON has every member in its order, and leaves out what is not known`() throws {
        let json = ReportSample.report([ReportSample.failed], scenario: nil, watched: 38.40049).json
        let expected = """
            {"sandbox":"default","seed":42,"timing":{"basis":"wall","scale":1.0,"jitterFloor":0.025},"result":"fail",\
            "ownFailures":{"unrecorded":0,"internalErrors":0},\
            "counts":{"pass":0,"fail":1,"advice":0,"undecided":0,"excused":0,"notExercised":0,"inconclusive":0},"entries":120,"calls":0,"pruned":0,"watched":38.4,"verdicts":[\
            {"rule":"socket-backoff","vendor":"liveperson","kind":"retry","result":"fail","expected":true,"because":"the gateway is away",\
            "summary":"\(ReportSample.early) (and 1 more)","says":"Tries again after 2 s, 4 s and 8 s, and no more.",\
            "source":"reference §5","fidelity":"verified","platforms":["ios"],\
            "evidence":[{"entry":15,"words":"\(ReportSample.early)","against":true},{"entry":16,"words":"\(ReportSample.missing)","against":true}],\
            "chains":[{"lane":"alice","what":"liveperson.openSocket","watched":12.4,"attempts":[\
            {"number":1,"entries":[7,8],"seen":0.0,"outcome":"no answer","judged":"first"},\
            {"number":2,"entries":[12],"seen":2.31,"waited":2.1,"due":2.0,"earliest":1.6,"latest":3.0,"offBy":0.1,"outcome":"service-unavailable",\
            "judged":"good"},\
            {"number":3,"entries":[15],"seen":3.4,"waited":0.9,"due":4.0,"earliest":3.2,"latest":6.0,"offBy":-3.1,"outcome":"service-unavailable",\
            "judged":"early"},\
            {"number":4,"entries":[],"seen":16.2,"due":8.0,"earliest":6.4,"latest":12.0,"outcome":"nothing came","judged":"missing"}]}]}],\
            "client":{"platforms":[],"flows":[]},\
            "contract":{"gate":"verified","counts":{"fail":0,"warn":0,"notEmulated":0,"refused":0,"own":0,"known":0},"findings":[]}}
            """
        #expect(json.text == expected)
        #expect(ReportSample.report([]).json["scenario"] == "socket-storm")
        #expect(
            try JSON(parsing: ReportSample.report([ReportSample.missed]).json.bytes)["verdicts"]?[JSONPointer("/0/result")!]
                == "not-exercised")
    }

    @Test func `GitHub gets errors for what failed and warnings for what could not be judged`() {
        let report = ReportSample.report([
            ReportSample.passed, ReportSample.idle, ReportSample.missed, ReportSample.doubtful, ReportSample.failed,
        ])
        let failed = """
            ::error title=socket-backoff (liveperson)%3A failed::entry 15: \(ReportSample.early) (and 1 more)%0A\
            Tries again after 2 s, 4 s and 8 s, and no more.%0ABecause: the gateway is away%0ASource: reference §5
            """
        let doubtful = """
            ::warning title=token-refresh (identity)%3A inconclusive::12 entries have left the journal%0A\
            Takes a new token in time.%0ASource: reference §5
            """
        let idle = """
            ::warning title=clean-logout (liveperson)%3A not exercised::there was no logout%0A\
            Closes its socket before it signs out.%0ABecause: the consumer signs out%0ASource: reference §5
            """
        #expect(report.annotations == [failed, doubtful, idle])
    }

    @Test(arguments: [
        ("a,b:c", "a%2Cb%3Ac", "a,b:c"), ("100%", "100%25", "100%25"), ("%0A", "%250A", "%250A"), ("a\r\nb", "a%0D%0Ab", "a%0D%0Ab"),
        ("\u{1B}[0m::stop", "[0m%3A%3Astop", "[0m::stop"),
    ])
    func `a workflow command cannot be broken out of`(hostile: String, property: String, data: String) {
        let verdict = Verdict(rule: ReportSample.summary(hostile, says: "s", source: "t"), result: .fail, summary: hostile)
        let expected = "::error title=\(property) (liveperson)%3A failed::\(data)%0As%0ASource: t"
        #expect(ReportSample.report([verdict]).annotations == [expected])
    }
}

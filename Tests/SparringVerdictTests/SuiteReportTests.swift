import SparringJSON
import SparringJournal
import Testing

@testable import SparringVerdict

/// The report on a run of several plays.
@Suite struct SuiteReportTests {
    private static func play(_ scenario: String?, _ status: Int32?, _ reports: [VerdictReport]) -> SuiteReport.Play {
        var play = SuiteReport.Play(
            scenario: scenario, status: status, began: Timestamp(seconds: 1_800_000_000), ended: Timestamp(seconds: 1_800_000_003),
            reports: reports)
        play.output = "said <so> & \u{1}so"
        play.again = "sparring run --scenario '\(scenario ?? "")' -- ./tests"
        play.notes = ["a call matched nothing"]
        return play
    }

    private static func suite(_ plays: [SuiteReport.Play]) -> SuiteReport {
        SuiteReport(version: "1.2.3", command: ["./tests", "-v"], plays: plays)
    }

    private static let good = ReportSample.report([ReportSample.passed, ReportSample.idle], sandbox: "sandbox-1", scenario: nil)
    private static let bad = ReportSample.report(
        [ReportSample.failed, ReportSample.passed, ReportSample.advice], timeline: [ReportSample.item(15, .failure, at: 1)],
        sandbox: "sandbox-2")
    private static let open = ReportSample.report([ReportSample.missed, ReportSample.passed], sandbox: "sandbox-3")
    private static let idle = ReportSample.report([ReportSample.idle], sandbox: "sandbox-4", scenario: nil)

    @Test(
        arguments: [
            ([play(nil, 0, [good])], 0, Verdict.Result.pass), ([play(nil, 0, [good]), play("a", 0, [bad])], 1, .fail),
            ([play(nil, 3, [good]), play("a", 4, [open])], 3, .notExercised), ([play(nil, 3, [bad])], 1, .fail),
            ([play("a", 0, [open])], 2, .notExercised), ([play(nil, 0, [idle])], 0, .notExercised),
            ([play(nil, nil, [good, idle])], 0, .pass),
            ([], 0, .notExercised),
        ] as [([SuiteReport.Play], Int32, Verdict.Result)])
    func `the exit status is the worst of verdicts and commands`(plays: [SuiteReport.Play], status: Int32, result: Verdict.Result) {
        #expect(Self.suite(plays).exitStatus == status && Self.suite(plays).result == result)
    }

    @Test func `a rule that was asked for by name is missed only where no sandbox exercised it`() {
        var named = ReportSample.idle
        named.isNamed = true
        var exercised = ReportSample.passed
        exercised.isNamed = true
        exercised.rule = named.rule
        let missed = ReportSample.report([named])
        #expect(Self.suite([Self.play("a", 0, [missed])]).exitStatus == 2)
        #expect(Self.suite([Self.play("a", 0, [missed]), Self.play("b", 0, [ReportSample.report([exercised])])]).exitStatus == 0)
    }

    @Test func `the JSON has a format and reads back as it was`() throws {
        var whole = Self.bad
        var redaction = Redaction()
        whole.exchanges = [
            try #require(
                ReportedExchange(
                    Array(
                        #"{"number":15,"kind":"exchange","operation":"a.b","sandboxTime":"t","request":{"method":"GET","target":"/x","headers":{"a":"b"},"body":"c"}}"#
                            .utf8), &redaction))
        ]
        whole.sources = [Source(name: "reference", says: "our notes", url: nil)]
        whole.unobservable = [Unobservable(vendor: "v", says: "s", source: "t", because: "u")]
        whole.caveats = ["it depends"]
        for entry in [3, 9] {
            var finding = ReportSample.finding(.fail, entry: entry)
            finding.lanes = ["alice"]
            finding.basis = Finding.Basis(document: "x.openapi.yaml", path: "$.components", file: "own.yaml", line: 7)
            finding.actions = [["target": "$.components.parameters.AppId", "update": ["required": false]]]
            whole.contract.add(finding)
        }
        let suite = Self.suite([Self.play("a", 1, [whole, Self.open]), Self.play(nil, 0, [Self.idle])])
        let json = suite.json
        #expect(json["format"] == 1 && json["sparring"] == "1.2.3" && json["exitStatus"] == 1 && json["result"] == "fail")
        let read = try SuiteReport(json: try JSON(parsing: json.bytes))
        #expect(read.json.text == json.text)
        #expect(read.html() == suite.html() && read.text(colour: true) == suite.text(colour: true))
        #expect(read.junit() == suite.junit() && read.sarif == suite.sarif)
    }

    @Test(arguments: [
        (#"{"format":2}"#, "format: format 2 is not one"), (#"{}"#, "format: this is not a Sparring report"),
        (#"{"format":1,"sparring":"1","plays":[{"began":"yesterday","ended":""}]}"#, "plays[0].began: expected a time"),
        (#"{"format":1,"sparring":"1","plays":{}}"#, "plays: this is not a Sparring report: expected a list"),
    ])
    func `what is no report is refused with its place`(text: String, words: String) throws {
        let json = try JSON(parsing: text)
        let error = #expect(throws: ConfigurationError.self) { try SuiteReport(json: json) }
        #expect(error?.description.hasPrefix(words) == true, "\(String(describing: error))")
    }

    @Test func `JUnit has each command as a case, and each sandbox under a name of its own`() throws {
        let suite = Self.suite([Self.play("a", 3, [Self.bad, Self.good]), Self.play("b", 0, [Self.open])])
        let root = try #require(ParsedElement.parse(suite.junit(host: "ci")))
        #expect(
            root.children.map { $0.attributes["name"] } == [
                "command", "a / sandbox-2: liveperson", "a / sandbox-2: contract", "a / sandbox-1: liveperson", "a / sandbox-1: contract",
                "b: liveperson",
                "b: contract",
            ])
        #expect(root.children.allSatisfy { $0.attributes["hostname"] == "ci" && $0.attributes["timestamp"] == "2027-01-15T08:00:00" })
        let commands = root.children[0].all("testcase")
        #expect(commands.map { $0.attributes["name"] } == ["command in a", "command in b"])
        #expect(commands.map { $0.all("error").count } == [1, 0])
        #expect(commands[0].all("error").first?.attributes["message"] == "the command exited with 3")
        #expect(commands[0].all("system-out").first?.text == "a call matched nothing\nsaid <so> & so")
        let names = root.all("testcase").map { ($0.attributes["classname"] ?? "") + "." + ($0.attributes["name"] ?? "") }
        #expect(Set(names).count == names.count, "dashboards distinguish cases by these")
        #expect(root.attributes["errors"] == String(root.all("error").count) && root.attributes["failures"] == "1")
    }

    /// A fixture may make a sandbox that its test does not use: that fails no run.
    @Test func `a sandbox that no request reached does not hide among others`() throws {
        var (reached, silent) = (Self.good, Self.idle)
        (reached.calls, reached.label, silent.label) = (3, "test_a", "test_b")
        let suite = Self.suite([Self.play(nil, 0, [reached, silent])])
        #expect(suite.exitStatus == 0)
        let text = suite.text(colour: false)
        #expect(text.contains("\nnot exercised test_b  no request reached it\n"), "\(text)")
        #expect(text.hasSuffix("\n1 of 2 sandboxes passed, 1 not exercised, 1 reached by no request\n"), "\(text)")
        let root = try #require(ParsedElement.parse(suite.junit()))
        let row = try #require(root.all("testcase").first { $0.attributes["name"] == "is-reached" })
        #expect(row.attributes["classname"] == "sparring.test_b.requests")
        #expect(row.all("skipped").first?.attributes["message"] == "no request reached it")
        #expect(root.all("testcase").count { $0.attributes["name"] == "is-reached" } == 1)
        #expect(suite.markdown.contains("| – | test\\_b | ") && suite.markdown.contains("| no request reached it |"), "\(suite.markdown)")
        #expect(suite.html().contains("no request reached it"))

        // Where nothing reached any of them, the run says so.
        let quiet = Self.suite([Self.play(nil, 0, [Self.idle, Self.idle])])
        #expect(!quiet.text(colour: false).contains("reached") && !quiet.junit().contains("is-reached"))
    }

    @Test func `a known violation that no sandbox shows any more is named`() throws {
        let known = [
            FindingBaseline.Known(fingerprint: "0123456789abcdef"),
            FindingBaseline.Known(fingerprint: "fedcba9876543210", operation: "liveperson.login", place: "body:/a", code: "missing"),
        ]
        func suite(_ seen: [Bool], calls: Int = 3, gate: ContractFindings.Gate = .verified) -> SuiteReport {
            let reports = seen.enumerated().map { index, isSeen in
                var report = ReportSample.report([ReportSample.passed], sandbox: "sandbox-\(index)", scenario: nil)
                report.contract = ContractFindings(gate: gate, known: FindingBaseline(known))
                if isSeen { report.contract.add(ReportSample.finding(.known, entry: 3)) }
                report.calls = calls
                return report
            }
            return Self.suite([Self.play(nil, 0, reports)])
        }
        let line = "  liveperson.login body:/a missing (fedcba9876543210)\n"
        for seen in [[true], [false, true]] {
            let text = suite(seen).text(colour: false)
            let heading = "\nKnown, but no longer seen; if all tests ran, take it out, or write the file again with --write-known:\n"
            #expect(text.hasSuffix(heading + line), "\(text)")
        }
        #expect(
            suite([false]).text(colour: false).hasSuffix(
                "take them out, or write the file again with --write-known:\n  (0123456789abcdef)\n" + line))
        for (form, text) in [
            ("html", suite([false, true]).html()), ("markdown", suite([false, true]).markdown),
            ("annotations", suite([false, true]).annotations.last ?? ""),
        ] {
            #expect(
                text.contains("no longer seen") && text.contains("liveperson.login body:/a missing (fedcba9876543210)"), "\(form): \(text)")
        }
        #expect(suite([false, true]).annotations.last?.hasPrefix("::warning title=Known%2C but no longer seen") == true)
        #expect(suite([true]).exitStatus == 0)
        #expect(
            suite([true]).json["stale"] == [
                ["fingerprint": "fedcba9876543210", "operation": "liveperson.login", "place": "body:/a", "code": "missing"]
            ])
        let junit = try #require(ParsedElement.parse(suite([true]).junit()))
        let row = try #require(junit.all("testcase").first { $0.attributes["name"] == "baseline-is-current" })
        #expect(row.all("skipped").first?.text == "liveperson.login body:/a missing (fedcba9876543210)")
        #expect(suite([false], calls: 0).stale.isEmpty && suite([false], gate: .off).stale.isEmpty)
        var one = suite([false])
        one.command = []
        #expect(!one.junit().contains("baseline-is-current") && one.json["stale"] == nil && !one.html().contains("no longer seen"))
        #expect(one.stale.isEmpty, "one sandbox shows nothing of the others")
    }

    @Test func `SARIF says that nothing was exercised`() {
        var suite = Self.suite([Self.play(nil, 0, [Self.idle])])
        func invocation() -> JSON? { suite.sarif["runs"]?.array?.first?["invocations"]?.array?.first }
        #expect(invocation()?["executionSuccessful"] == true && invocation()?["toolExecutionNotifications"] == nil)
        suite.needsExercise = true
        #expect(invocation()?["executionSuccessful"] == false && invocation()?["exitCode"] == 2)
        let words = "no request reached Sparring: --allow-unexercised makes that good"
        #expect(invocation()?["toolExecutionNotifications"] == [["level": "error", "message": ["text": .string(words)]]])
        suite.plays[0].reports[0].calls = 3
        #expect(
            invocation()?["toolExecutionNotifications"]?.array?.first?["message"]?["text"]
                == "no rule was exercised: --allow-unexercised makes that good")
    }

    /// Code scanning shows messages, and no properties.
    @Test(
        arguments: [
            (nil, nil, "(sandbox-2: fail)", "query parameter appId: required"),
            (nil, "test_login", "(test_login: fail)", "query parameter appId: required (test_login)"),
            ("a", "test_login", "(a / test_login: fail)", "query parameter appId: required (a / test_login)"),
        ] as [(String?, String?, String, String)])
    func `SARIF names the test where it says what is wrong`(
        _ scenario: String?, _ label: String?, _ broken: String, _ violation: String
    ) {
        var report = ReportSample.report([ReportSample.failed], sandbox: "sandbox-2", scenario: nil)
        report.label = label
        report.contract.add(ReportSample.finding(.fail, entry: 3))
        let results = Self.suite([Self.play(scenario, 0, [report])]).sarif["runs"]?.array?.first?["results"]?.array ?? []
        let words = results.compactMap { $0["message"]?["text"]?.string }
        #expect(words.count == 2 && words[0] == violation && words[1].hasSuffix(broken), "\(words)")
    }

    @Test func `the only sandbox of a scenario's play has its test's name too`() {
        var report = ReportSample.report([ReportSample.passed], sandbox: "sandbox-2", scenario: "storm")
        report.label = "test_login"
        #expect(Self.suite([Self.play("storm", 0, [report])]).sections.map(\.name) == ["storm / test_login"])
        #expect(Self.suite([Self.play(nil, 0, [report])]).sections.map(\.name) == ["test_login"])
    }

    @Test func `SARIF names the first sandboxes of a violation, and counts the others`() {
        let reports = (1...5).map { number in
            var report = ReportSample.report([ReportSample.passed], sandbox: "sandbox-\(number)", scenario: nil)
            report.contract.add(ReportSample.finding(.fail, entry: number))
            return report
        }
        let results = Self.suite([Self.play(nil, 0, reports)]).sarif["runs"]?.array?.first?["results"]?.array ?? []
        #expect(
            results.first?["message"]?["text"] == "query parameter appId: required (sandbox-1, sandbox-2, sandbox-3 and 2 more)")
    }

    @Test func `the page of several has a matrix whose cells lead to the verdicts, and ids that are its own`() throws {
        let suite = Self.suite([Self.play("a", 3, [Self.bad]), Self.play("b", 0, [Self.open]), Self.play(nil, 0, [Self.bad])])
        let root = try #require(ParsedElement.parse(suite.html()))
        let matrix = try #require(root.all("table").first { $0.attributes["class"] == "matrix" })
        #expect(matrix.all("tr").count == 4)
        #expect(matrix.all("tr")[1].children.map(\.wholeText) == ["a", "✗", "3", "✗", "✓", "!", ""])
        #expect(matrix.all("tr")[2].children.map(\.wholeText) == ["b", "?", "0", "", "✓", "", "?"])
        let ids = root.whole.compactMap { $0.attributes["id"] }
        #expect(Set(ids).count == ids.count)
        for link in root.all("a") where link.attributes["href"]?.hasPrefix("#") == true {
            #expect(ids.contains(String((link.attributes["href"] ?? "").dropFirst())), "\(link.attributes["href"] ?? "")")
        }
        #expect(root.all("h1").first?.text == "✗ 2 of 3 sandboxes failed, 1 not exercised, 1 of 3 commands failed")
    }

    @Test func `the text of several has a line for each, and all of those that something is wrong with`() {
        let text = Self.suite([Self.play("a", 3, [Self.bad]), Self.play("b", 0, [Self.good])]).text(colour: false)
        #expect(text.contains("── a ─") && !text.contains("── b ─"))
        #expect(text.contains("\nFAIL          a  socket-backoff  (the command exited with 3)\npass          b  \n"))
        #expect(text.hasSuffix("\na failed: socket-backoff, 1 of 2 commands failed\n"))
    }

    @Test func `a broken contract is named by its first violation`() throws {
        func broken(_ count: Int, _ verdicts: [Verdict], words: String = "liveperson.login: body.a: required") -> VerdictReport {
            var report = ReportSample.report(verdicts, scenario: nil)
            report.label = "test_a"
            for number in 1...count {
                report.contract.add(
                    ContractFinding(
                        .fail, fingerprint: "000000000000000\(number)", code: "missing", operation: "liveperson.login", words: words))
            }
            return report
        }
        func row(_ report: VerdictReport) -> String? {
            let text = Self.suite([Self.play(nil, 0, [report, Self.good])]).text(colour: false)
            return text.split(separator: "\n").last { $0.hasPrefix("FAIL  ") }.map { String($0) }
        }
        let words = "liveperson.login: body.a: required"
        #expect(row(broken(1, [ReportSample.passed])) == "FAIL          test_a     \(words)")
        #expect(row(broken(3, [ReportSample.failed])) == "FAIL          test_a     socket-backoff; \(words) and 2 more")
        let long = String(repeating: "x", count: 300)
        #expect(row(broken(1, [], words: long))?.hasSuffix("  \(long.prefix(159))…") == true)

        let suite = Self.suite([Self.play(nil, 0, [broken(3, [ReportSample.passed]), Self.good])])
        let sentence = "\(words) and 2 more (the client broke the contract 3 times, and the run fails for it)"
        #expect(suite.markdown.contains("| \(sentence) |"), "\(suite.markdown)")
        let junit = try #require(ParsedElement.parse(suite.junit()))
        #expect(junit.all("failure").first?.attributes["message"] == sentence)
        #expect(suite.headline.hasPrefix("test_a failed: the contract was broken"))
    }

    @Test func `GitHub's summary has a row for each, and strangers' words are no markup`() {
        var hostile = ReportSample.failed
        hostile.summary = "a|b <b>x</b> [l](u) `c`\n# d"
        let markdown = Self.suite([Self.play("a", 0, [ReportSample.report([hostile])]), Self.play("b", 0, [Self.good])]).markdown
        let rows = markdown.split(separator: "\n").filter { $0.hasPrefix("|") }
        #expect(rows.count == 4 && markdown.hasPrefix("### ❌ Sparring: a failed: socket-backoff"))
        #expect(rows[2].contains(##"`socket-backoff`: a\|b &lt;b&gt;x&lt;/b&gt; \[l\](u) \`c\` \# d"##), "\(rows[2])")
    }
}

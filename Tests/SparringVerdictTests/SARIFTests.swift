import SparringJSON
import SparringJournal
import Testing

@testable import SparringVerdict

/// The report as code scanning reads it.
@Suite struct SARIFTests {
    private static let time = Timestamp(seconds: 1_800_000_000)

    private static func suite(_ reports: [VerdictReport]) -> SuiteReport {
        SuiteReport(
            version: "1.2.3", command: ["./tests"],
            plays: [SuiteReport.Play(status: 0, began: time, ended: time, reports: reports)])
    }

    private static func run(_ suite: SuiteReport) throws -> JSON { try #require(suite.sarif["runs"]?.array?.first) }

    private static func finding(
        _ weight: ContractFindings.Weight, _ code: String, _ number: Int, operation: String = "khoros.openThread"
    ) -> ContractFinding {
        ContractFinding(
            weight, fingerprint: "000000000000000\(number)", code: code, operation: operation, words: "the words of \(number)",
            first: number)
    }

    private static func report(_ findings: [ContractFinding], _ verdicts: [Verdict] = []) -> VerdictReport {
        var report = ReportSample.report(verdicts)
        report.contract = ContractFindings(gate: .all)
        for finding in findings { report.contract.add(finding) }
        return report
    }

    /// Code scanning refuses the whole file if one result has no location.
    @Test func `every result has one place`() throws {
        var placed = Self.finding(.fail, "missing", 1, operation: "cxone.authorize")
        placed.basis = Finding.Basis(document: "cxone.openapi.yaml", path: "$.paths", file: nil, line: 12)
        var overlaid = Self.finding(.warn, "type", 2)
        overlaid.basis = Finding.Basis(document: "khoros.openapi.yaml", path: "$.paths", file: "own.yaml", line: 3)
        let findings = [
            placed, overlaid, Self.finding(.fail, Cause.misunderstood, 3), Self.finding(.refused, "recovering-thread-failed", 4),
            Self.finding(.known, "missing", 5), Self.finding(.own, "type", 6),
            Self.finding(.notEmulated, Finding.unplaced, 7, operation: ""),
        ]
        var suite = Self.suite([Self.report(findings, [ReportSample.failed, ReportSample.advice, ReportSample.missed])])
        var variation = VariationReport(scenario: nil, seed: 7)
        let change = VariationReport.Finding.Change(id: "V4@a", operation: "talkdesk.sendMessage", place: "", words: "x", entry: 3)
        variation.findings = [
            VariationReport.Finding(family: "V4", title: "unknown members", advice: "ignore them", changes: [change], signs: []),
            VariationReport.Finding(family: "V5", title: "unknown values", advice: "ignore them", changes: [], signs: []),
        ]
        suite.variations = [variation]
        let results = try #require(try Self.run(suite)["results"]?.array)
        #expect(results.count == findings.count - 1 + 3 + 2, "a refusal is no violation")
        #expect(results.allSatisfy { $0["locations"]?.array?.count == 1 }, "\(results)")
        let files = results.map { $0["locations"]?.array?.first?["physicalLocation"]?["artifactLocation"]?["uri"]?.string ?? "" }
        let ofFindings = ["cxone", "own.yaml", "khoros", "khoros", "khoros", "cxone"]
        let ofRules = ["liveperson", "liveperson", "liveperson"]
        let expected = (ofFindings + ofRules + ["talkdesk", "cxone"]).map { $0.hasSuffix(".yaml") ? $0 : "\($0).openapi.yaml" }
        #expect(files == expected)
        let lines = results.map { $0["locations"]?.array?.first?["physicalLocation"]?["region"]?["startLine"]?.integer ?? 0 }
        #expect(lines.prefix(2) == [12, 3] && lines.dropFirst(2).allSatisfy { $0 == 0 })
    }

    @Test func `a result of no vendor stands in the admin contract`() throws {
        let report = Self.report([Self.finding(.notEmulated, Finding.unplaced, 1, operation: "")])
        let result = try Self.run(Self.suite([report]))["results"]?.array?.first
        #expect(
            result?["locations"] == [
                ["physicalLocation": ["artifactLocation": ["uri": "admin.openapi.yaml", "uriBaseId": "CONTRACTS"]]]
            ])
    }

    @Test(
        arguments: [
            ([.fail], "The contract was broken: no luck."), ([.warn], "The contract was broken: no luck."),
            ([.known], "The contract was broken: no luck."),
            ([.notEmulated], "Not in the contract, or not emulated: no luck."),
            ([.own], "Sparring's own answer broke the contract: no luck."),
            ([.notEmulated, .fail, .refused], "The contract was broken: no luck."),
            ([.notEmulated, .refused], "Not in the contract, or not emulated: no luck."),
        ] as [([ContractFindings.Weight], String)])
    func `a rule's description says what is wrong, by the gravest of its results`(
        _ weights: [ContractFindings.Weight], _ words: String
    ) throws {
        let findings = weights.enumerated().map { Self.finding($1, "no-luck", $0 + 1) }
        let rules = try Self.run(Self.suite([Self.report(findings)]))["tool"]?["driver"]?["rules"]?.array ?? []
        #expect(rules.count == 1 && rules.first?["shortDescription"]?["text"]?.string == words, "\(rules)")
    }

    @Test func `a command that failed is notified, with its scenario where there are several, and a rule in the baseline is suppressed`()
        throws
    {
        var known = ReportSample.failed
        (known.result, known.isKnown) = (.advice, true)
        var suite = Self.suite([Self.report([], [known])])
        suite.plays[0].status = 137
        let run = try Self.run(suite)
        #expect(run["results"]?.array?.first?["suppressions"]?.array?.count == 1)
        let invocation = run["invocations"]?.array?.first
        #expect(invocation?["executionSuccessful"] == false)
        let words = "the command was ended by signal 9 (exit status 137)"
        #expect(invocation?["toolExecutionNotifications"]?.array?.map { $0["message"]?["text"]?.string } == [words])
        suite.plays[0].killedAfter = "5 s"
        #expect(suite.sarif.text.contains("\"the command was killed: it had run for 5 s (--timeout)\""))
        #expect(suite.junit().contains("message=\"the command was killed: it had run for 5 s (--timeout)\""))
        #expect(try SuiteReport(json: suite.json).plays[0].failure == suite.plays[0].failure)
        suite.plays[0].killedAfter = nil
        suite.plays.append(suite.plays[0])
        suite.plays[1].scenario = "storm"
        #expect(suite.sarif.text.contains("storm: \(words)"))
    }

    /// They fail the run and have no results.
    @Test func `a minimum that is not reached, calls that match nothing and variation without a judgement are notified`() throws {
        var suite = Self.suite([Self.report([], [ReportSample.passed])])
        suite.minimums = [(axis: .operations, part: 0.8)]
        for id in ["a1234", "b5678"] {
            suite.plays[0].strays.add(ContractFindings(gate: .all).stray("GET /none/\(id)", "GET /none/\(id): no operation has this path"))
        }
        var variation = VariationReport(scenario: nil, seed: 7)
        variation.obstacle = "it does not go well"
        suite.variations = [variation]
        let invocation = try Self.run(suite)["invocations"]?.array?.first
        #expect(invocation?["executionSuccessful"] == false && invocation?["exitCode"] == 1)
        let notifications = invocation?["toolExecutionNotifications"]?.array ?? []
        #expect(notifications.allSatisfy { $0["level"] == "error" })
        #expect(
            notifications.map { $0["message"]?["text"]?.string } == [
                "2 calls matched nothing, and the run fails for it (--contract all)",
                "coverage of operations is 0 of 0, below the minimum of 80%",
                "variation cannot be judged: it does not go well",
            ])
    }
}

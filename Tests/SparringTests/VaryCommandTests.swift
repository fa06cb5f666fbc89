import Foundation
import HTTPTypes
import SparringJSON
import Support
import Testing

/// `sparring run --vary` and `sparring vary`: what a client breaks on is found, shrunk, kept and shown again.
@Suite(.fewAtATime) struct VaryCommandTests {
    /// Looks an account's services up, as many times as it is given, and makes the mistake that it is given. `flaky` fails every other time.
    private static let client = """
        import json, os, pathlib, sys, urllib.request

        mistake, calls, folder = sys.argv[1], int(sys.argv[2]), pathlib.Path(sys.argv[3])
        url, account = os.environ["SPARRING_URL"], os.environ["SPARRING_LIVEPERSON_ACCOUNT_ID"]
        runs = folder / "runs"
        count = int(runs.read_text()) + 1 if runs.exists() else 1
        runs.write_text(str(count))
        if mistake == "broken" or mistake == "flaky" and count % 2: sys.exit(3)
        for call in range(calls):
            answer = urllib.request.urlopen(f"{url}/api/account/{account}/service/idp/baseURI.json?version=1.0", timeout=60)
            body = json.load(answer)
            if mistake == "type" and answer.headers["Content-Type"] != "application/json": sys.exit(4)
            if mistake == "members" and set(body) != {"service", "account", "baseURI"}: sys.exit(5)
            if mistake == "last" and call == calls - 1 and set(body) != {"service", "account", "baseURI"}: sys.exit(6)
            if mistake == "hangs" and set(body) != {"service", "account", "baseURI"}:
                import time
                time.sleep(600)
        """

    private static func judge(
        _ mistake: String, calls: Int = 2, in folder: TemporaryFolder, _ options: [String] = ["--vary", "7"], other: [String] = []
    ) async throws -> (end: Command.End, report: JSON?) {
        let script = try folder.write(client, to: "client.py")
        let json = folder.file("report.json")
        try? FileManager.default.removeItem(atPath: json)
        let end = try await sparring(
            ["run"] + options + ["--vary-file", folder.file("vary.json"), "--json-report", json] + other + [
                "--", "python3", script, mistake, String(calls), folder.path,
            ],
            environment: [:])
        let text = try? String(contentsOfFile: json, encoding: .utf8)
        return (end, try text.map { try JSON(parsing: $0) })
    }

    @Test(
        arguments: [
            ("none", 2, 0, nil, ""), ("type", 2, 1, "V18", "Content-Type: application/json → "), ("members", 2, 1, "V4", "added sparring_"),
            ("last", 4, 1, "V4", "in entry 4 "),
        ] as [(String, Int, Int32, String?, String)])
    func `a mistake is found and shrunk to one change`(_ mistake: String, _ calls: Int, _ status: Int32, _ family: String?, _ words: String)
        async throws
    {
        let folder = try TemporaryFolder()
        let (end, report) = try await Self.judge(mistake, calls: calls, in: folder)
        #expect(end.status == status, "\(end)")
        let variation = report?["variations"]?.array?.first
        let findings = variation?["findings"]?.array ?? []
        #expect(findings.map { $0["family"]?.string } == (family.map { [$0] } ?? []), "\(findings)")
        #expect(findings.allSatisfy { $0["changes"]?.array?.count == 1 && $0["sentence"]?.string?.contains(words) == true }, "\(findings)")
        #expect((variation?["runs"]?.integer ?? 0) <= 60)
        #expect(FileManager.default.fileExists(atPath: folder.file("vary.json")) == (family != nil))
        guard let again = findings.first?["again"]?.string else { return }
        // The command that shows it shows it, alone and at once.
        let arguments = Self.words(again).dropFirst()
        let shown = try await sparring(Array(arguments), environment: [:])
        #expect(shown.status > 3 && shown.status < 64, "\(again): \(shown)")
    }

    /// Splits a command line in which only single quotes are used, the way a shell does.
    private static func words(_ line: String) -> [String] {
        var words: [String] = [""], isQuoted = false
        for character in line {
            switch character {
            case "'": isQuoted.toggle()
            case " " where !isQuoted: words.append("")
            default: words[words.count - 1].append(character)
            }
        }
        return words
    }

    @Test func `what was found comes first next time, and goes when it no longer fails`() async throws {
        let folder = try TemporaryFolder()
        let first = try await Self.judge("type", in: folder)
        #expect(first.end.status == 1)
        let again = try await Self.judge("type", in: folder)
        let finding = again.report?["variations"]?.array?.first?["findings"]?.array?.first
        #expect(again.end.status == 1 && finding?["known"] == true && again.end.errors.contains("run 2, V18"), "\(again)")
        let mended = try await Self.judge("none", in: folder)
        #expect(mended.end.status == 0, "\(mended)")
        let kept = try JSON(parsing: String(contentsOfFile: folder.file("vary.json"), encoding: .utf8))
        #expect(kept["failures"] == [])
    }

    @Test(arguments: [("broken", 3, "cannot judge"), ("flaky", 3, "cannot judge")] as [(String, Int32, String)])
    func `a client that fails by itself cannot be judged`(_ mistake: String, _ status: Int32, _ words: String) async throws {
        let folder = try TemporaryFolder()
        let (end, report) = try await Self.judge(mistake, in: folder)
        #expect(end.status == status && end.output.contains(words), "\(end)")
        #expect(report?["variations"]?.array?.first?["runs"] == 3, "it has two more chances")
        #expect(report?["variations"]?.array?.first?["obstacle"]?.string?.contains("without variation fails") == true)
    }

    @Test func `a client that hangs is ended, and its hanging is a sign`() async throws {
        let folder = try TemporaryFolder()
        let (end, report) = try await Self.judge("hangs", calls: 1, in: folder, ["--vary", "7:V4"], other: ["--max-runs", "2"])
        let finding = report?["variations"]?.array?.first?["findings"]?.array?.first
        #expect(end.status == 1 && finding?["signs"]?.text.contains("did not end") == true, "\(end)")
    }

    @Test func `runs are limited, and the report says what was left`() async throws {
        let folder = try TemporaryFolder()
        let (end, report) = try await Self.judge("none", in: folder, other: ["--max-runs", "3"])
        let variation = report?["variations"]?.array?.first
        #expect(end.status == 0 && variation?["runs"] == 3, "\(end)")
        #expect(variation?["shortfall"]?.string?.contains("3 runs") == true)
        #expect((variation?["families"]?.array ?? []).contains { $0["outcome"] == "not-run" })
    }

    @Test func `every form of report has the findings`() async throws {
        let folder = try TemporaryFolder()
        let files = ["junit": folder.file("a.xml"), "html": folder.file("a.html"), "sarif": folder.file("a.sarif")]
        let options = files.sorted { $0.key < $1.key }.flatMap { ["--\($0.key)", $0.value] }
        let (end, _) = try await Self.judge("type", in: folder, ["--vary", "7:V18,V4"], other: options + ["--annotations"])
        #expect(end.status == 1 && end.output.contains("V18 spellings of Content-Type"), "\(end)")
        #expect(end.output.contains("::error title=V18") || end.errors.contains("::error title=V18"), "\(end)")
        for (name, file) in files {
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(text.contains("Content-Type: application/json → application/json"), "\(name): \(text.prefix(400))")
        }
        let junit = try String(contentsOfFile: files["junit"] ?? "", encoding: .utf8)
        #expect(junit.contains("classname=\"sparring.variation\"") && junit.contains("<testcase name=\"V4 unknown members\""))
    }

    @Test func `all at once is one run, and one variation alone another`() async throws {
        let folder = try TemporaryFolder()
        let together = try await Self.judge("members", in: folder, ["--vary", "7:V4", "--vary-together"])
        #expect(together.end.status == 5 && together.report?["variations"] == nil, "\(together.end)")
        let id = "V4@liveperson.lookUpService/liveperson.lookUpService/2#"
        let one = try await Self.judge("members", in: folder, ["--vary", "7", "--vary-only", id])
        #expect(one.end.status == 5, "\(one.end)")
        let none = try await Self.judge(
            "members", in: folder,
            ["--vary", "7:V4", "--vary-together", "--vary-without", id, "--vary-without", id.replacing("/2#", with: "/1#")])
        #expect(none.end.status == 0, "\(none.end)")
    }

    @Test(arguments: [
        (["run", "--vary", "x", "--", "true"], "has no seed"), (["run", "--vary", "7:V99", "--", "true"], "no family 'V99'"),
        (["run", "--vary-only", "V5@a.b/l/1#/x", "--", "true"], "need --vary"),
        (["run", "--vary", "7", "--vary-only", "V5", "--", "true"], "is not a variation"),
        (["run", "--vary", "7:V5", "--vary-wild", "--", "true"], "--vary-wild cannot"),
        (["run", "--vary", "7", "--jobs", "2", "--", "true"], "leave out --jobs"),
        (["run", "--vary", "7", "--max-runs", "1", "--", "true"], "2 or more"),
        (["run", "--vary", "7", "--max-time", "5", "--", "true"], "--max-time"),
        (["run", "--vary-together", "--", "true"], "needs --vary"), (["vary", "plan"], "give a seed"),
        (["vary", "plan", "--vary", "7", "--operation", "identity.tokn"], "did you mean 'identity.token'?"),
        (
            ["vary", "plan", "--vary", "7", "--operation", "identity.token", "--answer", "none"],
            "--answer: identity.token has no answer 'none'; there are"
        ),
    ])
    func `what is no variation is refused`(_ arguments: [String], _ words: String) async throws {
        let end = try await sparring(arguments, environment: [:])
        #expect(end.status == 64 && end.errors.contains(words), "\(end)")
    }

    @Test func `a file of what was found that cannot be read is refused before anything is run`() async throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(#"{"format": 1, "failures": [{"seed": 7, "only": 5}]}"#, to: "vary.json")
        let (end, _) = try await Self.judge("none", in: folder)
        #expect(end.status == 65 && end.errors.contains("vary.json: failures[0].only"), "\(end)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("runs")))
    }

    @Test func `a plan foretells what a sandbox varies`() async throws {
        let families = try await sparring(["vary", "families", "--json"], environment: [:])
        #expect(try JSON(parsing: families.output).array?.count == 28)
        let plan = try await sparring(
            [
                "vary", "plan", "--vary", "7:V17,V18,V19", "--operation", "liveperson.lookUpService", "--lane", "ada", "--calls", "4",
                "--json",
            ],
            environment: [:])
        let foretold = try JSON(parsing: plan.output).array ?? []
        #expect(foretold.count == 4)
        try await TestServer.run(.pipeline, tenants: ["liveperson": ["accountId": "acme"]], vary: "7:V17,V18,V19") { server in
            for _ in 1...4 {
                _ = try await server.send(
                    .get, "/api/account/acme/service/idp/baseURI.json?version=1.0", headers: [.init("X-Sparring-Lane")!: "ada"])
            }
            let entries = try await server.journal("?kind=exchange")
            for (entry, row) in zip(entries, foretold) {
                let ids = entry["varied"]?.array?.compactMap { $0["id"]?.string } ?? []
                #expect(ids == row["varied"]?.array?.compactMap { $0["id"]?.string } ?? [], "\(row)")
            }
        }
    }
}

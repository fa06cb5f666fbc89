import Foundation
import SparringJSON
import Support
import Testing

/// `sparring run` over whole suites: several scenarios, sandboxes that the tests make themselves, and what went wrong before any call.
@Suite(.fewAtATime) struct RunTests {
    /// Makes sandboxes of its own, breaks the rule of redeeming a code once in as many as its arguments say, and deletes some.
    private static let suite = """
        import json, os, sys, urllib.parse, urllib.request

        url = os.environ["SPARRING_URL"]
        def call(method, target, body=None, kind="application/json"):
            request = urllib.request.Request(url + target, body.encode() if body else None, {"Content-Type": kind}, method=method)
            try:
                text = urllib.request.urlopen(request).read().decode()
            except urllib.error.HTTPError as error:
                return error.read().decode()
            return json.loads(text) if text else None
        bad, deleted, reset, status = map(int, sys.argv[1:5])
        for number in range(3):
            made = call("POST", "/__admin/sandboxes", json.dumps({"name": f"mine-{number}"}))
            provider = made["tenants"]["identity"]
            code = call("POST", f"/__admin/sandboxes/mine-{number}/credentials", json.dumps({"form": "code", "subject": "ada"}))["credential"]
            form = urllib.parse.urlencode({"grant_type": "authorization_code", "code": code, "client_id": provider["clientId"],
                "client_secret": provider["clientSecret"], "redirect_uri": provider["redirectURIs"][0]})
            for _ in range(2 if number < bad else 1):
                call("POST", urllib.parse.urlparse(provider["tokenEndpoint"]).path, form, "application/x-www-form-urlencoded")
            if number < deleted: call("DELETE", f"/__admin/sandboxes/mine-{number}")
            if number < reset: call("POST", f"/__admin/sandboxes/mine-{number}/reset")
        sys.exit(status)

        """

    @Test(
        arguments: [
            // bad, deleted, reset, its own status → status, sandboxes, failed ones
            ((0, 0, 0, 0), 0, 3, 0), ((1, 0, 0, 0), 1, 3, 1), ((2, 3, 0, 0), 1, 3, 2), ((1, 0, 1, 0), 1, 3, 1), ((0, 1, 0, 5), 5, 3, 0),
            ((1, 1, 0, 5), 1, 3, 1),
        ] as [((Int, Int, Int, Int), Int32, Int, Int)])
    func `every sandbox that the tests make is judged, those too that they delete or reset`(
        _ words: (Int, Int, Int, Int), _ status: Int32, _ sandboxes: Int, _ failed: Int
    ) async throws {
        let folder = try TemporaryFolder()
        let script = try folder.write(Self.suite, to: "suite.py")
        let json = folder.file("a.json")
        let junit = folder.file("a.xml")
        let client = ["python3", script] + [words.0, words.1, words.2, words.3].map(String.init)
        let end = try await sparring(["run", "--json-report", json, "--junit", junit, "--"] + client, environment: [:])
        #expect(end.status == status, "\(end)")
        let report = try JSON(parsing: String(contentsOfFile: json, encoding: .utf8))
        let judged = report["plays"]?.array?.first?["sandboxes"]?.array ?? []
        #expect(
            judged.count == sandboxes && judged.count { $0["result"] == "fail" } == failed, "\(judged.map { $0["result"]?.text ?? "" })")
        #expect(judged.allSatisfy { $0["sandbox"]?.string?.hasPrefix("mine-") == true }, "the one that was made for it was not called")
        let xml = try String(contentsOfFile: junit, encoding: .utf8)
        #expect(xml.contains("<error message=\"the command exited with 5\"") == (words.3 == 5))
    }

    @Test func `a step that names a consumer who has not signed in is reported once, with what the scenario needs`() async throws {
        let folder = try TemporaryFolder()
        let scenario = try folder.write(
            """
            scenario: mine
            title: Mine
            about: Ada is signed out.
            sandbox: { clock: { mode: frozen } }
            timeline:
              - { at: 60s, do: liveperson.signOut, with: { consumer: ada, reason: revoked } }
            expect:
              - { rule: fetches-a-fresh-token, because: the old one is refused }

            """, to: "mine.yaml")
        let script = try folder.write(
            """
            import json, os, urllib.request

            target = f"{os.environ['SPARRING_URL']}/__admin/sandboxes/{os.environ['SPARRING_SANDBOX']}/clock/advance"
            urllib.request.urlopen(urllib.request.Request(target, json.dumps({"by": "60s"}).encode(), {"Content-Type": "application/json"}))

            """, to: "client.py")
        let end = try await sparring(["run", "--scenario", scenario, "--", "python3", script], environment: [:])
        let step = #"liveperson.signOut {"consumer":"ada","reason":"revoked"}"#
        #expect(
            end.status == 2
                && end.errors.contains(
                    "sparring: the scenario's timeline: \(step) was refused: consumer: no consumer 'ada' has signed in\n")
                && end.errors.contains(
                    "sparring: scenario 'mine' needs a consumer called 'ada': sign in under that name, or play a copy of it that names yours\n"
                ),
            "\(end)")
    }

    @Test func `what people added to a baseline is not dropped in silence`() async throws {
        let folder = try TemporaryFolder()
        let known = #"{"version":2,"findings":[{"fingerprint":"0123456789abcdef","ticket":"W-7"}]}"#
        let file = try folder.write(known, to: "known.json")
        let end = try await sparring(
            ["run", "--allow-unexercised", "--vendor", "cxone", "--known", file, "--write-known", file, "--", "true"], environment: [:])
        #expect(end.status == 0 && end.errors.contains("--write-known replaces \(file) without ticket (in 1 finding)\n"), "\(end)")
    }

    @Test func `scenarios are plays of their own, side by side, with the same ids and one report`() async throws {
        let folder = try TemporaryFolder()
        let script = try folder.write(
            """
            import os, urllib.request
            account = os.environ["SPARRING_LIVEPERSON_ACCOUNT_ID"]
            urllib.request.urlopen(f"{os.environ['SPARRING_TLS_URL']}/api/account/{account}/service/idp/baseURI.json?version=1.0")
            print("account", account, os.environ["SPARRING_SCENARIO"])

            """, to: "client.py")
        let (page, json, summary) = (folder.file("a.html"), folder.file("a.json"), folder.file("summary.md"))
        let end = try await sparring(
            [
                "run", "--scenario", "pusher-down-*", "--scenario", "wrong-issuer", "--scenario", "pusher-down-for-31s", "--jobs", "3",
                "--html", page,
                "--json-report", json, "--", "python3", script,
            ], environment: ["GITHUB_STEP_SUMMARY": summary])
        #expect(end.status == 2, "\(end)")
        let scenarios = ["pusher-down-for-31s", "pusher-down-for-good", "wrong-issuer"]
        let plays = try JSON(parsing: String(contentsOfFile: json, encoding: .utf8))["plays"]?.array ?? []
        #expect(plays.compactMap { $0["scenario"]?.string } == scenarios)
        // The TLS port was trusted without the client's doing, and its call arrived.
        #expect(plays.allSatisfy { $0["commandStatus"] == 0 && $0["sandboxes"]?.array?.first?["calls"] == 1 }, "\(end)")
        let said = plays.compactMap { $0["output"]?.string?.split(separator: " ") }
        #expect(Set(said.map { $0[1] }).count == 1 && said.map { String($0[2].dropLast()) } == scenarios, "\(said)")
        #expect(try String(contentsOfFile: page, encoding: .utf8).contains("<h2>Sandboxes and rules</h2>"))
        let lines = try String(contentsOfFile: summary, encoding: .utf8).split(separator: "\n")
        #expect(lines.count { $0.hasPrefix("|") } == 2 + scenarios.count)
        #expect(lines.contains { $0.hasPrefix("sparring run ") && $0.contains("--scenario wrong-issuer --seed ") }, "\(lines)")
        #expect(end.output.contains("NOT EXERCISED wrong-issuer"))
    }

    /// A client that fails before its first call, and the complaint about it.
    @Test(
        arguments: [
            ("true", "no request reached Sparring: the client must take Sparring's address from SPARRING_URL (here http://127.0.0.1:"),
            ("curl -s --cacert /dev/null $SPARRING_TLS_URL/x", "a TLS connection to port"),
            ("curl -s ${SPARRING_TLS_URL/https/http}/x", "plain HTTP came to the TLS port"),
            ("curl -s $SPARRING_URL/api/account/1/service/idp/baseURI.json", "no sandbox has the liveperson accountId '1'"),
        ])
    func `where nothing arrives, the run says so and why`(_ command: String, _ words: String) async throws {
        for _ in 1...20 {
            let end = try await sparring(["run", "--", "bash", "-c", command + "; sleep 0.1; true"], environment: [:])
            #expect(end.status == 2, "\(end)")
            #expect(end.errors.contains("sparring: no request") && end.errors.contains("sparring: no rule was exercised"), "\(end)")
            if end.errors.contains(words) { return }
        }
        Issue.record("never: \(words)")
    }

    @Test func `a run in which no rule was exercised exits with 2, unless that is allowed`() async throws {
        #expect(try await sparring(["run", "--strict", "--", "true"], environment: [:]).status == 2)
        #expect(try await sparring(["run", "--allow-unexercised", "--", "true"], environment: [:]).status == 0)
        #expect(try await sparring(["run", "--", "false"], environment: [:]).status == 1)
        let stray = try await sparring(
            ["run", "--contract", "all", "--allow-unexercised", "--", "bash", "-c", "curl -s $SPARRING_URL/nothing"], environment: [:])
        #expect(stray.status == 1 && stray.errors.contains("1 call matched nothing, and the run fails for it"), "\(stray)")
        let old = try await sparring(["run", "--contract", "fail", "--", "true"], environment: [:])
        #expect(old.status == 64 && old.errors.contains("'fail' is called 'verified' now"), "\(old)")
    }

    /// One call fits no sandbox, and one names the tenant of a sandbox.
    @Test(arguments: ["$SPARRING_URL/nothing", "$SPARRING_URL/none/$SPARRING_LIVEPERSON_ACCOUNT_ID/none"])
    func `a call that matched nothing can be accepted`(_ url: String) async throws {
        let folder = try TemporaryFolder()
        let known = folder.file("known.json")
        let options = ["run", "--contract", "all", "--allow-unexercised"]
        let client = ["--", "bash", "-c", "curl -s \(url)"]
        let first = try await sparring(options + ["--write-known", known] + client, environment: [:])
        #expect(first.status == 1, "\(first)")
        let next = try await sparring(options + ["--known", known] + client, environment: [:])
        #expect(next.status == 0 && !next.errors.contains("the run fails"), "\(next)")
    }

    /// The sandbox that `run` makes has them, and no other.
    @Test(
        arguments: [
            (
                ["--fault", "liveperson.readUnread status code=503", "--rate", "2"],
                "--fault, --clock and --rate: only for the sandbox that"
            ),
            (["--tenant", #"liveperson={"accountId":"12345678"}"#], "--tenant: only for the sandbox that"), ([], nil),
        ] as [([String], String?)])
    func `options for a sandbox that no request reached are named`(_ options: [String], _ words: String?) async throws {
        let folder = try TemporaryFolder()
        let script = try folder.write(Self.suite, to: "suite.py")
        let end = try await sparring(
            ["run", "--allow-unexercised"] + options + ["--", "python3", script, "0", "0", "0", "0"], environment: [:])
        #expect(end.status == 0 && end.errors.contains("only for the sandbox") == (words != nil), "\(end)")
        if let words { #expect(end.errors.contains(words), "\(end)") }
    }

    @Test func `a command that never ends is killed with its children, and judged`() async throws {
        let folder = try TemporaryFolder()
        let end = try await sparring(
            ["run", "--timeout", "1s", "--json-report", folder.file("run.json"), "--", "bash", "-c", "sleep 600 & sleep 601"],
            environment: [:])
        #expect(end.status == 137 && end.errors.contains("the command was killed: it had run for 1 s (--timeout)"), "\(end)")
        let play = try JSON(parsing: String(contentsOfFile: folder.file("run.json"), encoding: .utf8))["plays"]?.array?.first
        #expect(play?["commandStatus"] == 137)
        let wrong = try await sparring(["run", "--timeout", "10", "--", "true"], environment: [:])
        #expect(wrong.status == 64 && wrong.errors.contains("--timeout: '10' has no unit"), "\(wrong)")
    }

    @Test(arguments: ["run", "serve"]) func `where no certificate authority can be kept, it is said what helps`(_ command: String)
        async throws
    {
        let folder = try TemporaryFolder()
        // Nobody can make a folder there, not even root.
        let words =
            command == "run"
            ? ["run", "--allow-unexercised", "--", "true"] : ["serve", "--port", "0", "--tls-port", "0", "--database", "/proc/none"]
        let end = try await sparring(words, environment: ["HOME": "/proc/none"])
        #expect(end.status == 73 && end.errors.contains("XDG_DATA_HOME") && end.errors.contains("--ca-folder"), "\(end)")
        guard command == "run" else { return }
        for environment in [["HOME": "/proc/none", "XDG_DATA_HOME": folder.path], ["HOME": "/proc/none"]] {
            let way = environment.count == 1 ? ["--ca-folder", folder.file("ca")] : []
            let run = try await sparring(["run"] + way + words.dropFirst(), environment: environment)
            #expect(run.status == 0, "\(run)")
        }
    }

    @Test func `the sandbox's own secrets are in no report, even where the command prints them`() async throws {
        let folder = try TemporaryFolder()
        let files = ["a.html", "a.xml", "a.json"].map { folder.file($0) }
        let end = try await sparring(
            [
                "run", "--allow-unexercised", "--html", files[0], "--junit", files[1], "--json-report", files[2], "--", "bash", "-c",
                "env | grep -e _SECRET -e _PRIVATE_KEY; echo \"printed: $SPARRING_ASAPP_PUSH_SECRET\"",
            ], environment: [:])
        #expect(end.output.contains("printed: asapp-push-secret"), "\(end)")
        for file in files {
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(text.contains("printed: «secret:"), "\(file)")
            for secret in ["asapp-push-secret", "talkdesk-secret", "BEGIN PRIVATE KEY"] { #expect(!text.contains(secret), "\(file)") }
        }
    }

    @Test func `ids, names, clock and further sandboxes are as they are given`() async throws {
        let folder = try TemporaryFolder()
        let config = try folder.write("sandboxes:\n  - name: other\n", to: "sparring.yaml")
        let end = try await sparring(
            [
                "run", "--tenant", #"liveperson={"accountId":"4711"}"#, "--rate", "20", "--host", "mock.test", "--config", config,
                "--scenario",
                "pusher-down-for-31s", "--", "bash", "-c",
                "curl -s $SPARRING_URL/__admin/sandboxes; echo; curl -s $SPARRING_URL/__admin/sandboxes/$SPARRING_SANDBOX/clock; echo; "
                    + "curl -s --resolve mock.test:${SPARRING_TLS_URL##*:}:127.0.0.1 https://mock.test:${SPARRING_TLS_URL##*:}/__admin/health; echo",
            ], environment: [:])
        let lines = end.output.split(separator: "\n").map(String.init)
        let all = try #require(try JSON(parsing: lines[0])["sandboxes"]?.array)
        #expect(all.map { $0["id"] } == ["other", "sandbox-31"], "\(end)")
        #expect(all[1]["tenants"]?["liveperson"]?["accountId"] == "4711")
        #expect(try JSON(parsing: lines[1])["rate"] == 20)
        #expect(try JSON(parsing: lines[2])["status"] == "ok", "the certificate has the name, and curl trusts it")
    }

    @Test func `by the run's proxy a client finds its vendor's own hosts, and the sandbox of the run`() async throws {
        let end = try await sparring(
            [
                "run", "--proxy-port", "0", "--", "bash", "-c",
                "curl -s https://api.liveperson.net/api/account/$SPARRING_LIVEPERSON_ACCOUNT_ID/service/idp/baseURI.json?version=1.0; echo; "
                    + "curl -s -u $SPARRING_TALKDESK_CLIENT_ID:$SPARRING_TALKDESK_CLIENT_SECRET -d grant_type=client_credentials "
                    + "https://brand.talkdeskid.com/oauth/token; echo; "
                    + "curl -s -o /dev/null -w '%{http_code}' https://brand.talkdeskid.com/access; echo; "
                    + "curl -s -H 'Proxy-Connection: x' $SPARRING_URL/__admin/health; echo; curl -s http://elsewhere.example/; echo",
            ], environment: [:])
        let lines = end.output.split(separator: "\n").map(String.init)
        #expect(try JSON(parsing: lines[0])["baseURI"] == "api.liveperson.net", "\(end)")
        #expect(try JSON(parsing: lines[1])["token_type"] == "Bearer", "\(end)")
        // Whose call this is only the proxy's host could say: there is one sandbox.
        #expect(lines[2] != "404", "\(end)")
        #expect(try JSON(parsing: lines[3])["status"] == "ok", "\(end)")
        #expect(try JSON(parsing: lines[4])["status"] == 502, "\(end)")
    }

    @Test(arguments: [
        (["--jobs", "0"], "--jobs must be from 1 to 64"),
        (["--jobs", "2", "--proxy-port", "8899"], "--jobs above 1 and --proxy-port cannot be used together"),
        (["--url", "http://localhost:1", "--proxy-port", "0"], "--url and --proxy-port cannot be used together"),
        (["--jobs", "2", "--port", "8080"], "--jobs above 1 and --port cannot be used together"),
        (["--url", "http://localhost:1", "--config", "x"], "--url and --config cannot be used together"),
        (["--settle", "10"], "'10' has no unit; try 10s"),
        (["--scenario", "a", "--scenario", "b", "--database", "x.db"], "--database keeps one play"),
        (["--clock", "rate"], "--clock rate needs --rate"),
        (["--scenario", "pusher-down"], "did you mean pusher-down-for-31s or pusher-down-for-good?"),
        (["--scenario", "zzz*"], "no scenario matches 'zzz*'"),
    ])
    func `what cannot be played is refused before anything runs`(_ words: [String], _ reason: String) async throws {
        let end = try await sparring(["run"] + words + ["--", "echo", "it ran"], environment: [:])
        #expect(end.status == 64 && end.errors.contains(reason) && !end.output.contains("it ran"), "\(end)")
    }

    @Test func `a signal ends the play that is under way, and no other begins`() async throws {
        let folder = try TemporaryFolder()
        let waits = try folder.write(
            """
            import os, signal, sys
            signal.signal(signal.SIGTERM, lambda *_: sys.exit(9))
            print("ready", os.environ["SPARRING_SCENARIO"], flush=True)
            signal.pause()

            """, to: "waits.py")
        let json = folder.file("a.json")
        let words = ["run", "--scenario", "pusher-down-*", "--scenario", "wrong-issuer", "--json-report", json, "--", "python3", waits]
        let running = try await RunningCommand(Command(Repository.binary, words))
        var lines = running.output.makeAsyncIterator()
        #expect(await lines.next() == "ready pusher-down-for-31s")
        kill(running.pid, SIGTERM)
        #expect(try await running.end() == 9)
        let plays = try JSON(parsing: String(contentsOfFile: json, encoding: .utf8))["plays"]?.array
        #expect(plays?.compactMap { $0["scenario"]?.string } == ["pusher-down-for-31s"])
    }
}

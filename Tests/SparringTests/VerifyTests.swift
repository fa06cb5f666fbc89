import Foundation
import SparringJSON
import Support
import Testing

/// `sparring verify` and `sparring run` as a CI job uses them.
@Suite(.fewAtATime) struct VerifyTests {
    /// Registers for pushes by a JWT of the brand's, and retries after the waits in its arguments, by the sandbox's clock.
    private static let client = """
        import json, os, sys, urllib.error, urllib.request

        url, account = os.environ["SPARRING_URL"], os.environ["SPARRING_LIVEPERSON_ACCOUNT_ID"]
        admin = f"{url}/__admin/sandboxes/{os.environ['SPARRING_SANDBOX']}"

        def call(method, url, body=None, token=None):
            headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
            return json.load(urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode() if body else None, headers, method=method)))

        call("GET", f"{url}/api/account/{account}/service/pusher/baseURI.json?version=1.0")
        jwt = call("POST", f"{admin}/credentials", {"form": "jwt", "subject": "alice"})["credential"]
        token = call("POST", f"{url}/api/account/{account}/app/default/authenticate?v=2.0", {"id_token": jwt})["jwt"]
        for wait in [0, *map(float, sys.argv[2:])]:
            call("POST", f"{admin}/clock/advance", {"by": f"{wait}s"})
            try:
                call("PUT", f"{url}/mock/pusher/account/{account}/registrations/app", {"deviceToken": "ab" * 32, "pushType": "APNS"}, token)
                break
            except urllib.error.HTTPError:
                pass
        sys.exit(int(sys.argv[1]))

        """
    /// The pusher works again at the third attempt.
    private static let scenario = """
        scenario: pusher-trips
        title: The pusher fails twice
        about: Then it recovers.
        sandbox:
          seed: 77
          clock: { mode: frozen, now: "2027-01-15T08:00:00Z" }
          faults: ["liveperson.registerPush unavailable times=2"]
        expect:
          - { rule: backs-off-1-2-4-8-16s, because: the pusher is overrun }

        """

    private func run(_ folder: TemporaryFolder, _ options: [String], _ client: [String]) async throws -> Command.End {
        let script = try folder.write(Self.client, to: "client.py")
        let scenario = try folder.write(Self.scenario, to: "pusher-trips.yaml")
        let words =
            ["run", "--scenario", scenario, "--time-basis", "sandbox"] + options + ["--", "python3", script] + client
        return try await sparring(words, environment: [:])
    }

    @Test(
        arguments: [
            (["0", "1", "2"], 0, "pass backs-off-1-2-4-8-16s"),
            (["0", "0", "2"], 1, "attempt 2 of liveperson.registerPush (alice) came"),
            (["0", "1"], 2, "UNDECIDED backs-off-1-2-4-8-16s"),
            // The command's own status wins over a verdict that is none against the client.
            (["7", "1", "2"], 7, "pass backs-off-1-2-4-8-16s"), (["7", "1"], 7, "UNDECIDED"), (["7", "0", "2"], 1, "FAIL"),
        ])
    func `a run ends with the verdict, or with the command's own status`(_ client: [String], _ status: Int32, _ words: String) async throws
    {
        let end = try await run(try TemporaryFolder(), ["--rule", "backs-off-1-2-4-8-16s"], client)
        #expect(end.status == status, "\(end)")
        #expect(end.output.contains(words), "\(end)")
        #expect(end.output.contains("seed 77, scenario pusher-trips"))
        #expect(end.errors.contains("the command exited with 7") == (client[0] == "7"))
    }

    @Test func `a run writes its reports, and its database can be judged again`() async throws {
        let folder = try TemporaryFolder()
        let files = ["a.xml", "a.html", "a.json", "a.db"].map { folder.file($0) }
        let end = try await run(
            folder, ["--junit", files[0], "--html", files[1], "--json", files[2], "--database", files[3], "--annotations"],
            ["0", "0", "2"])
        #expect(end.status == 1, "\(end)")
        #expect(end.output.contains("::error title="))
        let json = try JSON(parsing: String(contentsOfFile: files[2], encoding: .utf8))
        let play = try #require(json["plays"]?.array?.first)
        let report = try #require(play["sandboxes"]?.array?.first)
        #expect(json["format"] == 1 && json["result"] == "fail" && json["exitStatus"] == 1 && play["commandStatus"] == 0)
        #expect(report["scenario"] == "pusher-trips" && report["calls"]?.integer == 5)
        let (scenario, script) = (folder.file("pusher-trips.yaml"), folder.file("client.py"))
        #expect(
            play["again"]?.string?.hasSuffix("--scenario \(scenario) --seed 77 -- python3 \(script) 0 0 2") == true,
            "\(play["again"]?.text ?? "")")
        #expect(report["exchanges"]?.text.contains("«jwt:1»") == true && !report.text.contains("eyJ"))
        #expect(try String(contentsOfFile: files[0], encoding: .utf8).contains("<failure"))
        let page = try String(contentsOfFile: files[1], encoding: .utf8)
        #expect(page.hasPrefix("<!DOCTYPE html>") && page.contains("backs-off-1-2-4-8-16s"))

        let sandbox = try #require(report["sandbox"]?.string)
        let saved = try await sparring(
            ["verify", "--database", files[3], "--sandbox", sandbox, "--time-basis", "sandbox", "--json"],
            environment: [:])
        #expect(saved.status == 1, "\(saved)")
        let again = try JSON(parsing: saved.output)
        func failed(_ json: JSON) -> [JSON?] { json["verdicts"]?.array?.filter { $0["result"] == "fail" }.map { $0["summary"] } ?? [] }
        #expect(failed(again) == failed(report) && failed(report).count == 1)
        let unknown = try await sparring(["verify", "--database", files[3], "--sandbox", "sandbx-77"], environment: [:])
        #expect(unknown.status == 64 && unknown.errors.contains("there are \(sandbox)"), "\(unknown)")
        // The one file is all of it, and what it has one of need not be named.
        let elsewhere = folder.file("elsewhere.db")
        try FileManager.default.copyItem(atPath: files[3], toPath: elsewhere)
        let moved = try await sparring(["verify", "--database", elsewhere, "--time-basis", "sandbox", "--json"], environment: [:])
        #expect(moved.status == 1 && moved.output == saved.output, "\(moved)")
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains(".db") }
        #expect(Set(left) == ["a.db", "elsewhere.db"], "judging leaves nothing behind")
    }

    @Test func `calls that match nothing, and those that break the contract, are reported with the verdicts`() async throws {
        let client = try TemporaryFolder()
        let script = try client.write(
            """
            import os, urllib.error, urllib.request
            for path in ("servce/idp/baseURI.json", "service/idp/baseURI.json?version=1.0&version=2", "nothing/at/all"):
                url = "%s/api/account/%s/%s" % (os.environ["SPARRING_URL"], os.environ["SPARRING_LIVEPERSON_ACCOUNT_ID"], path)
                try:
                    urllib.request.urlopen(url)
                except urllib.error.HTTPError:
                    pass

            """, to: "client.py")
        let end = try await sparring(["run", "--", "python3", script], environment: [:])
        // They are findings of the sandbox whose account the paths name, and no stray calls besides.
        #expect(!end.errors.contains("a call matched nothing"), "\(end)")
        #expect(end.output.contains("; nearest: liveperson.lookUpService: GET /api/account/"), "\(end)")
        #expect(end.output.contains("Against the contract, but no reason to fail, once:\n  entry 2: liveperson.lookUpService: "), "\(end)")
        #expect(
            end.output.contains("Not in the contract, or not emulated, once:\n  entry 3: no operation matches GET /api/account/"), "\(end)")
        #expect(
            end.status == 1
                && end.output.contains(
                    "The client broke the contract once, and the run fails for it:\n  entry 1: no operation matches GET /api/account/"),
            "\(end)")
    }

    @Test(
        arguments: [
            (["--rule", "backs-off"], 64, "there is no rule 'backs-off'"), (["--settle", "1x"], 64, "'1x' is not a duration"),
            (["--html", "/nowhere/a.html"], 73, "cannot be written"), (["--time-scale", "0"], 64, "--time-scale: 0.0"),
        ] as [([String], Int32, String)])
    func `options that prevent a judgement are reported up front`(_ words: [String], _ status: Int32, _ reason: String) async throws {
        let end = try await sparring(["run"] + words + ["--", "echo", "it ran"], environment: [:])
        #expect(end.status == status && end.errors.contains(reason) && !end.output.contains("it ran"), "\(end)")
    }

    /// A client that turns away sends no request: the connection is judged.
    @Test(arguments: [("certificate-expired", true, 0), ("certificate-expired", false, 1), ("tls-handshake-stalls", true, 0)])
    func `a client of a port with a TLS defect is judged, though it never came as far as a call`(
        _ scenario: String, _ checks: Bool, _ status: Int32
    ) async throws {
        let folder = try TemporaryFolder()
        let client = try folder.write(
            """
            import os, ssl, urllib.request
            url = "%s/api/account/%s/service/idp/baseURI.json" % (os.environ["SPARRING_TLS_URL"], os.environ["SPARRING_LIVEPERSON_ACCOUNT_ID"])
            context = ssl.create_default_context(cafile=os.environ["SPARRING_CA_FILE"])
            if not \(checks ? "True" : "False"):
                context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            try:
                print(urllib.request.urlopen(url, context=context, timeout=0.3).status)
            except OSError as error:
                print(error)

            """, to: "client.py")
        let end = try await sparring(["run", "--scenario", scenario, "--", "python3", client], environment: [:])
        #expect(end.status == status, "\(end)")
    }

    @Test func `what cannot be run or judged is reported, and nothing is left behind`() async throws {
        let folder = try TemporaryFolder()
        for (words, status, reason) in [
            (["run", "--scenario", "pusher-down-for-31", "--", "true"], 64, "did you mean pusher-down-for-31s"),
            (["run", "--", folder.file("nothing")], 127, "cannot be run"), (["run"], 64, "the command is missing"),
            (["run", "--scenario", folder.file("no.yaml"), "--", "true"], 66, "cannot be read"),
            (["verify", "--database", folder.file("no.db")], 66, "there is no such file"),
            (["verify", "--database", try folder.write("x", to: "x.db")], 65, "not one of Sparring's"),
            (["run", "--database", folder.file("none/x.db"), "--", "true"], 73, "unable to open database file"),
            (["verify", "--url", "http://127.0.0.1:1"], 69, "cannot reach"),
        ] as [([String], Int32, String)] {
            let end = try await sparring(words, environment: [:])
            #expect(end.status == status && end.errors.contains(reason), "\(words): \(end)")
        }
    }

    @Test func `a signal reaches the command, and a command that a signal ends is reported as in a shell`() async throws {
        let folder = try TemporaryFolder()
        let script = try folder.write("import os, signal\nos.kill(os.getpid(), signal.SIGTERM)\n", to: "dies.py")
        let died = try await sparring(["run", "--", "python3", script], environment: [:])
        #expect(died.status == 128 + SIGTERM, "\(died)")

        let waits = try folder.write(
            """
            import signal, sys
            signal.signal(signal.SIGTERM, lambda *_: sys.exit(9))
            print("ready", flush=True)
            signal.pause()

            """, to: "waits.py")
        let running = try await RunningCommand(Command(Repository.binary, ["run", "--", "python3", waits]))
        var lines = running.output.makeAsyncIterator()
        #expect(await lines.next() == "ready")
        kill(running.pid, SIGTERM)
        #expect(try await running.end() == 9)

        let grandchild = try await RunningCommand(Command(Repository.binary, ["run", "--", "sh", "-c", "sleep 300 & echo $!; wait"]))
        lines = grandchild.output.makeAsyncIterator()
        let pid = try #require(await lines.next().flatMap { Int32($0) })
        kill(grandchild.pid, SIGTERM)
        #expect(try await grandchild.end() == 128 + SIGTERM)
        // It may be a zombie for as long as nobody has asked for its status.
        let state = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8))?.split(separator: ")").last?.split(separator: " ")
            .first
        #expect(state == nil || state == "Z", "\(state ?? "")")
    }

    @Test func `the rules are listed, and a running server is asked, with what settles`() async throws {
        let list = try await sparring(["verify", "--list"], environment: [:])
        #expect(list.status == 0 && list.output.hasPrefix("RULE"))
        #expect(list.output.contains("\nbacks-off-1-2-4-8-16s ") && list.output.contains("redeems-a-code-once"))

        let server = try await ServerProcess.start(["--fault", "*.DomainLookup.* unavailable"], in: try TemporaryFolder())
        let account = try #require(
            try await server.get("/__admin/sandboxes/default").json?["tenants"]?["liveperson"]?["accountId"]?.string)
        for _ in 1...2 { _ = try await server.get("/api/account/\(account)/service/idp/baseURI.json") }
        let rules = ["--rule", "stops-asking", "--rule", "tries-the-initialisation-once-more"]
        let open = try await sparring(["verify", "--json"] + rules, at: server)
        #expect(try JSON(parsing: open.output)["verdicts"]?.array?.map { $0["result"] } == ["pass", "undecided"], "\(open)")
        // By the sandbox's clock the rest of the minute is not waited for.
        let settled = try await sparring(["verify", "--json", "--time-basis", "sandbox", "--settle", "1m"] + rules, at: server)
        #expect(settled.status == 0, "\(settled)")
        #expect(try JSON(parsing: settled.output)["verdicts"]?.array?.map { $0["result"] } == ["pass", "pass"])
        let unknown = try await sparring(["verify", "--rule", "stops-askin"], at: server)
        #expect(unknown.status == 64 && unknown.errors.contains("did you mean 'stops-asking'"), "\(unknown)")
        _ = try await server.stop()
    }

    @Test func `a run on a server that is there leaves nothing behind, unless it is asked to`() async throws {
        let server = try await ServerProcess.start(in: try TemporaryFolder())
        func sandboxes() async throws -> [JSON?] {
            try await server.get("/__admin/sandboxes").json?["sandboxes"]?.array?.map { $0["id"] } ?? []
        }
        let words = ["run", "--url", server.url, "--scenario", "pusher-down-for-31s"]
        let tells = [
            "--", "sh", "-c",
            "echo $SPARRING_URL $SPARRING_SANDBOX $SPARRING_TLS_URL $SPARRING_LIVEPERSON_ACCOUNT_ID; cat $SPARRING_CA_FILE | head -1",
        ]
        let gone = try await sparring(words + tells, environment: [:])
        #expect(gone.status == 2, "\(gone)")  // nothing was exercised
        let lines = gone.output.split(separator: "\n")
        #expect(
            lines[0].hasPrefix("\(server.url) sandbox-31 https://127.0.0.1:\(server.tlsPort) ")
                && lines[0].split(separator: " ").count == 4, "\(gone)")
        #expect(lines[1] == "-----BEGIN CERTIFICATE-----")
        #expect(try await sandboxes() == ["default"])
        _ = try await sparring(words + ["--keep"] + tells, environment: [:])
        #expect(try await sandboxes() == ["default", "sandbox-31"])
        _ = try await server.stop()
    }
}

import Support
import Testing

/// Slips of a hand: each message names what is wrong, where it is and what would be right, and the exit status is that of its kind.
@Suite(.fewAtATime) struct MistakeTests {
    typealias Row = ClientTests.Row

    private static let text = String(repeating: "not a database, but long enough to be looked at\n", count: 40)

    /// Slips that are noticed before any server is asked. `·` is a space within a word.
    private static func local(_ folder: TemporaryFolder) throws -> [Row] {
        let (database, broken) = (try folder.write(text, to: "text.db"), try folder.write("{", to: "broken.json"))
        let settings = try folder.write("# slips\nsandboxes:\n  - name: One\n    sed: 7\n  - seed: x\n    name: two\n", to: "settings.yaml")
        let (authority, target) = ("--ca-folder \(folder.file("ca"))", "--target liveperson=https://api.vendor.example")
        return [
            Row("run --vendor livepersn -- true", status: 64, "--vendor: no vendor 'livepersn'; there are identity, ", "'liveperson'?)\n"),
            Row("serve --port 0 --no-tls --vendor zendesk", status: 64, "--vendor: no vendor 'zendesk'; there are identity, "),
            Row("mcp --vendor zendesk", status: 64, "--vendor: no vendor 'zendesk'; there are identity, "),
            Row(
                "run --host my·host \(authority) -- true", status: 64,
                "sparring: --host: 'my host' is neither a host name nor an IP address\n"),
            Row(
                "chaos plan --lane alice --fault *.Pushr.*·status·code=503", status: 64,
                "sparring: --fault: there is no operation '*.Pushr.*'\n  did you mean ", "*.Pusher.*"),
            Row("chaos plan --lane alice --fault *·delay·bye=1s", status: 64, "'delay' has no parameter 'bye'\n  did you mean by"),
            Row("run \(authority) --fault *·status·cod=503 -- true", status: 64, "--fault", "'status' has no parameter 'cod'"),
            Row(
                "run \(authority) --tenant liveperson={\"acountId\":\"1\"} -- true", status: 64,
                "sparring: tenants.liveperson: unknown member 'acountId' (did you mean 'accountId'?)\n"),

            Row("database copy \(database) \(folder.file("copy.db"))", status: 65, "text.db: file is not a database\n"),
            Row("journal --database \(database)", status: 65, "text.db: file is not a database\n"),
            Row("verify --database \(database)", status: 65, "text.db: file is not a database\n"),
            Row("contract export har --database \(database)", status: 65, "text.db: file is not a database\n"),

            Row("probe \(target) --transcript liveperson/nope", status: 64, "--transcript: no transcript of liveperson is called"),
            Row(
                "probe \(target) --transcript liveperson/initialize-fail", status: 64,
                "is called 'liveperson/initialize-fail'\n  did you mean liveperson/initialize-fails?\n"),
            Row("probe \(target) --transcript ./nope.txt", status: 66, "--transcript: ./nope.txt: there is no such file\n"),
            Row(
                "probe \(target) --allow khoros.sendMesage", status: 64,
                "--allow: there is no operation 'khoros.sendMesage'\n  did you mean khoros.sendMessage"),
            Row("probe --target liveperson", status: 64, "'liveperson' is not VENDOR=URL, such as 'asapp=https://api.vendor.example'\n"),

            Row(
                "run --rate fast -- true", status: 64,
                "sparring: --rate: 'fast' is not a number, such as 2.5\n  see 'sparring run --help'\n"),
            Row("run --time-scale ten -- true", status: 64, "--time-scale: 'ten' is not a number, such as 0.1\n"),
            Row("run --jobs four -- true", status: 64, "--jobs: 'four' is not a whole number, such as 4\n"),
            Row("run --seed abc -- true", status: 64, "--seed: 'abc' is not a whole number, such as 7\n"),
            Row("run --seed 99999999999999999999 -- true", status: 64, "--seed: '99999999999999999999' is out of range\n"),
            Row("serve --journal-limit many", status: 64, "--journal-limit: 'many' is not a whole number, such as 50000\n"),
            Row("serve --grace soon", status: 64, "--grace: 'soon' is not a whole number, such as 5\n"),
            Row("serve --max-size 1GB", status: 64, "--max-size: '1GB' is not a whole number, such as 1024\n"),
            Row("serve --port http", status: 64, "--port: 'http' is not a whole number, such as 8080\n"),
            Row("serve --port 8080.5", status: 64, "--port: '8080.5' is not a whole number, such as 8080\n"),
            Row("journal --since yesterday", status: 64, "--since: 'yesterday' is not a whole number, such as 1\n"),
            Row("journal --limit x", status: 64, "--limit: 'x' is not a whole number, such as 1\n"),
            Row("fault remove one", status: 64, "<number>: 'one' is not a whole number, such as 1\n"),
            Row("socket close three", status: 64, "<number>: 'three' is not a whole number, such as 1\n"),
            Row("stub add GET·/x --as overlays", status: 64, "the value 'overlays' is invalid", ". Please provide 'overlay'\n"),

            Row("stub add GET·/x header:location", status: 64, "'header:location' is not name=JSON, such as status=201\n"),
            Row("stub add GET·/x body={a", status: 64, "sparring: body: not JSON: expected a name in double quotes"),
            Row("stub add GET·/x body-file=/nowhere", status: 66, "body-file=/nowhere: the file cannot be read\n"),
            Row("fault add *·status·code=503·body=@/nowhere", status: 66, "body=@/nowhere: the file cannot be read\n"),
            Row(
                "vary plan --vary 7 --operation identity.token --answer okk", status: 64,
                "--answer: identity.token has no answer 'okk'; there are "),
            Row("contract export khoros.yaml", status: 64, "there is no contract 'khoros.yaml' (did you mean ", "'khoros.openapi.yaml'"),
            Row(
                "contract export khoros --url http://127.0.0.1:1", status: 64,
                "there is no command and no document 'khoros' under 'sparring contract export' (did you mean ", "'khoros.openapi.yaml'"),
            Row("contract export khoros.openapi.yaml --nope", status: 64, "unknown option '--nope'"),

            Row(
                "serve --port 0 --no-tls --config \(settings)", status: 65, "settings.yaml:3:", "settings.yaml:4:5: unknown member 'sed'",
                "settings.yaml:5:11: "),
            Row("import \(broken)", status: 65, "broken.json:1:2: not JSON: expected a name in double quotes\n"),
            Row("serve --port 0 --no-tls --probed \(broken)", status: 65, "broken.json:1:2: not JSON: expected a name in double quotes\n"),
            Row(
                "run --ca-folder /proc/nowhere -- true", status: 73,
                "/proc/nowhere: cannot be made: no such file or directory; --ca-folder names another"),
            Row(
                "serve --port 0 --no-tls --scenarios /nowhere", status: 66,
                "/nowhere: cannot read this folder of scenarios: no such file or directory\n"),
            Row(
                "contract lint --contracts /nowhere", status: 66,
                "/nowhere: cannot read this directory of contracts: no such file or directory\n"),
            Row("run --html /nowhere/a.html -- true", status: 73, "/nowhere/a.html: cannot be written: there is no folder '/nowhere'\n"),
        ]
    }

    /// Slips that a server has to notice.
    private static func asked(_ folder: TemporaryFolder) throws -> [Row] {
        let flat = try folder.write(#"{"nme": "x"}"#, to: "flat.json")
        let deep = try folder.write("{\n  \"tenants\": {\"liveperson\": {\"acountId\": \"1\"}}\n}\n", to: "deep.json")
        let named = try folder.write(#"{"label": "nightly"}"#, to: "named.json")
        let (token, code) = ("credential mint --form jwt --subject ada", "credential mint --form code --subject ada")
        return [
            Row("sandbox create --file \(flat)", status: 65, "flat.json:1:", ": unknown member 'nme' (did you mean 'name'?)\n"),
            Row("sandbox create --file \(deep)", status: 65, "deep.json:2:", ": tenants.liveperson.acountId: unknown member 'acountId'"),
            Row("sandbox create --file \(named) --name a/b", status: 1, "'a/b' is not a name"),
            Row(
                "sandbox create --tenant liveperson={\"acountId\":\"1\"}", status: 1,
                "sparring: tenants.liveperson: unknown member 'acountId' (did you mean 'accountId'?)\n"),
            Row("sandbox create --map \(folder.file("map"))", status: 64, "--map: the server has no --node"),
            Row("sandbox create --clock frozen --now tomorrow", status: 1, "sparring: --now: 'tomorrow' is not a valid date-time"),

            Row("fault add *.Pushr.*·unavailable", status: 1, "there is no operation '*.Pushr.*'\n  did you mean ", "*.Pusher.*"),
            Row("fault add lp.Login.*·unavailable", status: 1, "there is no operation 'lp.Login.*'\n  did you mean liveperson.Login.*?\n"),
            Row("fault add a.b·unavailable", status: 1, "there is no operation 'a.b': there is no vendor 'a'; there are asapp, cxone, "),
            Row("fault add liveperson.Login.*·delay·bye=1s", status: 1, "'delay' has no parameter 'bye'\n  did you mean by"),
            Row("fault add liveperson.Login.*·status·cod=503", status: 1, "'status' has no parameter 'cod'\n  did you mean code?\n"),

            Row("stub answer khoros.readSDKSetting x", status: 1, "has no stub 'khoros.readSDKSetting'\n  `sparring stub list` shows"),
            Row("stub remove khoros.nothing", status: 1, "has no stub 'khoros.nothing'\n  `sparring stub list` shows"),

            Row("\(token) --lifetime 10", status: 1, "sparring: --lifetime: '10' is not a duration with a unit"),
            Row("\(token) --issued-at now", status: 1, "sparring: --issued-at: 'now' is not a valid date-time"),
            Row("\(token) --algorithm RS512", status: 1, "sparring: --algorithm: 'RS512' is not one of"),
            Row(
                "\(code) --code-challenge x --code-challenge-method S512", status: 1,
                "sparring: --code-challenge-method: 'S512' is not one of"),
            Row("clock advance 999999999d", status: 1, "sparring: '999999999d' is not a duration such as"),
            Row("verify --settle 1", status: 64, "sparring: --settle: '1' is not a duration with a unit"),
            Row("ca --output /nowhere/ca.pem", status: 73, "/nowhere/ca.pem: cannot be written: there is no folder '/nowhere'\n"),
            Row("verify --html /nowhere/x.html", status: 73, "/nowhere/x.html: cannot be written: there is no folder '/nowhere'\n"),
        ]
    }

    private static func check(_ row: Row, _ run: ([String]) async throws -> Command.End) async throws {
        let end = try await run(row.words)
        let line = row.words.joined(separator: " ")
        #expect(end.status == row.status, "\(line): \(end)")
        for text in row.prints { #expect(end.errors.contains(text), "\(line): \(end)") }
    }

    @Test func `a slip that no server is needed for is answered without one`() async throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        for row in try Self.local(folder) { try await Self.check(row) { try await sparring($0, environment: [:]) } }
    }

    @Test func `a slip that the server refuses is answered in the words of the command line`() async throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let server = try await ServerProcess.start(in: folder)
        for row in try Self.asked(folder) { try await Self.check(row) { try await sparring($0, at: server) } }
        _ = try await server.stop()
    }
}

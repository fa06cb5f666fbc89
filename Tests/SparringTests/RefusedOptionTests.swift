import Support
import Testing

/// Options and files that are refused, each with what is wrong, its place and the way out.
@Suite(.fewAtATime) struct RefusedOptionTests {
    private typealias Row = ClientTests.Row

    /// Files that the rows name, in FOLDER.
    private static let files = [
        "account.yaml": "sandbox" + "es:\n  - name: vendor\n    tenants:\n      livperson: { accountId: acme }\n",
        "rotate.yaml": "scenario: rotate\ntitle: t\nabout: a\ntimeline:\n  - { at: 1s, do: rotateKeys, with: { vendor: identit } }\n",
        "arm.yaml": "scenario: arm\ntitle: t\nabout: a\ntimeline:\n  - { at: 1s, do: armFault }\n",
        "status.har": #"{"log": {"entries": [{"startedDateTime": "2026-01-31T12:00:00.000Z", "time": 3, "#
            + #""request": {"method": "GET", "url": "https://api.liveperson.net/x"}, "response": {"status": "OK"}}]}}"#,
        "used.db": "",
    ]

    /// None of these needs a server. `·` is a space within a word, EMPTY a word without a letter.
    private static let rows: [Row] = [
        Row("clock advance -- -10m", status: 64, "sparring: '-10m' must be above 0"),
        Row("clock wait -- -10m", status: 64, "sparring: '-10m' must be above 0"),
        Row("clock wait 10s --timeout 10m", status: 64, "--timeout: '10m' is longer than 5m"),

        Row(
            "run --scenario pusher-down-for-31s", status: 64,
            "sparring: the command is missing: sparring run --scenario pusher-down-for-31s -- npm test\n"),
        Row("run --fault *·abort --", status: 64, "the command is missing: sparring run --fault '* abort' -- npm test\n"),
        Row("run --", status: 64, "sparring: the command is missing: sparring run -- npm test\n"),
        Row("run", status: 64, "sparring: the command is missing: sparring run -- npm test\n"),
        Row(
            "run --vendor khoros --scenario pusher-down-for-31s -- true", status: 64,
            "sparring: scenario 'pusher-down-for-31s' needs liveperson, which --vendor leaves out\n"),
        Row("run --keep -- true", status: 64, "sparring: --keep needs --url"),
        Row("run --admin-token x -- true", status: 64, "sparring: --admin-token needs --url"),
        Row("run --max-time 10m -- true", status: 64, "sparring: --max-time needs --vary"),
        Row("run --max-runs 10 -- true", status: 64, "sparring: --max-runs needs --vary"),
        Row("run --vary 7 --vary-together --max-runs 10 -- true", status: 64, "--max-runs and --vary-together cannot be used together"),
        Row(
            #"run --tenant liveperson={"accountId":"1"} --tenant liveperson={"accountId":"2"} -- true"#, status: 64,
            "sparring: --tenant is given twice for 'liveperson'"),
        Row("run --fault EMPTY -- true", status: 64, "sparring: --fault is empty; write one such as '*.Login.* token-expired times=2'\n"),
        Row("fault add ·", status: 64, "sparring: the fault is empty; write one such as"),
        Row("stub add GET·/x status=200 status=201", status: 64, "sparring: status= is given twice"),

        Row("run --port 29084 --tls-port 29084 -- true", status: 64, "sparring: --port and --tls-port are both 29084"),
        Row("serve --port 29084 --tls-port 29084", status: 64, "sparring: --port and --tls-port are both 29084"),
        Row("serve --no-tls --tls-port 29083", status: 64, "sparring: --no-tls and --tls-port cannot be used together"),
        Row("serve --admin-token EMPTY", status: 64, "sparring: --admin-token is empty; leave it out for a new one\n"),
        Row(
            "serve --port 0 --tls-port 0 --fault liveperson.Lgin.*·unavailable", status: 64,
            "sparring serve: --fault: there is no operation 'liveperson.Lgin.*'"),
        Row(
            "serve --port 0 --tls-port 0 --bind 192.0.2.1", status: 69,
            "cannot listen on 192.0.2.1 port 0", "(no interface of this machine has this address)\n"),

        Row("run --minimum operations=180% -- true", status: 64, "sparring: --minimum: 180% is not from 0% to 100%\n"),
        Row("verify --minimum rules=-1%", status: 64, "sparring: --minimum: -1% is not from 0% to 100%\n"),
        Row("verify --minimum rules=half", status: 64, "'rules=half' has no percentage"),
        Row("run --platform iphone -- true", status: 64, "sparring: --platform: 'iphone' is not a platform; there are ios"),
        Row("run --flow implict -- true", status: 64, "sparring: --flow: 'implict' is not a flow"),
        Row("run --rule foo -- true", status: 64, "there is no rule 'foo'; `sparring verify --list` lists them\n"),
        Row(
            "journal --database x.db --url http://127.0.0.1:1", status: 64, "sparring: --database and --url cannot be used together"),
        Row("verify --database x.db --url http://127.0.0.1:1", status: 64, "sparring: --database and --url cannot be used together"),
        Row("verify --junit FOLDER/x --html FOLDER/x", status: 64, "two reports would be written to the same file"),
        Row("import FOLDER/status.har --junit FOLDER/x --html FOLDER/x", status: 64, "two reports would be written to the same file"),
        Row("replay FOLDER/status.har --junit FOLDER/x --html FOLDER/x", status: 64, "two reports would be written to the same file"),

        Row("vary plan --vary 7 --vary-without garbage", status: 64, "sparring: --vary-without: 'garbage' is not a variation"),
        Row(
            "vary plan --vary 7 --vary-only V5@nothing.here/alice/1#/x", status: 64,
            "sparring: --vary-only: there is no operation or message 'nothing.here'"),
        Row(
            "run --vary 7 --vary-only V5@nothing.here/alice/1#/x -- true", status: 64,
            "sparring: --vary-only: there is no operation or message 'nothing.here'"),
        Row("run --vary 7 --vary-without V5@identity.tokn/alice/1#/x -- true", status: 64, "(did you mean 'identity.token'?)\n"),

        Row("sandbox create --ttl-fixed", status: 64, "sparring: --ttl-fixed needs --ttl, such as --ttl 2h\n"),
        Row("credential mint --form jwt --subject ada --missing-claim exp", status: 64, "--missing-claim needs --defect claim-missing\n"),
        Row("scenario list --vendor lp", status: 64, "no scenario uses a vendor 'lp'; there are asapp, cxone"),
        Row(
            "scenario check FOLDER/rotate.yaml", status: 65, "FOLDER/rotate.yaml:5:", "no vendor 'identit'; there are",
            "(did you mean 'identity'?)\n"),
        Row("scenario check FOLDER/arm.yaml", status: 65, "FOLDER/arm.yaml:5:", "armFault needs 'fault' in its 'with', such as"),
        Row(
            "database copy FOLDER/used.db FOLDER/nosuch/x.db", status: 73,
            "sparring: FOLDER/nosuch/x.db: cannot be written: there is no folder 'FOLDER/nosuch'\n"),
        Row("import FOLDER/status.har", status: 65, "FOLDER/status.har: /log/entries/0/response/status: 'OK' is not a status"),
        Row("probe --target liveperson=https://api.vendor.example --ca /nowhere.pem", status: 66, "/nowhere.pem cannot be read"),
        Row(
            "probe --target liveperson=https://api.vendor.example --credential tokn=true", status: 64,
            "sparring: --credential: no transcript has a credential of the kind 'tokn' (did you mean 'token'?)\n"),
        Row(
            "probe --target liveperson=https://api.vendor.example --config FOLDER/account.yaml", status: 65,
            "sparring: FOLDER/account.yaml:4:", "no vendor 'livperson'; there are", "(did you mean 'liveperson'?)\n"),
    ]

    /// In this order, with a server.
    private static let asked: [Row] = [
        Row(
            "sandbox create --name m1 --map FOLDER/nosuch/map", status: 73,
            "sparring: FOLDER/nosuch/map: cannot be written: there is no folder 'FOLDER/nosuch'\n"),
        Row("sandbox show m1", status: 1, "sparring: there is no sandbox 'm1'\n  `sparring sandbox list` lists them\n"),
        Row(
            #"tenant change liveperson --set {"accountId":"555"}"#, status: 1,
            "a tenant's id cannot be changed: create another sandbox\n"),
        Row("verify --platform window", status: 64, "sparring: --platform: 'window' is not a platform; there are ios"),
        Row("serve --port 0 --tls-port TLS", status: 69, "(another server is using it; choose another --tls-port, or 0 for a free one)\n"),
    ]

    private static func check(_ row: Row, _ end: Command.End, _ folder: TemporaryFolder) {
        let line = row.words.joined(separator: " ")
        #expect(end.status == row.status && end.output.isEmpty, "\(line): \(end)")
        for text in row.prints { #expect(end.errors.contains(text.replacing("FOLDER", with: folder.path)), "\(line): \(end)") }
    }

    @Test func `what needs no server is refused before one is called`() async throws {
        let folder = try TemporaryFolder()
        for (name, text) in Self.files { _ = try folder.write(text, to: name) }
        for row in Self.rows {
            let words = row.words.map { $0 == "EMPTY" ? "" : $0.replacing("FOLDER", with: folder.path) }
            Self.check(row, try await sparring(words, environment: [:]), folder)
        }
    }

    @Test func `a server's refusal names the option, and says what helps`() async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess.start(in: folder)
        for row in Self.asked {
            let words = row.words.map { $0.replacing("FOLDER", with: folder.path).replacing("TLS", with: String(server.tlsPort)) }
            Self.check(row, try await sparring(words, at: server), folder)
        }
        let environment = ["SPARRING_URL": server.url, "SPARRING_SANDBOX": "nightly"]
        let variable = try await sparring(["journal"], environment: environment)
        #expect(
            variable.errors
                == "sparring: there is no sandbox 'nightly', which SPARRING_SANDBOX names\n  `sparring sandbox list` lists them\n",
            "\(variable)")
        _ = try await server.stop()
    }
}

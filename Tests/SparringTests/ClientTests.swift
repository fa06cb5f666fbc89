import SparringJSON
import Support
import Testing

/// The commands that talk to a running server, run as a user runs them.
@Suite(.fewAtATime) struct ClientTests {
    /// One command line and what becomes of it.
    struct Row {
        var words: [String]
        var status: Int32 = 0
        /// Each of these stands in what is printed: on standard output after success, else on standard error.
        var prints: [String]

        init(_ words: String, status: Int32 = 0, _ prints: String...) {
            self.words = words.split(separator: " ").map { String($0).replacing("·", with: " ") }
            self.status = status
            self.prints = prints
        }
    }

    /// In this order: each finds what the ones before it left. `·` is a space within a word.
    private static let rows = [
        Row(
            "sandbox create --name shop --seed 7 --clock frozen --now 2026-01-01T00:00:00Z --tenant liveperson={\"accountId\":\"acme\"} "
                + "--fault *·delay·by=0s·times=1",
            "sandbox   shop", "frozen at 2026-01-01T00:00:00.000Z", "accountId              acme"),
        Row("sandbox list", "default  1", "shop     7     frozen at 2026-01-01T00:00:00.000Z"),
        Row("sandbox create --name shop", status: 1, "sparring: the sandbox 'shop' already exists\n"),
        Row("sandbox create --name a/b", status: 1, "sparring: 'a/b' is not a name of lower-case letters"),
        Row("sandbox create --rate 2 --clock frozen", status: 64, "sparring: --rate cannot be used with --clock frozen"),
        Row("sandbox create --tenant liveperson=acme", status: 64, "liveperson"),
        Row("sandbox create --file /nowhere.json", status: 66, "/nowhere.json: cannot be read"),

        Row(
            "fault add liveperson.Login.* token-expired times=2 --sandbox shop",
            "armed fault 2 in shop: liveperson.Login.* token-expired times=2"),
        Row("fault add liveperson.signUp·rate-limited --sandbox shop", "armed fault 3 in shop"),
        Row(
            "fault add liveperson.Logn.* token-expired", status: 1, "there is no operation 'liveperson.Logn.*'",
            "did you mean liveperson.Login.*"),
        Row(
            "fault add pusher unavailable", status: 1, "'pusher' is not vendor.operationId", "did you mean liveperson.Pusher.*?"),
        Row(
            "fault add liveperson.signUp·status·code=200·body=@\(Repository.folder(".dockerignore")) --sandbox shop",
            "armed fault 4 in shop: liveperson.signUp status code=200 body=\""),
        Row("fault add liveperson.signUp·status·code=200·body=@/nowhere", status: 66, "body=@/nowhere: the file cannot be read"),
        Row("fault add", status: 64, "missing expected argument"),
        Row("fault list --sandbox shop", "2       0     2     0        liveperson.Login.* token-expired times=2"),
        Row("fault remove 2 --sandbox shop", "removed fault 2 from shop"),
        Row("fault remove 9 --sandbox shop", status: 1, "sparring: sandbox 'shop' has no fault 9\n"),
        Row("fault remove --all --sandbox shop", "removed all faults from shop"),

        Row("clock show --sandbox shop", "frozen at 2026-01-01T00:00:00.000Z\n"),
        Row("clock advance 10m --sandbox shop", "2026-01-01T00:10:00.000Z (nothing was due)\n"),
        Row("clock advance soon --sandbox shop", status: 1, "sparring: 'soon' is not a duration with a unit"),
        Row("clock wait --until 2026-01-01T00:10:00Z --sandbox shop", "frozen at 2026-01-01T00:10:00.000Z\n"),
        Row("clock wait 1s --timeout 20ms --sandbox shop", status: 1, "did not reach 2026-01-01T00:10:01.000Z within 20 ms"),
        Row("clock wait --sandbox shop", status: 64, "give a duration, or --until"),
        Row("clock resume --sandbox shop", ", running\n"), Row("clock freeze --sandbox shop", "frozen at 2026-01-01T00:10:0"),

        Row("tenant show liveperson --sandbox shop", "accountId             acme"),
        Row(
            "tenant change liveperson --set {\"tokenLifetime\":\"5m\"} --sandbox shop", "tokenLifetime         5m"),
        Row(
            "tenant change liveperson --set {\"tokenLifetme\":\"5m\"} --sandbox shop", status: 1,
            "sparring: unknown member 'tokenLifetme' (did you mean 'tokenLifetime'?)"),
        Row("tenant show livperson --sandbox shop", status: 1, "livperson"),
        Row("keys rotate identity --sandbox shop", "identity signs with key "),

        Row("credential mint --form code --subject ada --sandbox shop", "\n"),
        Row("credential mint --form jwt --subject ada --defect expired --sandbox shop", "eyJ"),
        Row(
            "credential mint --form jwt --subject ada --defect stale --sandbox shop", status: 1, "sparring: --defect: 'stale' is not one of"
        ),

        Row("journal --sandbox shop", "     1  2026-01-01T00:00:00.000Z  fault     armed: liveperson.Login.* token-expired times=2"),
        Row("journal --sandbox shop --kind clock --limit 1 --json", "\"the clock was advanced by 10 min\""),
        Row("journal show 1 --sandbox shop", "     1  "), Row("journal show 1 --sandbox shop --json", "\"number\":1"),
        Row("clock advance -5m", status: 64, "'-5m' looks like an option: write -- -5m"),
        Row("clock resume --offset -5m", status: 64, "write --offset=-5m"),
        Row("journal show 99 --sandbox shop", status: 1, "sparring: sandbox 'shop' has no entry 99\n"),
        Row("journal --sandbox nope", status: 1, "sparring: there is no sandbox 'nope'\n"),
        Row("journal --limit 0", status: 64, "--limit must be 1 or more"),

        Row("ca", "-----BEGIN CERTIFICATE-----\n"), Row("version", "sparring ", "server "), Row("version --json", "\"server\":"),
        Row("sandbox reset shop", "reset sandbox shop"), Row("sandbox delete shop", "deleted sandbox shop"),
        Row("sandbox delete shop", status: 1, "sparring: there is no sandbox 'shop'\n"),

        Row(
            "clock show --url http://127.0.0.1:1", status: 69,
            "cannot reach http://127.0.0.1:1: connection refused; is `sparring serve` running?"),
        Row("clock show --url ftp://nowhere", status: 64, "--url: 'ftp://nowhere' is not a URL"),
        Row("nonsense", status: 64, "sparring: there is no command 'nonsense'\n  see 'sparring --help'\n"),
        Row("run npm test", status: 64, "sparring: write the command after '--': sparring run -- npm test\n"),
        Row("serve --port 70000", status: 64, "sparring: --port must be from 0 to 65535\n"),
        Row("serve --proxy-port 70000", status: 64, "sparring: --proxy-port must be from 0 to 65535\n"),
        Row("serve --proxy-port 0 --no-tls", status: 64, "sparring: --no-tls and --proxy-port cannot be used together"),
        Row("serve --proxy-host a.example", status: 64, "sparring: --proxy-host needs --proxy-port\n"),
        Row("serve --proxy-others pass", status: 64, "sparring: --proxy-others needs --proxy-port\n"),
        Row("serve --proxy-port 0 --proxy-host *.example", status: 64, "sparring: --proxy-host '*.example' is not a host name"),
        Row("trust nokia", status: 64, "ios-simulator, ios-device"),
        Row("act liveperson.push", status: 64, "sparring: the vendor and its operation are two words: sparring act liveperson push\n"),
        Row("act livperson", status: 64, "no vendor 'livperson' adds operations", "(did you mean 'liveperson'?)\n"),
        Row("sandbox create --fault nonsense", status: 1, "sparring: --fault: 'nonsense' is not of the form WHERE EFFECT"),
        Row("sandbox create --tenant livepersn={}", status: 1, "no vendor 'livepersn'; there are", "(did you mean 'liveperson'?)\n"),
        Row("sandbox create --tenant liveperson={\"accountId\":1234}", status: 1, "1234 is not a string", ": put it in quotes\n"),
        Row("sandbox create --tenant liveperson={accountId:1}", status: 64, "not JSON: expected a name in double quotes"),
        Row("credential mint --form jwt --subject ada --defect expird", status: 1, "(did you mean 'expired'?)\n"),
        Row("clock freeze --at yesterday", status: 1, "--at: 'yesterday' is not a valid date-time, such as 2026-01-01T00:00:00Z\n"),
        Row("verify --behaviour livperson", status: 64, "(did you mean 'liveperson'?)\n"),
        Row("verify --time-scale 0", status: 64, "--time-scale: 0.0 is not greater than 0\n"),
        Row(
            "scenario show zzzzzzzz", status: 64,
            "there is no scenario 'zzzzzzzz'\n  `sparring scenario list` lists them\n  a file's path has a '/' or a '.'\n"),
        Row(
            "init ci github --package s.deb --scenario pushr-down-for-good --print -- true", status: 64,
            "did you mean pusher-down-for-good"),
        Row("init ci github --print -- true", status: 64, "give exactly one of --package, --image and --build, to say where"),
        Row("init ci github --package sparring.zip -- true", status: 64, "'sparring.zip' is neither a .deb nor a .tar.gz"),
        Row("init ci github --build --source URL -- true", status: 64, "--build needs --source and --revision"),
        Row("contract lint --overlay /nowhere.yaml", status: 66, "/nowhere.yaml: cannot be read"),
        Row("scenario check /nowhere.yaml", status: 66, "/nowhere.yaml: cannot be read"),
        Row("run --html / -- true", status: 73, "/: cannot be written: it is a folder; name a file in it\n"),
        Row("device simulator abc", status: 69, "xcrun cannot be run: simulators need macOS with Xcode"),
        Row("jornal", status: 64, "sparring: there is no command 'jornal' (did you mean 'journal'?)\n"),
        Row("fault clear", status: 64, "no command 'clear' under 'sparring fault' (did you mean 'sparring fault remove --all'?)\n"),
        Row("fault rm 1", status: 64, "there is no command 'rm' under 'sparring fault' (did you mean 'remove'?)\n"),
        Row("sandbox rm x", status: 64, "there is no command 'rm' under 'sparring sandbox' (did you mean 'delete'?)\n"),
        Row("sandbox create x1", status: 64, "unexpected argument 'x1' (did you mean --name x1?)\n"),
        Row("sandbox new", status: 64, "there is no command 'new' under 'sparring sandbox' (did you mean 'create'?)\n"),
        Row("scenario ls", status: 64, "there is no command 'ls' under 'sparring scenario' (did you mean 'list'?)\n"),
        Row("start", status: 64, "there is no command 'start' (did you mean 'serve' or 'run'?)\n"),
        Row("journal har", status: 64, "no command 'har' under 'sparring journal' (did you mean 'sparring contract export har'?)\n"),
        Row(
            "journal --har", status: 64,
            "sparring: unknown option '--har' (did you mean 'sparring contract export har'?)\n  see 'sparring journal --help'\n"),
        Row("help jornal", status: 64, "sparring: there is no command 'jornal' (did you mean 'journal'?)\n"),
        Row("journal shw 3", status: 64, "there is no command 'shw' under 'sparring journal' (did you mean 'show'?)\n"),
        Row(
            "clock freze", status: 64,
            "there is no command 'freze' under 'sparring clock' (did you mean 'freeze'?)\n  see 'sparring clock --help'\n"),
        Row("journal --tial 3", status: 64, "sparring: unknown option '--tial'. Did you mean '--tail'?\n  see 'sparring journal --help'\n"),
        Row("journal --operation token", status: 1, "'token' needs a vendor, as in identity.token\n  did you mean"),
        Row("journal --operation identity.tokn", status: 1, "there is no operation 'identity.tokn'\n  did you mean identity.token?"),
        Row("clock advance 10", status: 1, "sparring: '10' is not a duration with a unit, such as 10s, 10m or PT10M\n"),
        Row("completion bash", "complete"), Row("completion fish", "complete -c"), Row("completion zsh", "#compdef sparring"),
        Row("completion tcsh", status: 64, "'tcsh'"), Row("", "A server runs at ", "sparring sandbox show"),
        Row("--url http://127.0.0.1:1", status: 64, "sparring: unknown option '--url'\n  see 'sparring --help'\n"),
    ]

    @Test func `each command prints what it did, or why it could not, and exits accordingly`() async throws {
        let server = try await ServerProcess.start(in: try TemporaryFolder())
        for row in Self.rows {
            let end = try await sparring(row.words, at: server)
            let line = row.words.joined(separator: " ")
            #expect(end.status == row.status, "\(line): \(end.errors)")
            let (told, untold) = end.status == 0 ? (end.output, end.errors) : (end.errors, end.output)
            for text in row.prints { #expect(told.contains(text), "\(line): \(end)") }
            #expect(untold.isEmpty, "\(line): \(end)")
        }
        _ = try await server.stop()
    }

    @Test func `a code is minted, signs in once, and the journal tells why not twice`() async throws {
        let server = try await ServerProcess.start(in: try TemporaryFolder())
        let sandbox = try await sparring(["sandbox", "show", "default", "--json"], at: server).output
        let account = try #require(try JSON(parsing: sandbox)["tenants"]?["liveperson"]?["accountId"]?.string)
        let code = try await sparring(["credential", "mint", "--form", "code", "--subject", "ada"], at: server).output
        let target = "/api/account/\(account)/app/default/authenticate?v=2.0"
        let body: JSON = ["code": .string(String(code.dropLast()))]
        #expect(try await server.post(target, body).status == 200)
        #expect(try await server.post(target, body).status == 500)
        let journal = try await sparring(["journal", "--operation", "liveperson.authenticateV2"], at: server).output
        #expect(
            journal.contains("code was redeemed by entry")
                && journal.split(separator: "\n").count { $0.contains("liveperson.authenticateV2") } == 2, "\(journal)")
        _ = try await server.stop()
    }

    @Test func `a followed journal prints each entry as it comes, until its limit`() async throws {
        let server = try await ServerProcess.start(in: try TemporaryFolder())
        async let followed = sparring(["journal", "--follow", "--limit", "3", "--kind", "fault", "--json"], at: server)
        for _ in 0..<3 { _ = try await sparring(["fault", "add", "*", "delay", "by=0s"], at: server) }
        let end = try await followed
        let numbers = try end.output.split(separator: "\n").map { try JSON(parsing: String($0))["number"]?.integer }
        #expect(end.status == 0 && numbers == [1, 2, 3], "\(end)")
        _ = try await server.stop()
    }

    @Test func `where the admin API wants a token, a command says so, and takes it from the option or the environment`() async throws {
        let server = try await ServerProcess.start(["--admin-token", "s3cret"], in: try TemporaryFolder())
        let refused = try await sparring(["sandbox", "list"], at: server)
        #expect(refused.status == 1 && refused.errors.contains("--admin-token or SPARRING_ADMIN_TOKEN"), "\(refused.errors)")
        #expect(try await sparring(["sandbox", "list", "--admin-token", "s3cret"], at: server).status == 0)
        let environment = ["SPARRING_URL": server.url, "SPARRING_ADMIN_TOKEN": "s3cret", "SPARRING_SANDBOX": "nope"]
        let other = try await sparring(["clock", "show"], environment: environment)
        #expect(
            other.status == 1
                && other.errors
                    == "sparring: there is no sandbox 'nope', which SPARRING_SANDBOX names\n  `sparring sandbox list` lists them\n",
            "\(other.errors)")
        _ = try await server.stop()
    }
}

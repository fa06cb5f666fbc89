import SparringJSON
import Support
import Testing

/// The output of `--help`.
@Suite(.fewAtATime) struct HelpTests {
    @Test func `examples fit a terminal of 80 columns, and every command says what it does in a sentence`() async throws {
        let dump = try await sparring(["--experimental-dump-help"], environment: [:])
        let root = try #require(try JSON(parsing: dump.output)["command"])
        let commands = Self.all(root, below: [])
        #expect(commands.count > 60)
        for (name, command) in commands {
            let discussion = command["discussion"]?.string ?? ""
            for line in discussion.split(separator: "\n") where line.hasPrefix("  ") {
                #expect(line.count <= 78, "\(name): \(line)")
            }
            #expect(command["abstract"]?.string?.hasSuffix(".") == true, "\(name)")
        }
    }

    /// A command's name comes from its type's name, so renaming a type must not rename a command unnoticed.
    @Test func `the commands have the names that scripts call`() async throws {
        let dump = try await sparring(["--experimental-dump-help"], environment: [:])
        let root = try #require(try JSON(parsing: dump.output)["command"])
        let families = Self.all(root, below: []).compactMap { name, command -> String? in
            let names = (command["subcommands"]?.array ?? []).compactMap { $0["commandName"]?.string }.filter { $0 != "help" }
            return names.isEmpty ? nil : "\(name): \(names.joined(separator: " "))"
        }
        #expect(
            families == [
                "sparring: serve run verify mcp scenario fault stub chaos vary clock act agent conversation consumer device socket journal sandbox "
                    + "contract scan import replay probe record learn tenant keys credential env init ca trust doctor health drain "
                    + "balancer database completion version stamp",
                "sparring scenario: list show check play stop", "sparring fault: add list remove effects",
                "sparring stub: add list answer remove", "sparring chaos: plan", "sparring vary: families plan",
                "sparring clock: show advance freeze resume wait",
                "sparring agent: join leave say card file form typing pause active inactive gone accept read transfer close",
                "sparring conversation: list show", "sparring consumer: list sign-out",
                "sparring device: list notifications apns simulator push notify renew-token", "sparring socket: list close abort freeze",
                "sparring journal: show resend world mark clear", "sparring sandbox: create list show fork reset delete",
                "sparring contract: list show lint coverage export", "sparring contract export: document pact har",
                "sparring tenant: show change", "sparring keys: rotate", "sparring credential: mint", "sparring init: ci",
                "sparring balancer: haproxy", "sparring database: copy",
            ])
    }

    /// The complaints about slips in the options of all commands, in the verb's own and in those of a command above it.
    @Test(
        arguments: [
            (["agent", "say"], 64, "missing expected argument '<consumer>'\n  see 'sparring agent say --help'"),
            (["agent", "read", "al", "x"], 64, "<sequences>: 'x' is not a whole number, such as 1\n  see 'sparring agent read --help'"),
            (["agent", "transfer", "al"], 64, "name a target: a skill, --queue or --to\n  see 'sparring agent transfer --help'"),
            (["clock", "wait"], 64, "give a duration, or --until\n  see 'sparring clock wait --help'"),
            (["chaos", "plan"], 64, "give at least one --lane, such as --lane alice\n  see 'sparring chaos plan --help'"),
            (["socket", "close", "3", "--code", "7"], 64, "--code must be from 1000 to 4999\n  see 'sparring socket close --help'"),
            (
                ["device", "notifications", "x", "--limit", "0"], 64,
                "--limit must be 1 or more\n  see 'sparring device notifications --help'"
            ),
            (["sandbox", "show", "--nope"], 64, "unknown option '--nope'\n  see 'sparring sandbox show --help'"),
            (["clock", "show", "--sandbox", ""], 64, "--sandbox needs a name\n  see 'sparring clock show --help'"),
            (
                ["journal", "show", "4", "--url", "http://127.0.0.1:9"], 69,
                "cannot reach http://127.0.0.1:9: connection refused; is `sparring serve` running?"
            ),
            (
                ["journal", "--url", "http://127.0.0.1:9", "show", "4"], 69,
                "cannot reach http://127.0.0.1:9: connection refused; is `sparring serve` running?"
            ),
            (["contract", "export", "pact", "khoros", "--consumer", "x", "--overlay", "/dev/null"], 66, "/dev/null: cannot be read"),
        ] as [([String], Int32, String)])
    func `a slip is answered with its place and the help to read`(_ words: [String], _ status: Int32, _ complaint: String) async throws {
        let refused = try await sparring(words, environment: [:])
        #expect(refused.status == status && refused.output.isEmpty)
        #expect(refused.errors == "sparring: \(complaint)\n")
    }

    private static func all(_ command: JSON, below names: [String]) -> [(name: String, command: JSON)] {
        let names = names + [command["commandName"]?.string ?? ""]
        return [(names.joined(separator: " "), command)] + (command["subcommands"]?.array ?? []).flatMap { all($0, below: names) }
    }
}

import ArgumentParser
import SparringAdmin
import SparringContract
import SparringEngine
import SparringJSON
import SparringSandbox
import SparringVerdict

/// `sparring scenario`
struct ScenarioCommand: WordedCommand {
    static let abstract = "List, show, check, play and stop scenarios: incidents to test a client with."
    static let discussion = """
        A scenario is a YAML file with a sandbox's tenants, faults and later events, and with the rules that a client must follow. All \
        commands except 'play' and 'stop' read the files that came with this binary and need no server.
          sparring scenario list
          sparring serve --scenario pusher-down-for-31s
          sparring scenario play pusher-down-for-31s
          sparring sandbox create --scenario pusher-down-for-31s
        """
    static var subcommands: [any ParsableCommand.Type] { [List.self, Show.self, Check.self, Play.command, Stop.command] }

    struct List: LocalCommand {
        static let abstract = "List the ready-made scenarios."
        static let discussion = """
            TIME is how much time passes on the sandbox's clock until everything in a scenario has happened: the client must run that \
            long, or you must advance the clock. NEEDS is what the test must do meanwhile: play an agent, advance the clock, sign in as \
            the consumer whom the scenario names.
              sparring scenario list --vendor cxone
              sparring scenario list --json
            """

        @Option(
            name: .customLong("vendor"), help: "Only the scenarios of this vendor; may be given several times.",
            completion: KnownNames.vendors)
        var vendors: [String] = []
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var folder: FolderOptions

        func perform() async throws {
            let rules = try Resources.behaviours().rules
            let all = try folder.all.map { (scenario: $0.scenario, vendors: $0.scenario.vendors(rules)) }
            let known = Set(all.flatMap(\.vendors)).sorted()
            if let unknown = vendors.first(where: { !known.contains($0) }) {
                let hint = Nearest.hint(for: unknown, in: known)
                throw CommandFailure(
                    text: "no scenario uses a vendor '\(unknown)'; there are \(known.joined(separator: ", "))\(hint)", status: 64)
            }
            let wanted = vendors.isEmpty ? all : all.filter { !$0.vendors.filter(vendors.contains).isEmpty }
            if json { return try Terminal.print(JSON.array(wanted.map(\.scenario.json)).text) }
            try Terminal.print(
                Table.text("scenario", "vendors", "time", "needs", "title", of: wanted) { scenario, vendors in
                    let needs = (scenario.needs.map(\.rawValue) + scenario.consumers.map { "consumer \($0)" }).joined(separator: ", ")
                    return [
                        scenario.name, vendors.joined(separator: ", "), scenario.lasts?.words ?? "–", needs.isEmpty ? "–" : needs,
                        scenario.title,
                    ]
                })
        }
    }

    struct Show: LocalCommand {
        static let abstract = "Print a scenario's file."
        static let discussion = "  sparring scenario show pusher-down-for-31s"

        @Argument(help: "Its name, or a file.", completion: KnownNames.scenarios) var scenario: String
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var folder: FolderOptions

        func perform() async throws {
            let file = try folder.find(scenario)
            try Terminal.print(json ? file.scenario.json.text : file.text)
        }
    }

    struct Check: LocalCommand {
        static let abstract = "Check scenarios against the contracts, as the server does when it starts."
        static let discussion = """
            Prints all errors, each with its file and line.
              sparring scenario check mine.yaml
            """

        @Argument(help: "Files.", completion: .file()) var files: [String]

        func perform() async throws {
            let resources = try Resources.locate()
            var options = Server.Options()
            options.contracts = resources.contracts
            let server = try Server(options, keys: resources.keys)
            var errors: [ContractError] = []
            for path in files {
                do throws(ContractError) {
                    let found = try server.scenarios.errors(in: path)
                    if found.isEmpty { try? Terminal.print("\(path): valid: \(ScenarioFile(reading: path).scenario.extent)") }
                    errors += found
                } catch { errors.append(error) }
            }
            try await server.engine.stop()
            for error in errors { Terminal.complain(Terminal.printable(error.description)) }
            if !errors.isEmpty { throw ExitCode(errors.contains { !$0.isUnreadable } ? 65 : 66) }
        }
    }

    struct Play: SandboxVerb {
        static let abstract = "Play a scenario in a sandbox of a running server."
        static let discussion = """
            The sandbox keeps its ids and keys, so clients need no new configuration. Everything else starts over: conversations, \
            devices, faults, clock and journal.
              sparring scenario play pusher-down-for-31s
              sparring scenario play mine.yaml --sandbox checkout --seed 7
            """

        @Argument(help: "Its name, or a file.", completion: KnownNames.scenarios) var scenario: String
        @Option(help: "Seed of its random values. Default: the scenario's, else the sandbox's.") var seed: Int64?

        func validate() throws {
            if let seed, seed < 0 { throw ValidationError("--seed must be 0 or more.") }
        }

        func run(_ sandbox: RemoteSandbox) async throws {
            let file = ScenarioFile.isPath(scenario) ? try ScenarioCommand.read(scenario) : nil
            let body = JSON.members(["scenario": file?.scenario.json ?? .string(scenario), "seed": seed.map(JSON.integer)])
            do {
                try await sandbox.show(.playScenario, body: body) { json in
                    let name = Terminal.printable(json["scenario"]?.string ?? scenario)
                    return "\(name) begins in sandbox \(sandbox.name), with seed \(json["seed"]?.integer ?? 0)"
                }
            } catch let failure as CommandFailure {
                throw file.flatMap { failure.located(in: $0) } ?? failure
            }
        }
    }

    struct Stop: SandboxVerb {
        static let abstract = "Stop a sandbox's scenario; the sandbox starts over without one."
        static let discussion = """
            The sandbox keeps its ids, keys and the settings that it was created with. It loses the scenario's faults and settings, \
            and its conversations, devices and journal. To play the scenario from its beginning: `sparring sandbox reset`.
              sparring scenario stop --sandbox checkout
            """

        func run(_ sandbox: RemoteSandbox) async throws {
            try await sandbox.show(.stopScenario) { _ in "\(sandbox.name): plays no scenario, and has started over" }
        }
    }

    /// The folder of the scenarios that have names.
    struct FolderOptions: ParsableArguments {
        @Option(name: .customLong("scenarios"), help: "Folder of the ready-made scenarios. Default: the one that came with this binary.")
        var given: String?

        var all: [ScenarioFile] {
            get throws { try ScenarioFile.all(in: try Resources.locate(scenarios: given).scenarios) }
        }

        func find(_ nameOrPath: String) throws -> ScenarioFile {
            if ScenarioFile.isPath(nameOrPath) { return try ScenarioCommand.read(nameOrPath) }
            let all = try all
            if let found = all.first(where: { $0.scenario.name == nameOrPath }) { return found }
            let nearest = Nearest.words(to: nameOrPath, in: all.map(\.scenario.name))
            let hint = nearest.isEmpty ? "`sparring scenario list` lists them" : "did you mean \(Nearest.choice(of: nearest))?"
            let text = "there is no scenario '\(Terminal.printable(nameOrPath))'\n  \(hint)\n  \(ScenarioFile.pathHint)"
            throw CommandFailure(text: text, status: 64)
        }
    }

    /// The names of the scenarios that came with this binary, and need no other vendors than these; nil: all of them.
    static func names(of vendors: Set<String>? = nil) throws -> [String] {
        let all = try ScenarioFile.all(in: try Resources.locate().scenarios)
        guard let vendors else { return all.map(\.scenario.name) }
        let rules = try Resources.behaviours().rules
        return all.filter { vendors.isSuperset(of: $0.scenario.vendors(rules)) }.map(\.scenario.name)
    }

    static func read(_ path: String) throws -> ScenarioFile {
        do throws(ContractError) { return try ScenarioFile(reading: path) } catch {
            let all = ScenarioFile.formErrors(in: path)
            var lines = (all.count > 1 ? all : [error]).map { Terminal.printable($0.description) }
            // The form is right before contracts and vendors are asked.
            if !all.isEmpty { lines.append("  `sparring scenario check \(ShellText.quoted(path))` lists all errors") }
            throw CommandFailure(text: lines.joined(separator: "\n"), status: error.isUnreadable ? 66 : 65)
        }
    }
}

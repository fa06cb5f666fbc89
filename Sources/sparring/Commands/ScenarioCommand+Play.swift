import ArgumentParser
import SparringAdmin
import SparringJSON

extension ScenarioCommand {
    struct Play: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "play",
            abstract: "Play a scenario in a sandbox of a running server.",
            discussion: """
                The sandbox's ids and keys stay, so that clients need no other configuration. Everything else starts over: conversations, \
                devices, faults, clock and journal.
                  sparring scenario play pusher-down-for-31s
                  sparring scenario play mine.yaml --sandbox checkout --seed 7
                """)

        @Argument(help: "Its name, or a file.", completion: .file()) var scenario: String
        @Option(help: "Seed of its random values. Default: the scenario's, else the sandbox's.") var seed: Int64?
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func validate() throws {
            if let seed, seed < 0 { throw ValidationError("--seed must be 0 or more.") }
        }

        func run(_ server: AdminClient) async throws {
            let form: JSON = ScenarioFile.isPath(scenario) ? try ScenarioCommand.read(scenario).scenario.json : .string(scenario)
            let body = JSON.members(["scenario": form, "seed": seed.map { .integer($0) }])
            try show(try await server.call(.playScenario, in: sandbox.name, body: body)) { json in
                let name = Terminal.printable(json["scenario"]?.string ?? scenario)
                return "\(name) begins in sandbox \(sandbox.name), with seed \(json["seed"]?.integer ?? 0)"
            }
        }
    }
}

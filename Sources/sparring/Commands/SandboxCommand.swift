import ArgumentParser
import SparringJSON

/// `sparring sandbox`
struct SandboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sandbox",
        abstract: "Make, show, reset and delete sandboxes.",
        discussion: """
            A sandbox is a whole world: accounts, state, faults, seed, clock and journal. Give each test its own and they never see each other.
              sparring sandbox create --name checkout --seed 7 --clock frozen
            """,
        subcommands: [Create.self, List.self, Show.self, Fork.self, Reset.self, Delete.self])

    struct List: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List all sandboxes.", discussion: "  sparring sandbox list --json")

        @OptionGroup(title: "Connection") var connection: ConnectionOptions

        func run(_ server: AdminClient) async throws {
            try show(try await server.call(.listSandboxes)) { json in
                var table = Table("name", "seed", "clock", "tenants")
                for sandbox in json["sandboxes"]?.array ?? [] {
                    let tenants = sandbox["tenants"]?.object?.keys.joined(separator: ", ") ?? ""
                    table.add(sandbox["id"]?.string ?? "", sandbox["seed"]?.text ?? "", ClockText.line(sandbox["clock"]), tenants)
                }
                return table.text
            }
        }
    }

    struct Show: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show the configuration for a sandbox's clients.", discussion: "  sparring sandbox show checkout")

        @Argument(help: "The sandbox. Default: SPARRING_SANDBOX, else '\(SandboxOptions.defaultName)'.") var name: String?
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func run(_ server: AdminClient) async throws {
            try show(try await server.call(.readSandbox, in: name ?? sandbox.name), as: SandboxText.whole)
        }
    }

    struct Reset: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "reset",
            abstract: "Return a sandbox to its first state.",
            discussion: """
                Keeps id, seed, tenants and configuration; state, faults, clock and journal are as they were when it was made.
                  sparring sandbox reset checkout
                """)

        @Argument(help: "The sandbox.") var name: String
        @OptionGroup(title: "Connection") var connection: ConnectionOptions

        func run(_ server: AdminClient) async throws {
            try show(try await server.call(.resetSandbox, in: name)) { "reset sandbox \($0["id"]?.string ?? name)" }
        }
    }

    struct Delete: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Delete a sandbox and everything in it.", discussion: "  sparring sandbox delete checkout")

        @Argument(help: "The sandbox.") var name: String
        @OptionGroup(title: "Connection") var connection: ConnectionOptions

        func run(_ server: AdminClient) async throws {
            try await server.call(.deleteSandbox, in: name)
            try confirm("deleted sandbox \(name)")
        }
    }
}

import ArgumentParser
import SparringJSON

/// `sparring sandbox`
struct SandboxCommand: WordedCommand {
    static let abstract = "Make, show, reset and delete sandboxes."
    static let discussion = """
        A sandbox is a whole world: accounts, state, faults, seed, clock and journal. Give each test its own and they never see each other.
          sparring sandbox create --name checkout --seed 7 --clock frozen
        """
    static var subcommands: [any ParsableCommand.Type] { [Create.self, List.self, Show.command, Fork.command, Reset.command, Delete.self] }

    struct List: ServerCommand {
        static let abstract = "List all sandboxes."
        static let discussion = "  sparring sandbox list --json"

        @OptionGroup(title: "Connection") var connection: ConnectionOptions

        func run(_ server: AdminClient) async throws {
            try connection.show(try await server.call(.listSandboxes)) { json in
                Table.text("name", "seed", "clock", "ends", "tenants", of: json["sandboxes"]?.array) { sandbox in
                    let tenants = sandbox["tenants"]?.object?.keys.joined(separator: ", ") ?? ""
                    return sandbox.cells("id", "seed") + [ClockText.line(sandbox["clock"]), sandbox["ends"]?.string ?? "–", tenants]
                }
            }
        }
    }

    struct Show: SandboxVerb {
        static let abstract = "Show the configuration for a sandbox's clients."
        static let discussion = "  sparring sandbox show checkout"

        @Argument(help: "The sandbox. Default: SPARRING_SANDBOX, else '\(SandboxOptions.defaultName)'.") var name: String?

        func run(_ sandbox: RemoteSandbox) async throws {
            try sandbox.connection.show(try await sandbox.server.call(.readSandbox, in: name ?? sandbox.name), as: SandboxText.whole)
        }
    }

    struct Fork: SandboxVerb {
        static let abstract = "Make a new sandbox that is as this one was at an entry."
        static let discussion = """
            State, clock, faults, pending work and the journal up to the entry are the same; the ids of the tenants are new, so a client must be configured \
            with them and sign in again. The sandbox itself stays as it is.
              sparring sandbox fork 42
              sparring sandbox fork 42 --name before-the-refusal
            """

        @Argument(help: "The entry's number, as 'journal' shows it.") var number: Int
        @Option(help: "The new sandbox's name. Default: this one's and the entry's number.") var name: String?

        func run(_ sandbox: RemoteSandbox) async throws {
            let form = JSON.members(["name": name.map(JSON.string)])
            try await sandbox.show(.forkSandbox, ["number": number], body: form, as: SandboxText.whole)
        }
    }

    struct Reset: SandboxVerb {
        static let abstract = "Return a sandbox to its first state."
        static let discussion = """
            Keeps id, seed, tenants and configuration; state, faults, clock and journal are as they were when it was made. \
            A fork becomes empty: what it took over from its original does not come back.
              sparring sandbox reset checkout
            """

        @Argument(help: "The sandbox. Default: SPARRING_SANDBOX, else '\(SandboxOptions.defaultName)'.") var name: String?

        func run(_ sandbox: RemoteSandbox) async throws {
            let name = name ?? sandbox.name
            try sandbox.connection.show(try await sandbox.server.call(.resetSandbox, in: name)) {
                "reset sandbox \($0["id"]?.string ?? name)"
            }
        }
    }

    struct Delete: ServerCommand {
        static let abstract = "Delete a sandbox and everything in it."
        static let discussion = "  sparring sandbox delete checkout"

        @Argument(help: "The sandbox.") var name: String
        @OptionGroup(title: "Connection") var connection: ConnectionOptions

        func run(_ server: AdminClient) async throws {
            try await server.call(.deleteSandbox, in: name)
            try connection.confirm("deleted sandbox \(name)")
        }
    }
}

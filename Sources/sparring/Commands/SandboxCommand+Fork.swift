import ArgumentParser
import SparringJSON

extension SandboxCommand {
    struct Fork: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "fork",
            abstract: "Make a new sandbox that is as this one was at an entry.",
            discussion: """
                State, clock, faults, pending work and the journal up to the entry are the same; the ids of the tenants are new, so a client must be configured \
                with them and sign in again. The sandbox itself stays as it is.
                  sparring sandbox fork 42
                  sparring sandbox fork 42 --name before-the-refusal
                """)

        @Argument(help: "The entry's number, as 'journal' shows it.") var number: Int
        @Option(help: "The new sandbox's name. Default: this one's and the entry's number.") var name: String?
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func run(_ server: AdminClient) async throws {
            let form = JSON.members(["name": name.map { .string($0) }])
            try show(try await server.call(.forkSandbox, in: sandbox.name, ["number": number], body: form), as: SandboxText.whole)
        }
    }
}

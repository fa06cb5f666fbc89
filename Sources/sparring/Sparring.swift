import ArgumentParser
import CMalloc

/// `sparring`: the server, and the commands that steer a running one.
@main
struct Sparring: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sparring",
        abstract: "A mock vendor backend for contract testing.",
        discussion: """
            Sparring stands in for the backends that messaging clients talk to, misbehaves on request, and judges how the client copes.

              sparring serve                      start it
              sparring run -- npm test            run tests, and judge the client
              sparring sandbox show               the settings for a client
              sparring scenario list              incidents to replay
              sparring fault add 'liveperson.Login.* token-expired times=2'
              sparring journal --follow           watch
              sparring clock advance 10m          let time pass
              sparring agent say alice "Hello"    play the agent that a consumer talks to

            Commands that talk to a running server use the URL in --url, else SPARRING_URL, else \(ConnectionOptions.defaultURL), and act \
            on the sandbox in --sandbox, else SPARRING_SANDBOX, else '\(SandboxOptions.defaultName)'.

            Exit status: 0 done, 1 refused by the server, 64 wrong usage, 65 or 66 a file that is invalid or cannot be read, 69 no server, \
            or a port or database in use, 70 an internal error, 73 or 74 a file or output that cannot be written. 'run' and 'verify' have \
            their own; see their help.
            """,
        version: sparringVersion + (Resources.commit.map { " (\($0))" } ?? ""),
        groupedSubcommands: [
            CommandGroup(name: "Running", subcommands: [Serve.self, RunCommand.self, VerifyCommand.self, MCPCommand.self]),
            CommandGroup(
                name: "Disturbing",
                subcommands: [
                    ScenarioCommand.self, FaultCommand.self, StubCommand.self, ChaosCommand.self, VaryCommand.self, ClockCommand.self,
                    ActCommand.command,
                ]),
            CommandGroup(
                name: "Playing",
                subcommands: [
                    AgentCommand.self, ConversationCommand.self, ConsumerCommand.self, DeviceCommand.self, SocketCommand.self,
                ]),
            CommandGroup(
                name: "Looking",
                subcommands: [
                    JournalCommand.self, SandboxCommand.self, ContractCommand.self, ScanCommand.self, ImportCommand.self,
                    ReplayCommand.self, ProbeCommand.self, RecordCommand.self, LearnCommand.self,
                ]),
            CommandGroup(
                name: "Setup",
                subcommands: [
                    TenantCommand.self, KeysCommand.self, CredentialCommand.self, EnvCommand.command, InitCommand.self,
                    CertificateAuthorityCommand.self,
                    TrustCommand.self, DoctorCommand.command, HealthCommand.self, DrainCommand.self,
                    BalancerCommand.self, DatabaseCommand.self, CompletionCommand.self, VersionCommand.self,
                    StampCommand.self,
                ]),
        ])

    static func main() async {
        // What is large comes from the system and goes back to it. Else the allocator keeps the room of the largest file that a client ever sent.
        mallopt(M_MMAP_THRESHOLD, 1 << 20)
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            try UsageComplaint.checkHelp(arguments)
            var command = try await asyncParseAsRoot(nil)
            if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
        } catch {
            guard let complaint = UsageComplaint(error, of: arguments) else { exit(withError: error) }
            Terminal.complain(complaint.text)
            exit(withError: ExitCode.validationFailure)
        }
    }

    /// Without a command: what to type next.
    func run() async throws { try Terminal.print(await FirstSteps.text()) }
}

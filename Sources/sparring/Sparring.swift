import ArgumentParser

/// `sparring`: the server, and the commands that steer a running one.
@main
struct Sparring: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sparring",
        abstract: "A mock vendor backend for contract testing.",
        discussion: """
            Sparring stands in for the backends that messaging clients talk to, misbehaves when asked to, and keeps a journal of what happened.

              sparring serve                      start it
              sparring sandbox show               what to configure a client with
              sparring scenario list              incidents to replay
              sparring fault add 'liveperson.Login.* token-expired times=2'
              sparring journal --follow           watch
              sparring clock advance 10m          let time pass
              sparring agent say alice "Hello"    play the agent that a consumer talks to

            All commands but 'serve' and 'scenario' talk to a running server: --url, else SPARRING_URL, else \(ConnectionOptions.defaultURL). \
            They act on the sandbox --sandbox, else SPARRING_SANDBOX, else '\(SandboxOptions.defaultName)'.

            Exit status: 0 done, 1 refused by the server, 64 wrong usage, 65 or 66 a file that is wrong or cannot be read, 69 no server, \
            73 or 74 a file or the output that cannot be written.
            """,
        version: sparringVersion,
        subcommands: [
            Serve.self, RunCommand.self, VerifyCommand.self, SandboxCommand.self, ScenarioCommand.self, TenantCommand.self,
            KeysCommand.self, FaultCommand.self,
            ChaosCommand.self, ClockCommand.self,
            JournalCommand.self, CredentialCommand.self, ActCommand.self, AgentCommand.self, ConversationCommand.self, ConsumerCommand.self,
            DeviceCommand.self, CertificateAuthorityCommand.self, TrustCommand.self, EnvCommand.self, DoctorCommand.self,
            VersionCommand.self,
        ])
}

import ArgumentParser

/// A command that works in a sandbox of a running server: its words, its own arguments, and its work. ``InSandbox`` adds what all of them have.
protocol SandboxVerb: ParsableArguments, CommandWords {
    func run(_ sandbox: RemoteSandbox) async throws
}

extension SandboxVerb {
    /// For the list of commands that it belongs to.
    static var command: any ParsableCommand.Type { InSandbox<Self>.self }
}

/// A verb with the options by which all find their server and their sandbox.
struct InSandbox<Verb: SandboxVerb>: ServerCommand {
    static var name: String { Verb.name }
    static var abstract: String { Verb.abstract }
    static var discussion: String { Verb.discussion }

    @OptionGroup var verb: Verb
    @OptionGroup(title: "Connection") var connection: ConnectionOptions
    @OptionGroup var sandbox: SandboxOptions

    func run(_ server: AdminClient) async throws {
        try await verb.run(RemoteSandbox(name: sandbox.name, server: server, connection: connection))
    }
}

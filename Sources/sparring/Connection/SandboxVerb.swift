import ArgumentParser

/// A command that works in a sandbox of a running server: its words, its own arguments, and its work. ``InSandbox`` adds what all of them have.
protocol SandboxVerb: ParsableArguments {
    /// Of the command. Default: the type's name in lower case.
    static var name: String { get }
    static var abstract: String { get }
    /// More of the help, with examples.
    static var discussion: String { get }
    func run(_ sandbox: RemoteSandbox) async throws
}

extension SandboxVerb {
    static var name: String { String(describing: Self.self).lowercased() }
    /// For the list of commands that it belongs to.
    static var command: any ParsableCommand.Type { InSandbox<Self>.self }
}

/// A verb with the options by which all find their server and their sandbox.
struct InSandbox<Verb: SandboxVerb>: ServerCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: Verb.name, abstract: Verb.abstract, discussion: Verb.discussion)
    }

    @OptionGroup var verb: Verb
    @OptionGroup(title: "Connection") var connection: ConnectionOptions
    @OptionGroup var sandbox: SandboxOptions

    func run(_ server: AdminClient) async throws {
        try await verb.run(RemoteSandbox(name: sandbox.name, server: server, connection: connection))
    }
}

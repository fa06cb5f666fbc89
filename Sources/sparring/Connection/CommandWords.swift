import ArgumentParser

/// What a command is called, and what its help says of it.
protocol CommandWords {
    /// Default: the type's name in lower case, without the word "command".
    static var name: String { get }
    static var abstract: String { get }
    /// More of the help, with examples. Default: there is none.
    static var discussion: String { get }
    /// Default: there are none.
    static var subcommands: [any ParsableCommand.Type] { get }
}

extension CommandWords {
    static var name: String {
        let type = String(describing: Self.self)
        return String(type.dropLast(type.hasSuffix("Command") ? 7 : 0)).lowercased()
    }
    static var discussion: String { "" }
    static var subcommands: [any ParsableCommand.Type] { [] }
}

/// A command that the parser knows by its words.
protocol WordedCommand: AsyncParsableCommand, CommandWords {}

extension WordedCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: name, abstract: abstract, discussion: discussion, subcommands: subcommands)
    }
}

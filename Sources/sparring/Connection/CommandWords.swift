import ArgumentParser

/// A command's name, and its description in the help.
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
        // `String(describing:)` would first look for conformances that a type's name does not have: a tenth of a start.
        let type = _typeName(Self.self, qualified: false)
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

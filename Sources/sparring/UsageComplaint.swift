import ArgumentParser
import SparringJSON

/// The complaint about a command line, in the voice of all other errors: `sparring: there is no command 'jornal'; did you mean 'journal'?`
struct UsageComplaint {
    let text: String

    /// - Parameters:
    ///   - error: that parsing or running a command ended with.
    ///   - arguments: of the command line, without the program's name.
    /// - Returns: nil for an error that is no matter of usage: help that was asked for, an exit status.
    init?(_ error: any Error, of arguments: [String]) {
        guard Sparring.exitCode(for: error) == .validationFailure, !(error is ExitCode) else { return nil }
        let (commands, unknown) = Self.path(of: arguments.first == "help" ? Array(arguments.dropFirst()) : arguments)
        let line = (["sparring"] + commands.dropFirst().map { $0._commandName }).joined(separator: " ")
        var reason = Sparring.message(for: error)
        if let unknown, let last = commands.last {
            let known = last.configuration.subcommands.map { $0._commandName }
            let place = commands.count == 1 ? "" : " under '\(line)'"
            reason = "there is no command \(unknown.quoted)\(place)" + Nearest.hint(for: unknown, in: known + ["help"])
        } else if let first = reason.first, reason.dropFirst().first?.isUppercase != true {
            reason = first.lowercased() + reason.dropFirst()
        }
        if reason.hasPrefix("missing expected argument '-- <command>"), arguments.count > 1, arguments[0] == "run" {
            reason = "write the command after '--': sparring run -- \(arguments.dropFirst().joined(separator: " "))"
        }
        if reason.hasPrefix("missing"), let index = arguments.firstIndex(where: { $0.wholeMatch(of: /-\d.*/) != nil }) {
            let value = arguments[index], before = index > 0 ? arguments[index - 1] : ""
            reason += "; '\(value)' looks like an option: write \(before.hasPrefix("--") ? "\(before)=\(value)" : "-- \(value)")"
        }
        // The parser lists choices on lines of their own.
        let lines = reason.split(separator: "\n")
        let choices = lines.dropFirst().map { $0.drop { $0 == " " || $0 == "-" } }
        reason = (lines.first.map(String.init) ?? "") + (choices.isEmpty ? "" : " " + choices.joined(separator: ", "))
        if reason.hasSuffix(".") { reason.removeLast() }
        text = "sparring: \(Terminal.printable(reason))\n  see '\(line) --help'"
    }

    /// `sparring help jornal` is refused: the parser itself shows the help of the program there.
    static func checkHelp(_ arguments: [String]) throws {
        guard arguments.first == "help", path(of: Array(arguments.dropFirst())).unknown != nil else { return }
        throw ValidationError("there is no such command")
    }

    /// The commands that a command line names, the program first, and the word that stands where a command of theirs should.
    private static func path(of arguments: [String]) -> (commands: [any ParsableCommand.Type], unknown: String?) {
        var commands: [any ParsableCommand.Type] = [Sparring.self]
        for argument in arguments {
            let known = commands[commands.count - 1].configuration.subcommands
            guard !known.isEmpty, !argument.hasPrefix("-") else { break }
            guard let next = known.first(where: { $0._commandName == argument }) else {
                return (commands, argument == "help" ? nil : argument)
            }
            commands.append(next)
        }
        return (commands, nil)
    }
}

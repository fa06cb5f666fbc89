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
        // What is no command below `contract export` is meant for a document.
        let documents = unknown != nil && commands.last is ContractCommand.Export.Type ? KnownNames.documents : []
        if let unknown, let last = commands.last, !documents.contains(unknown) {
            let known = last.configuration.subcommands.map { $0._commandName }
            let place = commands.count == 1 ? "" : " under '\(line)'"
            let kind = documents.isEmpty ? "command" : "command and no document"
            let familiar = FamiliarWords.hint(for: unknown, after: commands.dropFirst().map { $0._commandName }, among: known)
            let hint = familiar.isEmpty ? Nearest.hint(for: unknown, in: known + ["help"] + documents) : familiar
            reason = "there is no \(kind) \(unknown.quoted)\(place)" + hint
        } else if let first = reason.first, reason.dropFirst().first?.isUppercase != true {
            reason = first.lowercased() + reason.dropFirst()
        }
        reason = Self.notNumber(reason) ?? reason
        if let match = reason.prefixMatch(of: /unknown option '(--[a-z\-]+)'/) {
            let hint = FamiliarWords.hint(for: String(match.1), after: commands.dropFirst().map { $0._commandName }, among: [])
            if !hint.isEmpty { reason = "\(match.0)\(hint)" }
        }
        if let match = reason.wholeMatch(of: /unexpected argument '(.*)'/), line == "sparring sandbox create" {
            reason += " (did you mean --name \(match.1)?)"
        }
        if let match = reason.firstMatch(of: /Please provide one of ('[^']+')\.?$/) {
            reason = "\(reason[..<match.range.lowerBound])Please provide \(match.1)"
        }
        if reason.hasPrefix("missing expected argument '-- <command>"), arguments.first == "run" {
            reason = Self.lackOfCommand(after: Array(arguments.dropFirst()))
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

    /// The complaint about a `sparring run` without a command.
    ///
    /// - Parameter words: those after `run`.
    private static func lackOfCommand(after words: [String]) -> String {
        if let first = words.first, !first.hasPrefix("-") {
            return "write the command after '--': sparring run -- \(ShellText.line(words))"
        }
        let options = Array(words.prefix { $0 != "--" })
        return "the command is missing: sparring run \(ShellText.line(options + ["--", "npm", "test"]))"
    }

    /// Options that take a fraction too, with an example.
    private static let fractions = ["--rate": "2.5", "--time-scale": "0.1"]
    /// Examples of options that take a whole number.
    private static let wholes = [
        "--code": "1000", "--grace": "5", "--jobs": "4", "--journal-limit": "50000", "--journal-size": "256", "--max-size": "1024",
        "--node-port": "9080", "--node-tls-port": "9443", "--port": "8080", "--proxy-port": "8888", "--seed": "7", "--tls-port": "8443",
    ]

    /// The complaint about a value that is not a number, of which the parser says only that it is invalid: all others it takes, or says more of.
    private static func notNumber(_ reason: String) -> String? {
        let form = /(?s)the value '(.*)' is invalid for '(--[a-z\-]+|<[^>]+>)(?: <[^>]+>)?'/
        guard let match = reason.wholeMatch(of: form) else { return nil }
        let (value, name) = (String(match.1), String(match.2))
        if value.wholeMatch(of: /-?[0-9]+/) != nil { return "\(name): \(value.quoted) is out of range" }
        if let example = fractions[name] { return "\(name): \(value.quoted) is not a number, such as \(example)" }
        return "\(name): \(value.quoted) is not a whole number, such as \(wholes[name] ?? "1")"
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

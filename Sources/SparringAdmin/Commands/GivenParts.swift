import SparringContract
import SparringJSON

/// The values that a command line gives for the parts of a command, by their names.
struct GivenParts {
    /// Why words are not such a command, in words that end with what they should be.
    struct Refused: Error {
        var reason: String
    }

    private(set) var texts: [String: [String]] = [:]

    /// - Parameter words: those behind the command's own. Behind `--`, none is an option.
    init(_ words: ArraySlice<String>, of command: DeclaredCommand) throws(Refused) {
        var rest = words
        var plain: [String] = []
        while let word = rest.popFirst() {
            if word == "--" {
                plain += rest
                rest = []
            } else if word.hasPrefix("--") {
                try take(word, &rest, command)
            } else if word.hasPrefix("-"), word.count > 1 {
                throw Refused(reason: "\(word.quoted) looks like an option; write a text that begins so after '--': \(command.usage)")
            } else {
                plain.append(word)
            }
        }
        var left = plain[...]
        for part in command.parts where !part.isOption {
            if part.isRepeated {
                if !left.isEmpty { texts[part.name] = Array(left) }
                left = []
            } else if let word = left.popFirst() {
                texts[part.name] = [word]
            }
        }
        if let word = left.first { throw Refused(reason: "unexpected word \(word.quoted): \(command.usage)") }
        if let missing = command.parts.first(where: { $0.isRequired && texts[$0.name] == nil }) {
            throw Refused(reason: "\(missing.name) is missing: \(command.usage)")
        }
    }

    /// `--name`, `--name value` or `--name=value`.
    private mutating func take(_ word: String, _ rest: inout ArraySlice<String>, _ command: DeclaredCommand) throws(Refused) {
        let pieces = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let option = command.parts.first(where: { $0.name == pieces[0] }) else {
            throw Refused(reason: "there is no option \(pieces[0].quoted): \(command.usage)")
        }
        guard option.value != .none else {
            if pieces.count > 1 { throw Refused(reason: "\(option.name) takes no value: \(command.usage)") }
            texts[option.name] = []
            return
        }
        guard let value = pieces.count > 1 ? pieces[1] : rest.popFirst() else {
            throw Refused(reason: "\(option.name) needs a value: \(command.usage)")
        }
        texts[option.name] = (option.isRepeated ? texts[option.name] ?? [] : []) + [value]
    }
}

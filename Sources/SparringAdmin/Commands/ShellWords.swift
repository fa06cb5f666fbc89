/// Words as a POSIX shell reads them (Shell Command Language §2.2), without what it would put in their place: variables, patterns, commands. All of it goes
/// by Unicode scalars: to a shell, a quote is one whatever combines with it.
enum ShellWords {
    struct Unclosed: Error {
        var quote: Unicode.Scalar
    }

    static func split(_ line: String) throws(Unclosed) -> [String] {
        var words: [String] = []
        var word: String.UnicodeScalarView?
        var rest = line.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "'", "\"": word = (word ?? .init()) + (try quoted(by: scalar, &rest))
            case "\\":
                // Before the end of a line, the line goes on.
                guard let next = rest.popFirst() else { word = (word ?? .init()) + [scalar]; break }
                if next != "\n" { word = (word ?? .init()) + [next] }
            case " ", "\t", "\n":
                if let word { words.append(String(word)) }
                word = nil
            default: word = (word ?? .init()) + [scalar]
            }
        }
        return words + [word].compactMap { $0.map { String($0) } }
    }

    /// The text before the closing quote. Between double ones, a backslash is literal unless the next character is one that it escapes.
    private static func quoted(
        by quote: Unicode.Scalar, _ rest: inout Substring.UnicodeScalarView
    ) throws(Unclosed) -> [Unicode.Scalar] {
        var text: [Unicode.Scalar] = []
        while let scalar = rest.popFirst() {
            if scalar == quote { return text }
            let isEscape = quote == "\"" && scalar == "\\" && rest.first.map { "\"\\$`".unicodeScalars.contains($0) } ?? false
            text.append(isEscape ? rest.popFirst() ?? scalar : scalar)
        }
        throw Unclosed(quote: quote)
    }

    /// A word that a shell reads as this text.
    static func quote(_ text: String) -> String {
        let plain = "_/:.,@%+-=".unicodeScalars
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar) || plain.contains(scalar)
        }
        if isPlain, let first = text.first, first != "=" { return text }
        var quoted = "'"
        for scalar in text.unicodeScalars { quoted += scalar == "'" ? #"'\''"# : String(scalar) }
        return quoted + "'"
    }
}

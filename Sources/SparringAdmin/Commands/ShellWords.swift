/// Words as a POSIX shell reads them (Shell Command Language §2.2), without what it would put in their place: variables, patterns, commands.
enum ShellWords {
    struct Unclosed: Error {
        var quote: Character
    }

    static func split(_ line: String) throws(Unclosed) -> [String] {
        var words: [String] = []
        var word: String?
        var rest = Substring(line)
        while let letter = rest.popFirst() {
            switch letter {
            case "'": word = (word ?? "") + (try quoted(by: letter, &rest))
            case "\"": word = (word ?? "") + (try quoted(by: letter, &rest))
            case "\\": word = (word ?? "") + (rest.popFirst().map(String.init) ?? "\\")
            case _ where letter.isWhitespace:
                if let word { words.append(word) }
                word = nil
            default: word = (word ?? "") + String(letter)
            }
        }
        return words + [word].compactMap(\.self)
    }

    /// What stands before the closing quote. Between double ones, a backslash is one unless what follows would mean something.
    private static func quoted(by quote: Character, _ rest: inout Substring) throws(Unclosed) -> String {
        var text = ""
        while let letter = rest.popFirst() {
            if letter == quote { return text }
            let isEscape = quote == "\"" && letter == "\\" && rest.first.map { "\"\\$`".contains($0) } ?? false
            text.append(isEscape ? rest.popFirst() ?? letter : letter)
        }
        throw Unclosed(quote: quote)
    }

    /// A word that a shell reads as this text.
    static func quote(_ text: String) -> String {
        let isPlain = text.unicodeScalars.allSatisfy {
            $0.isASCII && ($0.properties.isAlphabetic || "0123456789_/:.,@%+-=".unicodeScalars.contains($0))
        }
        if isPlain, let first = text.first, first != "=" { return text }
        return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}

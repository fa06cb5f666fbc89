/// The words of a fault's text form: separated by white space, of which a value has some where it is in double quotes, or JSON.
package enum FaultWords {
    /// A quotation mark that begins a value, as in `body="…"`, ends it too; within, `\"` and `\\` stand for themselves. A value that begins with a brace or a
    /// bracket is JSON, up to the one that closes it. Elsewhere quotation marks stand for themselves.
    package static func split(_ text: String) throws(FaultRefused) -> [String] {
        var words: [String] = []
        var word: String?
        var rest = Substring(text)
        while let character = rest.first {
            let beginsValue = word.map { $0.last == "=" && $0.count(where: { $0 == "=" }) == 1 }
            if character.isWhitespace {
                if let word { words.append(word) }
                word = nil
                rest.removeFirst()
            } else if character == "\"", beginsValue != false {
                guard let value = quotation(&rest) else { throw FaultRefused("a quotation mark is missing in '\(text)'") }
                word = (word ?? "") + value
            } else if character == "{" || character == "[", beginsValue == true {
                guard let value = json(&rest) else { throw FaultRefused("the JSON in '\(text)' does not end") }
                word = (word ?? "") + value
            } else {
                word = (word ?? "") + String(rest.removeFirst())
            }
        }
        return word.map { words + [$0] } ?? words
    }

    /// Takes what is in quotation marks; nil where the second is missing.
    private static func quotation(_ rest: inout Substring) -> String? {
        var value = ""
        rest.removeFirst()
        while let character = rest.popFirst() {
            if character == "\"" { return value }
            value.append(character == "\\" ? rest.popFirst() ?? character : character)
        }
        return nil
    }

    /// Takes an object or an array; nil where it does not end.
    private static func json(_ rest: inout Substring) -> String? {
        var (value, depth, isText) = ("", 0, false)
        while let character = rest.popFirst() {
            value.append(character)
            switch character {
            case "\\" where isText: if let escaped = rest.popFirst() { value.append(escaped) }
            case "\"": isText.toggle()
            case "{" where !isText, "[" where !isText: depth += 1
            case "}" where !isText, "]" where !isText: depth -= 1
            default: break
            }
            if depth == 0 { return value }
        }
        return nil
    }

    package static func quoted(_ value: String) -> String {
        let isPlain = !value.isEmpty && !value.contains { $0.isWhitespace || "\"\\{[".contains($0) }
        if isPlain { return value }
        let escaped = value.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
        return "\"\(escaped)\""
    }
}

/// The words of a fault's text form: separated by white space, of which a value in double quotes may have some.
enum FaultWords {
    /// Within quotes `\"` and `\\` stand for themselves.
    static func split(_ text: String) throws(FaultRefused) -> [String] {
        var words: [String] = []
        var word: String?
        var isQuoted = false
        var isEscaped = false
        for character in text {
            if isEscaped {
                word?.append(character)
                isEscaped = false
            } else if isQuoted {
                if character == "\\" {
                    isEscaped = true
                } else if character == "\"" {
                    isQuoted = false
                } else {
                    word?.append(character)
                }
            } else if character == "\"" {
                isQuoted = true
                word = word ?? ""
            } else if character.isWhitespace {
                if let finished = word { words.append(finished) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        guard !isQuoted else { throw FaultRefused("a quotation mark is missing in '\(text)'") }
        return words + (word.map { [$0] } ?? [])
    }

    static func quoted(_ value: String) -> String {
        let isPlain = !value.isEmpty && !value.contains { $0.isWhitespace || $0 == "\"" || $0 == "\\" }
        if isPlain { return value }
        let escaped = value.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
        return "\"\(escaped)\""
    }
}

/// The words of a fault's text form: separated by white space, of which a value has some where it is in double quotes, or JSON.
package struct FaultWords {
    private enum Place {
        case plain, quotation
        /// Within so many braces and brackets.
        case json(depth: Int, isText: Bool)
    }

    private var words: [String] = []
    private var word: String?
    private var place = Place.plain
    private var isEscaped = false

    /// A quotation mark that begins a value, as in `body="…"`, ends it too; within, `\"` and `\\` stand for themselves. A value that begins with a brace or a
    /// bracket is JSON, up to the one that closes it. Elsewhere quotation marks stand for themselves.
    package static func split(_ text: String) throws(FaultRefused) -> [String] {
        var reader = FaultWords()
        for character in text { reader.take(character) }
        switch reader.place {
        case .plain: break
        case .quotation: throw FaultRefused("a quotation mark is missing in '\(text)'")
        case .json: throw FaultRefused("the JSON in '\(text)' does not end")
        }
        reader.end()
        return reader.words
    }

    private mutating func take(_ character: Character) {
        switch place {
        case .plain: takePlain(character)
        case .quotation: takeQuoted(character)
        case .json(let depth, let isText): takeJSON(character, depth, isText)
        }
    }

    private mutating func end() {
        if let word { words.append(word) }
        word = nil
    }

    private mutating func takePlain(_ character: Character) {
        if character.isWhitespace { return end() }
        let beginsValue = word.map { $0.last == "=" && $0.count(where: { $0 == "=" }) == 1 } ?? true
        switch character {
        case "\"" where beginsValue:
            place = .quotation
            word = word ?? ""
        case "{" where beginsValue && word != nil, "[" where beginsValue && word != nil:
            place = .json(depth: 1, isText: false)
            word?.append(character)
        default: word = (word ?? "") + String(character)
        }
    }

    private mutating func takeQuoted(_ character: Character) {
        if isEscaped {
            word?.append(character)
            isEscaped = false
        } else if character == "\\" {
            isEscaped = true
        } else if character == "\"" {
            place = .plain
        } else {
            word?.append(character)
        }
    }

    private mutating func takeJSON(_ character: Character, _ depth: Int, _ isText: Bool) {
        word?.append(character)
        if isEscaped {
            isEscaped = false
        } else if isText {
            if character == "\\" { isEscaped = true }
            if character == "\"" { place = .json(depth: depth, isText: false) }
        } else {
            switch character {
            case "\"": place = .json(depth: depth, isText: true)
            case "{", "[": place = .json(depth: depth + 1, isText: false)
            case "}", "]": place = depth == 1 ? .plain : .json(depth: depth - 1, isText: false)
            default: break
            }
        }
    }

    package static func quoted(_ value: String) -> String {
        let isPlain = !value.isEmpty && !value.contains { $0.isWhitespace || "\"\\{[".contains($0) }
        if isPlain { return value }
        let escaped = value.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
        return "\"\(escaped)\""
    }
}

import SparringJSON

/// The place of a value in an answer or in a message.
struct Place {
    /// `answer body.items[2].id`.
    let text: String
    /// The same with `*` for the numbers of items.
    let member: String
    /// Names of members and `*`, without what they are in.
    let tokens: [String]
    /// It is within a text, such as a token's claims.
    let isInText: Bool
    /// How many places have the same ``member``: the numbers of items of the lists that it is in, multiplied.
    let breadth: Int

    init(_ text: String) { self.init(text, text, [], isInText: false, breadth: 1) }

    private init(_ text: String, _ member: String, _ tokens: [String], isInText: Bool, breadth: Int) {
        (self.text, self.member, self.tokens, self.isInText, self.breadth) = (text, member, tokens, isInText, breadth)
    }

    func member(_ name: String) -> Place {
        Place("\(text).\(name)", "\(member).\(name)", tokens + [name], isInText: isInText, breadth: breadth)
    }

    func item(_ index: Int, of count: Int) -> Place {
        Place("\(text)[\(index)]", "\(member)[*]", tokens + ["*"], isInText: isInText, breadth: breadth.multipliedClamped(by: count))
    }

    func inside(_ word: String) -> Place { Place("\(text) \(word)", "\(member) \(word)", tokens, isInText: true, breadth: breadth) }
}

extension Place {
    /// It is a whole message, and no place in one.
    var isOfMessage: Bool { tokens.isEmpty && (text == "message" || text.hasPrefix("message ")) && !isInText }

    /// It is in the body of an answer or of a message, or the whole of an answer's.
    var isOfBody: Bool { !isInText && (text.hasPrefix("answer body") || text.hasPrefix("message") && !tokens.isEmpty) }

    /// The name of a header field; nil: it is in none.
    var header: String? {
        let prefix = "answer header "
        return text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : nil
    }
}

import SparringJSON

/// A word of a text, or what stands between two.
struct TextPiece {
    let text: String
    /// A host, perhaps with its port, of a URL.
    var isAddress = false

    /// The text as pieces that make it up.
    static func pieces(of text: String) -> [TextPiece] {
        var pieces: [TextPiece] = []
        var rest = text[...]
        while let scheme = rest.firstRange(of: "://") {
            pieces += words(of: rest[..<scheme.upperBound])
            let authority = rest[scheme.upperBound...].prefix { !"/?#\"' <>".contains($0) }
            pieces.append(TextPiece(text: String(authority), isAddress: true))
            rest = rest[authority.endIndex...]
        }
        return pieces + words(of: rest)
    }

    private static func words(of text: Substring) -> [TextPiece] {
        var pieces: [TextPiece] = []
        var word = ""
        for character in text {
            if character.isLetter || character.isNumber || character == "-" || character == "_" {
                word.append(character)
            } else {
                if !word.isEmpty { pieces.append(TextPiece(text: word)) }
                word = ""
                pieces.append(TextPiece(text: String(character)))
            }
        }
        if !word.isEmpty { pieces.append(TextPiece(text: word)) }
        return pieces
    }

    /// Whether one may stand for the other.
    func isLike(_ other: TextPiece, _ isID: (String) -> Bool) -> Bool {
        text == other.text || isAddress && other.isAddress || isID(text) && isID(other.text)
    }
}

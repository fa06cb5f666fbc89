/// Texts in which `*` stands for any characters, also none. All else must be there, byte by byte: `é` as one character is not `e` with an
/// accent.
public enum TextPattern {
    private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

    private static let star = UInt8(ascii: "*")

    /// Takes time linear in both, whatever they hold.
    public static func matches(_ text: String, _ pattern: String) -> Bool {
        var (text, pattern) = (text, pattern)
        return text.withUTF8 { text in pattern.withUTF8 { pattern in matches(text[...], pattern[...]) } }
    }

    private static func matches(_ text: Bytes, _ pattern: Bytes) -> Bool {
        guard let first = pattern.firstIndex(of: star), let last = pattern.lastIndex(of: star) else {
            return text.count == pattern.count && text.elementsEqual(pattern)
        }
        let (head, tail) = (pattern[..<first], pattern[(last + 1)...])
        guard text.count >= head.count + tail.count, text.starts(with: head), text.suffix(tail.count).elementsEqual(tail) else {
            return false
        }
        var rest = text.dropFirst(head.count).dropLast(tail.count)
        // Taking each piece where it first stands leaves the most for those that follow.
        for piece in pattern[first...last].split(separator: star) {
            guard let end = end(of: piece, in: rest) else { return false }
            rest = rest[end...]
        }
        return true
    }

    /// The end of the first occurrence of the piece, which is not empty. Looks at each byte of the text once (Knuth, Morris, Pratt 1977).
    private static func end(of piece: Bytes, in text: Bytes) -> Int? {
        guard piece.count <= text.count else { return nil }
        let first = piece.startIndex
        /// The number of bytes that still fit if the next one does not, by the number that fit before it.
        var shorter = [0, 0]
        shorter.reserveCapacity(piece.count + 1)
        var fitting = 0
        for byte in piece.dropFirst() {
            while fitting > 0, piece[first + fitting] != byte { fitting = shorter[fitting] }
            if piece[first + fitting] == byte { fitting += 1 }
            shorter.append(fitting)
        }
        fitting = 0
        for index in text.indices {
            while fitting > 0, piece[first + fitting] != text[index] { fitting = shorter[fitting] }
            if piece[first + fitting] == text[index] { fitting += 1 }
            if fitting == piece.count { return index + 1 }
        }
        return nil
    }
}

/// Texts in which `*` stands for any characters.
public enum TextPattern {
    /// Compared byte by byte.
    public static func matches(_ text: String, _ pattern: String) -> Bool {
        guard pattern.utf8.contains(UInt8(ascii: "*")) else { return text == pattern }
        let pieces = pattern.split(separator: "*", omittingEmptySubsequences: false)
        guard let first = pieces.first, let last = pieces.last, text.hasPrefix(first) else { return false }
        var rest = text[...].dropFirst(first.count)
        for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
            guard let found = rest.firstRange(of: piece) else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.count >= last.count && rest.hasSuffix(last)
    }
}

/// An absolute URI, taken apart at its authority: `scheme "://" authority …` (RFC 3986 §3).
public struct URIParts {
    public let scheme: Substring
    /// Unchecked: see ``Authority``.
    public let authority: Substring
    /// Path, query and fragment: empty, or begins with `/`, `?` or `#`.
    public let rest: Substring

    /// Nil for every other text.
    public init?(_ text: String) {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), text.utf8[colon...].starts(with: "://".utf8) else { return nil }
        let behind = text.utf8[colon...].dropFirst(3)
        let end = behind.firstIndex { "/?#".utf8.contains($0) } ?? behind.endIndex
        scheme = text[..<colon]
        authority = Substring(behind[..<end])
        rest = Substring(behind[end...])
        guard let first = scheme.utf8.first, Self.isLetter(first), scheme.utf8.allSatisfy(Self.isOfScheme) else { return nil }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }

    /// RFC 3986 §3.1.
    private static func isOfScheme(_ byte: UInt8) -> Bool {
        isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.".utf8.contains(byte)
    }
}

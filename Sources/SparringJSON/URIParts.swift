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
        // RFC 3986 §3.1.
        guard scheme.utf8.first?.isLetter == true, scheme.utf8.allSatisfy({ $0.isLetterOrDigit || "+-.".utf8.contains($0) }) else {
            return nil
        }
    }
}

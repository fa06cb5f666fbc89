import SparringJSON

/// Multipart bodies (RFC 7578), read part by part: what stands in one is hidden as it would be by itself, and the boundary stays.
extension Redaction {
    /// - Returns: nil for what is no such body.
    mutating func multipart(_ text: String) -> String? {
        guard text.hasPrefix("--"), let end = text.firstIndex(where: \.isNewline), text.contains(#/(?i)content-disposition:/#) else {
            return nil
        }
        let delimiter = String(text[..<end])
        // At least a character, at most 70 (RFC 2046 §5.1.1).
        guard (3...72).contains(delimiter.utf8.count), !delimiter.contains(where: \.isWhitespace) else { return nil }
        return text.split(separator: delimiter, omittingEmptySubsequences: false).map { part(String($0)) }.joined(separator: delimiter)
    }

    private mutating func part(_ text: String) -> String {
        guard let gap = text.firstRange(of: "\r\n\r\n") ?? text.firstRange(of: "\n\n") else { return loosely(text) }
        var rest = text[gap.upperBound...]
        var end = ""
        if let last = rest.last, last.isNewline {
            end = String(last)
            rest.removeLast()
        }
        let head = text[..<gap.lowerBound]
        return loosely(String(head)) + text[gap] + content(String(rest), of: head) + end
    }

    private mutating func content(_ text: String, of head: Substring) -> String {
        let name = head.firstMatch(of: #/(?i)[ ;]name="?([^";\s]*)/#).map { String($0.output.1) }
        if !text.isEmpty, let kind = name.flatMap({ CredentialName.kind($0) }) { return hidden(text, kind) }
        return body(text)
    }
}

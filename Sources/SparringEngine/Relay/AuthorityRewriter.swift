import SparringJSON

/// Puts one address in place of others wherever a text has them: in URLs, also percent-encoded or with escaped slashes, and alone.
struct AuthorityRewriter: Sendable {
    /// Whether a host, perhaps with a port, is to be replaced.
    let replaces: @Sendable (String) -> Bool
    let isTLS: Bool
    /// Stands in URLs.
    let authority: String
    /// Stands where a host has no scheme before it.
    let bare: String

    func rewrite(_ text: String) -> String {
        var (result, rest) = ("", text[...])
        while let start = rest.firstIndex(where: Self.isOfAuthority) {
            result += rest[..<start]
            let run = rest[start...].prefix(while: Self.isOfAuthority)
            rest = rest[run.endIndex...]
            // The end of a sentence, or of a member's name, is no part of a host.
            var word = run
            while let last = word.last, ".:-".contains(last) { word.removeLast() }
            if !word.isEmpty, replaces(String(word)) { put(after: &result) } else { result += word }
            result += run[word.endIndex...]
        }
        return rewriteEncoded(result + rest)
    }

    private static func isOfAuthority(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || ".-:".contains(character))
    }

    /// Appends the address; a scheme that stands before it becomes its own.
    private func put(after result: inout String) {
        for slashes in ["//", #"\/\/"#] where result.hasSuffix(slashes) {
            let before = result.dropLast(slashes.count)
            for scheme in ["https:", "http:", "wss:", "ws:"] where before.hasSuffix(scheme) {
                result = before.dropLast(scheme.count) + self.scheme(scheme.hasPrefix("ws")) + ":" + slashes
                break
            }
            return result += authority
        }
        result += bare
    }

    private func scheme(_ isSocket: Bool) -> String { (isSocket ? "ws" : "http") + (isTLS ? "s" : "") }

    // MARK: Percent-encoded URLs

    private static let encodedSlashes = "%3A%2F%2F"

    private func rewriteEncoded(_ text: String) -> String {
        var (result, rest) = ("", text[...])
        while let mark = rest.firstRange(of: Self.encodedSlashes) ?? rest.firstRange(of: Self.encodedSlashes.lowercased()) {
            var host = rest[mark.upperBound...].prefix { Self.isOfAuthority($0) && $0 != ":" }
            let port = rest[host.endIndex...]
            var authority = String(host)
            if port.lowercased().hasPrefix("%3a") {
                let digits = port.dropFirst(3).prefix(while: \.isNumber)
                authority += ":" + digits
                host = rest[host.startIndex..<digits.endIndex]
            }
            let before = rest[..<mark.lowerBound]
            let scheme = ["https", "http", "wss", "ws"].first { before.hasSuffix($0) }
            if let scheme, replaces(authority) {
                result += before.dropLast(scheme.count) + self.scheme(scheme.hasPrefix("ws")) + rest[mark]
                result += self.authority.replacing(":", with: "%3A")
            } else {
                result += rest[..<host.endIndex]
            }
            rest = rest[host.endIndex...]
        }
        return result + rest
    }
}

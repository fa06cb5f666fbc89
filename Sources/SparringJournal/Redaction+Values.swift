import Foundation
import SparringJSON

/// The replacements of values, each according to its form.
extension Redaction {
    /// - Parameters:
    ///   - kind: of the credential, as its field's name says (``CredentialName``).
    ///   - escaping: the value stands in a URL or a form.
    mutating func hidden(_ text: String, _ kind: String, escaping: Bool = false) -> String {
        let value = Self.unquoted(escaping ? Self.decoded(text) : text)
        if value.isEmpty || Self.isHidden(value) { return text }
        if kind == "device" { opaque.insert(value) }
        if let token = jwt(value) { return escaping ? Placeholders.escaped(token) : token }
        // A token in Base64, or one with something before it, is hidden as what its field says.
        let placeholder = placeholders.placeholder(for: value, kind)
        return escaping ? Placeholders.escaped(placeholder) : placeholder
    }

    private static func unquoted(_ text: String) -> String {
        guard text.count > 2, let first = text.first, first == text.last, first == "'" || first == "\"" else { return text }
        return String(text.dropFirst().dropLast())
    }

    /// A placeholder, or a JWT with one.
    private static func isHidden(_ text: String) -> Bool {
        Placeholders.isPlaceholder(text.hasPrefix("eyJ") ? text.split(separator: ".").last ?? "" : text[...])
    }

    /// A JWT (RFC 7519): in a recording, with its header, its claims, and a placeholder in the signature's place. Nil for what is none.
    private mutating func jwt(_ text: String) -> String? {
        guard text.hasPrefix("eyJ") else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3 || parts.count == 5, parts.allSatisfy({ $0.allSatisfy(Self.isOfToken) }) else { return nil }
        let kind = parts.count == 3 ? "jwt" : "jwe"
        let placeholder = placeholders.placeholder(for: text, kind)
        guard style == .recording, parts.count == 3, !opaque.contains(text),
            let claims = Base64.decode(parts[1]).flatMap({ try? JSON(parsing: $0) }),
            claims.object != nil
        else { return placeholder }
        let body = String(decoding: Base64.decode(parts[1]) ?? [], as: UTF8.self)
        let safe = self.body(body)
        return "\(parts[0]).\(safe == body ? parts[1] : Base64URL.encode(Array(safe.utf8))).\(placeholder)"
    }

    /// `user:password` in Base64 (RFC 7617 §2).
    mutating func basic(_ text: String) -> String {
        guard style == .recording, let bytes = Base64.decode(text), let pair = String(validating: bytes, as: UTF8.self),
            let colon = pair.firstIndex(of: ":")
        else { return hidden(text, "basic") }
        let password = String(pair[pair.index(after: colon)...])
        if Placeholders.isPlaceholder(password[...]) || password.isEmpty { return text }
        let safe = Base64.encode(Array((pair[...colon] + hidden(password, "password")).utf8))
        placeholders.note(text, as: safe)
        return safe
    }

    /// The text with the private keys in it hidden (RFC 7468 §10).
    mutating func keys(_ text: String) -> String {
        guard text.contains("PRIVATE KEY-----") else { return text }
        var shown = text
        for match in text.matches(of: #/-----BEGIN [A-Z ]*PRIVATE KEY-----(?s:.*?)(?:-----END [A-Z ]*PRIVATE KEY-----|$)/#) {
            shown = shown.replacing(match.output, with: hidden(String(match.output), "key"))
        }
        return shown
    }

    /// The text with its JWTs hidden: `eyJ…`, two dots or more (RFC 7515 §7.1, RFC 7516 §7.1), or fewer where the text was cut off. Long words of JSON or of a
    /// JWT in Base64, such as some device tokens, are hidden as well.
    mutating func tokens(_ text: String, escaping: Bool = false) -> String {
        guard text.contains("eyJ") || text.contains("ZXlK") else { return text }
        var shown = ""
        var word = ""
        for character in text + "\0" {
            if Self.isOfToken(character) || character == "." || character == "=" && Self.isToken(word, isCutOff: false) {
                word.append(character)
                continue
            }
            if !word.isEmpty {
                // A token that is kept in part ends in its placeholder.
                let isKept = style == .recording && word.hasSuffix(".") && (character == "«" || character == "%")
                let isCutOff = character == "…"
                shown +=
                    !isKept && Self.isToken(word, isCutOff: isCutOff) ? hidden(token: word, isCutOff: isCutOff, escaping: escaping) : word
                word = ""
            }
            shown.append(character)
        }
        shown.removeLast()
        return shown
    }

    private mutating func hidden(token word: String, isCutOff: Bool, escaping: Bool) -> String {
        guard isCutOff else { return hidden(word, "token", escaping: escaping) }
        // What it is the beginning of is known when all has been read.
        if isGathering { return word }
        let placeholder = placeholders.placeholder(beginning: word)
        return placeholder.map { escaping ? Placeholders.escaped($0) : $0 } ?? hidden(word, "token", escaping: escaping)
    }

    /// One line of text for a terminal, whose tokens are of no use there.
    package static func withoutTokens(_ text: String) -> String {
        var redaction = Redaction(.plain)
        return redaction.tokens(text)
    }

    private static func isOfToken(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || character == "-" || character == "_")
    }

    private static func isToken(_ word: String, isCutOff: Bool) -> Bool {
        // Base64 makes ZXlK of eyJ, with which every JWT begins.
        guard word.hasPrefix("eyJ") || word.hasPrefix("ZXlK") else { return false }
        let isWhole = word.hasPrefix("eyJ") && word.count(where: { $0 == "." }) >= 2
        return isWhole || word.count >= (isCutOff ? 16 : 40)
    }

    /// The value that a form's text stands for; the text itself if its percent-encoding is invalid.
    static func decoded(_ text: String) -> String {
        text.contains("%") || text.contains("+") ? text.replacing("+", with: " ").removingPercentEncoding ?? text : text
    }

    static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(
            withAllowedCharacters: .init(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:"))
            ?? text
    }
}

package import SparringJSON

/// Hides credentials in what is shown to others: reports, exported journals, recordings.
///
/// Hidden are the values of header fields, query parameters, form fields and JSON members that carry credentials (``CredentialName``), and every JWT,
/// wherever it stands. Text that cannot be read as what it should be is searched for those names (``LooseText``). What is hidden once is hidden everywhere, in
/// sentences too. A placeholder says what it stands for; the same value has the same one in all that one `Redaction` has seen: ``gather(_:)`` first
/// whatever belongs to one file.
package struct Redaction {
    package enum Style: Sendable {
        /// For people: a JWT is a placeholder. Its header and claims would fill the page.
        case brief
        /// For recordings that are played again: a JWT keeps its header and claims, without the credentials in them, and Basic its user.
        case recording
        /// Brief, and not numbered: a value's placeholder does not depend on what was seen before it.
        case plain
    }

    let style: Style
    var placeholders: Placeholders
    /// Device tokens, of which nothing is kept: one that is a JWT may say whose it is.
    var opaque: Set<String> = []
    /// Nothing that was seen before is looked for: all of a file is read first.
    private(set) var isGathering = false

    /// Whether texts are files that people and programs write, and not bodies.
    var isOfFiles = false

    package init(_ style: Style = .brief) {
        self.style = style
        placeholders = Placeholders(isNumbered: style != .plain)
    }

    /// Whether a field of this name carries a credential.
    package static func hides(_ name: String) -> Bool { CredentialName.kind(name) != nil }

    /// Learns the credentials of a document, as ``document(_:)`` finds them.
    package mutating func gather(_ json: JSON) {
        isGathering = true
        _ = shown(json, isBody: false)
        isGathering = false
    }

    /// An entry of the journal, an HTTP Archive, or any other document in which `headers`, `body`, `target`, `url` and the like are what they are called.
    package mutating func document(_ json: JSON) -> JSON {
        gather(json)
        return shown(json, isBody: false)
    }

    /// The output of a program, in which a word counts as a credential by its looks only if it can hardly be anything else.
    package mutating func output(_ text: String) -> String {
        isOfFiles = true
        defer { isOfFiles = false }
        return loosely(text)
    }

    /// Words about an entry that stand apart from it.
    ///
    /// - Parameter entry: called where the words may have a credential of the entry's in them.
    package mutating func words(_ text: String, about entry: () -> JSON) -> String {
        let shown = self.text(text)
        guard Self.hasLongWord(shown) else { return shown }
        gather(entry())
        return self.text(text)
    }

    /// Characters of the shortest word of a sentence for which its entry is read.
    private static let longWord = 8

    private static func hasLongWord(_ text: String) -> Bool {
        var length = 0
        var hasDigit = false
        for byte in text.utf8 {
            let isPart = byte > 0x20 && byte < 0x7F && !"'\",;()[]{}".utf8.contains(byte)
            (length, hasDigit) = isPart ? (length + 1, hasDigit || byte.isDigit) : (0, false)
            if length >= longWord, hasDigit || length >= 2 * longWord { return true }
        }
        return false
    }

    /// A command in which a request's target stands.
    package mutating func command(_ text: String) -> String {
        var shown = text
        for match in text.matches(of: #/ (\/[^ ']+)/#) { shown = shown.replacing(match.output.1, with: target(String(match.output.1))) }
        return self.text(shown)
    }

    // MARK: Documents

    /// - Parameter isBody: it is the body of a request or an answer, in which nothing but credentials has a meaning.
    private mutating func shown(_ json: JSON, isBody: Bool) -> JSON {
        switch json {
        case .object(let members): .object(shown(members, isBody: isBody))
        case .array(let items): .array(items.map { shown($0, isBody: isBody) })
        case .string(let text): .string(self.text(text))
        default: json
        }
    }

    private mutating func shown(_ members: JSON.Object, isBody: Bool) -> JSON.Object {
        // `{"name": …, "value": …}`, as archives write fields.
        let named = isBody ? nil : members["value"].flatMap { _ in members["name"]?.string }
        var safe = JSON.Object()
        for (name, member) in members {
            // An object may have its members under what is a credential elsewhere.
            safe[isBody ? known(name) : name] =
                switch (name, member) {
                case ("headers", .object(let fields)) where !isBody:
                    .object(fields.reduce(into: [:]) { $0[$1.key] = header($1.key, $1.value) })
                case ("value", .string(let text)) where named != nil: .string(field(named ?? "", text))
                case ("cookies", .array(let cookies)) where !isBody: .array(cookies.map { archived(cookie: $0) })
                case ("findings", .array(let findings)) where !isBody: .array(findings.map { finding($0) })
                case (_, .string(let text)) where !isBody && Self.bodies.contains(name):
                    .string(members["encoding"] == "base64" ? encoded(body: text) : body(text))
                // A setting that says how somebody is authorized.
                case ("authorization", .string(let text)) where !isBody && Self.isWord(text): .string(text)
                case ("bodyHex", .string(let text)) where !isBody: .string(bytes(hex: text))
                case (_, .string(let text)) where !isBody && Self.targets.contains(name): .string(target(text))
                case (_, .string(let text)) where isBody && isToken(text, called: name): .string(hidden(text, "token"))
                case (_, .string(let text)): .string(field(name, text))
                default: shown(member, isBody: isBody)
                }
        }
        if !isBody { mendLength(of: &safe, before: members) }
        return safe
    }

    /// A member of a body that nobody has named a credential, and that has the look of one. Ids have fewer alphabets, or are shorter.
    private func isToken(_ text: String, called name: String) -> Bool {
        (32...256).contains(text.utf8.count) && !text.hasPrefix("/") && LooseText.isToken(text) && text.contains(where: \.isUppercase)
            && text.contains(where: \.isLowercase)
            && !Self.looksLikeTokens.contains(name) && !CredentialName.isPublic(name) && !Self.hides(name)
    }

    /// Members that an authorization request fills by chance, and a code challenge (RFC 6749 §4.1.1, RFC 7636 §4.2).
    private static let looksLikeTokens: Set = ["state", "nonce", "code_challenge"]

    /// The members that hold bodies in the journal's halves, and in an archive's `postData`, `content` and `_webSocketMessages`.
    private static let bodies: Set = ["body", "text", "data"]
    private static let targets: Set = ["target", "url", "redirectURL"]

    private mutating func encoded(body text: String) -> String {
        guard let bytes = Base64.decode(text), let decoded = String(validating: bytes, as: UTF8.self) else { return self.text(text) }
        let safe = body(decoded)
        return safe == decoded ? text : Base64.encode(Array(safe.utf8))
    }

    /// Bytes that are no UTF-8, such as a form with a file: each is taken for a character, so that what is text among them is found.
    private mutating func bytes(hex text: String) -> String {
        let characters = String(String.UnicodeScalarView(JournalEntry.bytes(ofHex: text).map { Unicode.Scalar($0) }))
        let safe = body(characters)
        if safe == characters { return text }
        var bytes: [UInt8] = []
        var rest = safe[...]
        // A placeholder is UTF-8.
        while let placeholder = rest.firstMatch(of: Self.placeholder) {
            bytes += Self.bytes(rest[..<placeholder.range.lowerBound]) + placeholder.output.utf8
            rest = rest[placeholder.range.upperBound...]
        }
        return (bytes + Self.bytes(rest)).hex
    }

    private static func bytes(_ text: Substring) -> [UInt8] { text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }

    private static var placeholder: Regex<Substring> { #/«[a-z]+(?::[0-9]+)?»/# }

    /// Content-Length stays the length of the body.
    private func mendLength(of half: inout JSON.Object, before: JSON.Object) {
        guard let body = before["body"]?.string, let shown = half["body"]?.string, var fields = half["headers"]?.object,
            before["bodySize"] == nil,
            let name = fields.keys.first(where: { $0.lowercased() == "content-length" }), fields[name]?.string == String(body.utf8.count)
        else { return }
        fields[name] = .string(String(shown.utf8.count))
        half["headers"] = .object(fields)
    }

    /// A finding has a code, which is no credential.
    private mutating func finding(_ json: JSON) -> JSON {
        guard case .object(var members) = shown(json, isBody: false), let code = json["code"] else { return shown(json, isBody: false) }
        members["code"] = code
        return .object(members)
    }

    /// A cookie as archives write it.
    private mutating func archived(cookie json: JSON) -> JSON {
        guard case .object(var members) = json, let value = members["value"]?.string else { return shown(json, isBody: false) }
        members["value"] = .string(hidden(value, "cookie"))
        return .object(members)
    }

    private mutating func header(_ name: String, _ value: JSON) -> JSON {
        value.string.map { .string(field(name, $0)) } ?? shown(value, isBody: true)
    }

    /// The value of a field that a name tells what it is.
    private mutating func field(_ name: String, _ text: String) -> String {
        switch name.lowercased() {
        case "authorization", "proxy-authorization": return authorization(text)
        case "cookie": return text.split(separator: ";", omittingEmptySubsequences: false).map { cookie(String($0)) }.joined(separator: ";")
        case "set-cookie":
            let parts = text.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            return cookie(parts.first ?? "") + (parts.count == 2 ? ";" + self.text(parts[1]) : "")
        case "location", "referer": return target(text)
        case "code" where Self.isWord(text): return text
        default: return CredentialName.kind(name).map { hidden(text, $0) } ?? self.text(text)
        }
    }

    /// Many errors have a code too: `invalid_grant`.
    static func isWord(_ text: String) -> Bool {
        let signs = text.filter { !"_-. ".contains($0) }
        return signs.allSatisfy { $0.isLetter && $0.isLowercase } || signs.allSatisfy { $0.isLetter && $0.isUppercase }
    }

    private mutating func cookie(_ pair: String) -> String {
        guard let equals = pair.firstIndex(of: "=") else { return hidden(pair, "cookie") }
        return pair[...equals] + hidden(String(pair[pair.index(after: equals)...]), "cookie")
    }

    /// The scheme is no secret (RFC 9110 §11.4), and neither is Basic's user (RFC 7617 §2).
    private mutating func authorization(_ text: String) -> String {
        let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return hidden(text, "token") }
        return parts[0] + " " + (parts[0].lowercased() == "basic" ? basic(parts[1]) : hidden(parts[1], "token"))
    }

    // MARK: Texts

    /// A body: JSON, a form, or text that is searched.
    package mutating func body(_ text: String) -> String {
        if let json = try? JSON(parsing: text), json.object != nil || json.array != nil {
            let safe = shown(json, isBody: true)
            // As it was written, where nothing is hidden.
            return safe.text == json.text ? text : safe.text
        }
        return multipart(text) ?? (Self.isForm(text) ? form(text) : loosely(text))
    }

    /// A text that cannot be read as anything else.
    mutating func loosely(_ text: String) -> String { known(tokens(keys(loose(text, isBody: true)))) }

    private static func isForm(_ text: String) -> Bool {
        !text.contains(where: { $0.isWhitespace || $0 == "<" || $0 == "{" }) && text.contains("=")
    }

    /// A sentence, or any other text with credentials in it by name, and JWTs.
    package mutating func text(_ text: String) -> String { known(tokens(keys(loose(text, isBody: false)))) }

    private mutating func loose(_ text: String, isBody: Bool) -> String {
        LooseText.hiding(text, isBody: isBody, isSure: isOfFiles) { hidden($0, $1, escaping: $0.contains("%")) }
    }

    func known(_ text: String, escaping: Bool = false) -> String {
        isGathering ? text : placeholders.replacing(in: text, escaping: escaping)
    }

    /// A request's target: its query, and what is a credential in its path by its length.
    package mutating func target(_ text: String) -> String {
        guard let mark = text.firstIndex(where: { $0 == "?" || $0 == "#" }) else { return path(text) }
        return path(String(text[..<mark])) + String(text[mark]) + form(String(text[text.index(after: mark)...]))
    }

    /// Characters of the shortest segment that is a credential whatever it is made of: ids are shorter, or have a UUID in them.
    private static let shortestSegment = 40

    private mutating func path(_ text: String) -> String {
        text.split(separator: "/", omittingEmptySubsequences: false).map { segment in
            if Self.isCredential(segment: String(segment)) { return hidden(String(segment), "token", escaping: true) }
            return known(tokens(String(segment), escaping: true), escaping: true)
        }.joined(separator: "/")
    }

    private static func isCredential(segment: String) -> Bool {
        if segment.contains(#/[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}/#) { return false }
        return LooseText.isToken(segment)
            || segment.utf8.count >= shortestSegment && segment.contains(where: \.isNumber) && !segment.contains { ":,%".contains($0) }
    }

    private mutating func form(_ text: String) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false).map { pair in
            guard let equals = pair.firstIndex(of: "=") else { return known(tokens(String(pair), escaping: true), escaping: true) }
            let (name, value) = (String(pair[..<equals]), String(pair[pair.index(after: equals)...]))
            return name + "=" + formValue(name, value)
        }.joined(separator: "&")
    }

    private mutating func formValue(_ name: String, _ value: String) -> String {
        if value.isEmpty { return value }
        let kind = isOfFiles ? CredentialName.kind(ofSetting: name) : CredentialName.kind(name)
        if let kind { return hidden(value, kind, escaping: true) }
        // A value that is encoded may be a credential that is known without it.
        let decoded = Self.decoded(value)
        if decoded != value {
            let safe = known(tokens(loose(decoded, isBody: false)))
            if safe != decoded { return Self.encoded(safe) }
        }
        if LooseText.isToken(value) { return hidden(value, "token", escaping: true) }
        return known(tokens(loose(value, isBody: false), escaping: true), escaping: true)
    }
}

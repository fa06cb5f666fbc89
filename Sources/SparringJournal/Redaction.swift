package import SparringJSON

/// Hides credentials in what is shown to others: reports, exported journals.
///
/// Hidden are the values of header fields, query parameters, form fields and JSON members that carry credentials (RFC 6749, OpenID Connect
/// and the vendors' own names), and every JWT, wherever it stands. Text that cannot be read as what it should be is searched for those names
/// (``LooseText``). What is left says how long the value was, so that two values of different length remain distinguishable.
package enum Redaction {
    /// Lower case, without `-` and `_`.
    private static let names: Set<String> = [
        "accesstoken", "apikey", "apisecret", "apitoken", "appjwt", "assertion", "authorization", "authtoken", "bearer", "clientassertion",
        "clientkey", "clientsecret",
        "code", "codeverifier", "contexttoken", "cookie", "devicetoken", "idtoken", "idtokenhint", "jwt", "jwttoken", "oauthtoken",
        "otk", "passcode", "password", "readotk",
        "privatekey", "proxyauthorization", "pushtoken", "refreshtoken", "registrationid", "secret", "secretkey", "sessiontoken",
        "setcookie", "sharedsecret",
        "signature", "tempurlsig", "token", "userjwt", "writeotk", "xapikey", "xauthtoken",
    ]

    /// Whether a field of this name carries a credential.
    package static func hides(_ name: String) -> Bool { names.contains(name.lowercased().filter { $0 != "-" && $0 != "_" }) }

    /// A whole entry of the journal, or any other JSON. What is hidden at one place of it is hidden at all, in sentences too.
    package static func entry(_ json: JSON) -> JSON {
        var secrets: Set<String> = []
        gather(json, &secrets)
        return without(longestFirst(secrets), shown(json, isEntry: true))
    }

    /// One may be the beginning of another.
    private static func longestFirst(_ secrets: Set<String>) -> [String] { secrets.sorted { ($1.count, $0) < ($0.count, $1) } }

    /// Characters of the shortest value that is looked for beside its own place: a shorter one may be any word.
    private static let shortestSecret = 16

    private static func gather(_ json: JSON, _ secrets: inout Set<String>) {
        switch json {
        case .array(let items): for item in items { gather(item, &secrets) }
        case .object(let members):
            for (name, member) in members {
                // A finding has a code too, which is no secret.
                if hides(name), name != "code", let text = member.string, text.count >= shortestSecret { secrets.insert(text) }
                switch (name, member) {
                case ("body", .string(let text)): gather(body: text, &secrets)
                case ("target", .string(let text)):
                    note(LooseText.secrets(in: text, isBody: false), &secrets)
                    note(segments(of: text).filter { isCredential(segment: $0) }.map(String.init), &secrets)
                case ("headers", .object(let fields)):
                    for (name, field) in fields where hides(name) { note([afterScheme(field.string ?? "")], &secrets) }
                default: gather(member, &secrets)
                }
            }
        case .string(let text): note(LooseText.secrets(in: text, isBody: false), &secrets)
        default: break
        }
    }

    private static func gather(body text: String, _ secrets: inout Set<String>) {
        if let json = read(text) { gather(json, &secrets) } else { note(LooseText.secrets(in: text, isBody: !isForm(text)), &secrets) }
    }

    private static func note(_ found: [String], _ secrets: inout Set<String>) {
        secrets.formUnion(found.filter { $0.count >= shortestSecret })
    }

    /// The credentials of a header's value: the scheme before them is no secret (RFC 9110 §11.4).
    private static func afterScheme(_ text: String) -> String { text.split(separator: " ", maxSplits: 1).last.map(String.init) ?? text }

    /// Words about an entry that stand apart from it.
    ///
    /// - Parameter entry: called where the words may have a credential of the entry's in them.
    package static func words(_ text: String, about entry: () -> JSON) -> String {
        let shown = Self.text(text)
        guard hasLongWord(shown) else { return shown }
        var secrets: Set<String> = []
        gather(entry(), &secrets)
        return without(longestFirst(secrets), shown)
    }

    private static func hasLongWord(_ text: String) -> Bool {
        var length = 0
        for byte in text.utf8 {
            length = byte > 0x20 && byte < 0x7F && !"'\",;()[]{}".utf8.contains(byte) ? length + 1 : 0
            if length >= shortestSecret { return true }
        }
        return false
    }

    private static func without(_ secrets: [String], _ json: JSON) -> JSON {
        guard !secrets.isEmpty else { return json }
        switch json {
        case .array(let items): return .array(items.map { without(secrets, $0) })
        case .object(let members): return .object(members.reduce(into: [:]) { $0[$1.key] = without(secrets, $1.value) })
        case .string(let text): return .string(without(secrets, text))
        default: return json
        }
    }

    private static func without(_ secrets: [String], _ text: String) -> String {
        let shown = secrets.reduce(text) { $0.replacing($1, with: hidden($1)) }
        return shown.contains(cutOff) ? withoutBeginnings(of: secrets, shown) : shown
    }

    /// The mark where a text was cut off (``StringProtocol/abbreviated(to:)``).
    private static let cutOff: Character = "…"

    /// Hides what is left of credentials that were cut off.
    private static func withoutBeginnings(of secrets: [String], _ text: String) -> String {
        var shown = ""
        var rest = text[...]
        while let mark = rest.firstIndex(of: cutOff) {
            let before = rest[..<mark]
            let start = secrets.lazy.compactMap { secret -> Substring.Index? in
                guard let start = before.ranges(of: secret.prefix(shortestSecret)).last?.lowerBound else { return nil }
                return secret.hasPrefix(before[start...]) ? start : nil
            }.first
            shown += before[..<(start ?? mark)]
            if let start { shown += hidden(String(before[start...])) }
            shown.append(cutOff)
            rest = rest[rest.index(after: mark)...]
        }
        return shown + rest
    }

    /// - Parameter isEntry: it is an entry or a member of one, in which `headers`, `body` and `target` are what they are called.
    private static func shown(_ json: JSON, isEntry: Bool) -> JSON {
        switch json {
        case .object(let members):
            var safe = JSON.Object()
            for (name, member) in members {
                safe[name] =
                    switch (name, member) {
                    case ("headers", .object(let fields)) where isEntry: .object(headers(fields))
                    case ("body", .string(let text)) where isEntry: .string(body(text))
                    case ("target", .string(let text)) where isEntry: .string(target(text))
                    case (_, .string(let text)) where hides(name) && (isEntry || !text.isEmpty): .string(hidden(text))
                    default: shown(member, isEntry: isEntry)
                    }
            }
            return .object(safe)
        case .array(let items): return .array(items.map { shown($0, isEntry: false) })
        case .string(let text): return .string(self.text(text))
        default: return json
        }
    }

    /// A body: JSON, a form, or text that is searched.
    package static func body(_ text: String) -> String {
        if let json = read(text) { return shown(json, isEntry: false).text }
        return isForm(text) ? form(text) : withoutTokens(loose(text, isBody: true))
    }

    private static func read(_ text: String) -> JSON? {
        guard let json = try? JSON(parsing: text), json.object != nil || json.array != nil else { return nil }
        return json
    }

    private static func isForm(_ text: String) -> Bool {
        !text.contains(where: { $0.isWhitespace || $0 == "<" || $0 == "{" }) && text.contains("=")
    }

    /// A sentence, or any other text with credentials in it by name, and JWTs.
    package static func text(_ text: String) -> String { withoutTokens(loose(text, isBody: false)) }

    private static func loose(_ text: String, isBody: Bool) -> String { LooseText.hiding(text, isBody: isBody, with: hidden) }

    /// A request's target: its query, and what is a credential in its path by its length.
    package static func target(_ text: String) -> String {
        guard let mark = text.firstIndex(where: { $0 == "?" || $0 == "#" }) else { return path(text) }
        return path(String(text[..<mark])) + String(text[mark]) + form(String(text[text.index(after: mark)...]))
    }

    /// Characters of the shortest segment that is a credential: ids are shorter, a UUID has 36.
    private static let shortestSegment = 40

    private static func path(_ text: String) -> String {
        guard text.utf8.count >= shortestSegment else { return text }
        return text.split(separator: "/", omittingEmptySubsequences: false).map { segment in
            isCredential(segment: segment) ? hidden(String(segment)) : withoutTokens(String(segment))
        }.joined(separator: "/")
    }

    /// The segments of a target's path.
    private static func segments(of target: String) -> [Substring] {
        target.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
    }

    private static func isCredential(segment: Substring) -> Bool {
        segment.utf8.count >= shortestSegment && segment.contains(where: \.isNumber) && !segment.contains(where: { ":,%".contains($0) })
    }

    private static func headers(_ fields: JSON.Object) -> JSON.Object {
        var shown = JSON.Object()
        for (name, field) in fields {
            guard let text = field.string else { continue }
            if hides(name) {
                // The scheme is no secret (RFC 9110 §11.4).
                let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
                shown[name] = .string(parts.count == 2 ? "\(parts[0]) \(hidden(parts[1]))" : hidden(text))
            } else {
                shown[name] = .string(["location", "referer"].contains(name.lowercased()) ? target(text) : self.text(text))
            }
        }
        return shown
    }

    private static func form(_ text: String) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false).map { pair in
            guard let equals = pair.firstIndex(of: "=") else { return withoutTokens(String(pair)) }
            let (name, value) = (String(pair[..<equals]), String(pair[pair.index(after: equals)...]))
            return name + "=" + (hides(name) && !value.isEmpty ? hidden(value) : self.text(value))
        }.joined(separator: "&")
    }

    /// The text with its JWTs hidden: `eyJ…`, two dots or more (RFC 7515 §7.1, RFC 7516 §7.1), or fewer where the text was cut off. Long words of JSON or of a
    /// JWT in Base64, such as some device tokens, are hidden as well.
    package static func withoutTokens(_ text: String) -> String {
        guard text.contains("eyJ") || text.contains("ZXlK") else { return text }
        var shown = ""
        var word = ""
        func flush(isCutOff: Bool = false) {
            shown += isToken(word, isCutOff: isCutOff) ? hidden(word) : word
            word = ""
        }
        for character in text {
            if character.isASCII, character.isLetter || character.isNumber || "-_.".contains(character) {
                word.append(character)
            } else if character == "=", isToken(word) {  // padding
                word.append(character)
            } else {
                flush(isCutOff: character == cutOff)
                shown.append(character)
            }
        }
        flush()
        return shown
    }

    private static func isToken(_ word: String, isCutOff: Bool = false) -> Bool {
        // Base64 makes ZXlK of eyJ, with which every JWT begins.
        guard word.hasPrefix("eyJ") || word.hasPrefix("ZXlK") else { return false }
        let isWhole = word.hasPrefix("eyJ") && word.count(where: { $0 == "." }) >= 2
        return isWhole || word.count >= (isCutOff ? shortestSecret : shortestSegment)
    }

    private static func hidden(_ text: String) -> String { "…(\(text.count) characters hidden)" }
}

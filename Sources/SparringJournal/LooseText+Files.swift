import SparringJSON

/// Files that people and programs write: settings, variables and keys in them, and what HTML makes of a text.
extension LooseText {
    // MARK: Settings

    /// The value of a setting or a variable whose name ends with a credential's, as in `export SHOP_CLIENT_SECRET='…'` or `ENV SHOP_PASSWORD …`.
    func setting(_ name: Range<Int>) -> (value: Range<Int>, kind: String)? {
        guard name.lowerBound == 0 || has(name.lowerBound - 1, " \t\r\n;"), let kind = CredentialName.kind(ofSetting: word(name)) else {
            return nil
        }
        if let value = valueOfImage(name) { return (value, kind) }
        guard let value = value(after: name) else { return nil }
        // In a sentence it is the next word: "pushToken: expected a string".
        let isQuoted = has(value.lowerBound - 1, "\"'")
        if !isQuoted, !has(name.upperBound, "="), units[value].allSatisfy({ $0.isLetter && $0 >= UInt8(ascii: "a") }) { return nil }
        return (value, kind)
    }

    /// The value in a line of a Dockerfile such as `ENV NAME value`.
    private func valueOfImage(_ name: Range<Int>) -> Range<Int>? {
        let line = name.lowerBound - 4
        guard line >= 0, line == 0 || has(line - 1, " \t\r\n"), word(line..<name.lowerBound) == "ENV ", has(name.upperBound, " \t") else {
            return nil
        }
        let place = end(from: name.upperBound) { $0 == 0x20 || $0 == 0x09 }
        if has(place, "\"'") {
            let value = place + 1..<endOfQuotation(from: place + 1, units[place], isEscaped: false)
            return isReference(value) ? nil : value
        }
        let value = place..<end(from: place) { !Self.isSpace($0) }
        return value.count < Self.shortestBareValue || isReference(value) ? nil : value
    }

    /// Whether it says where a file's value comes from, and is none: `$TOKEN`, `${TOKEN}`, `$(cat token)`, `{{ token }}`.
    func isReference(_ value: Range<Int>) -> Bool {
        guard isSure else { return false }
        if word(value).hasPrefix("{{") { return true }
        guard has(value.lowerBound, "$"), value.count > 1 else { return false }
        if has(value.lowerBound + 1, "{(") { return true }
        return units[value.dropFirst()].allSatisfy { $0 == UInt8(ascii: "_") || $0.isLetterOrDigit && !(0x61...0x7A).contains($0) }
    }

    /// Whether a value follows it as in `NAME=value`, of which only the value may be a token by its looks.
    func isAssigned(_ name: Range<Int>) -> Bool {
        guard has(name.upperBound, "="), name.upperBound + 1 < units.count else { return false }
        let next = units[name.upperBound + 1]
        return Self.isTokenByte(next) && next != UInt8(ascii: "=") && !Self.isSurelyToken(word(name))
    }

    // MARK: Keys

    /// The end of a PEM block that begins there (RFC 7468); of one that was cut off, the end of what is left of it.
    func endOfBlock(_ place: Int) -> Int? {
        guard units[place...].starts(with: Self.blockStart) else { return nil }
        let start = place + Self.blockStart.count
        let label = start..<end(from: start) { $0 != UInt8(ascii: "-") && $0 != 0x0A }
        guard units[label.upperBound...].starts(with: Self.blockSign) else { return nil }
        let content = label.upperBound + Self.blockSign.count
        var close = content
        while close < units.count, !units[close...].starts(with: Self.blockSign) { close += 1 }
        let last: [UInt8] = Self.blockEnd + units[label] + Self.blockSign
        return units[close...].starts(with: last) ? close + last.count : endOfLines(content)
    }

    /// The end of the lines of Base64 that begin there.
    private func endOfLines(_ place: Int) -> Int {
        var last = end(from: place, while: Self.isOfBlock)
        while last < units.count {
            let line = end(from: last, while: Self.isSpace)
            let next = end(from: line, while: Self.isOfBlock)
            guard next - line >= Self.shortestLine, next == units.count || Self.isSpace(units[next]) else { return last }
            last = next
        }
        return last
    }

    /// Base64, and line ends as JSON and shells write them.
    private static func isOfBlock(_ byte: UInt8) -> Bool { byte.isLetterOrDigit || "+/=\\".utf8.contains(byte) }

    /// Bytes of the shortest line that is taken for a part of a key that was cut off.
    private static let shortestLine = 16
    private static let blockStart = Array("-----BEGIN ".utf8)
    private static let blockEnd = Array("-----END ".utf8)
    private static let blockSign = Array("-----".utf8)

    /// The end of a public key or a certificate in PEM that begins there.
    func endOfPublicBlock(_ place: Int) -> Int? {
        guard has(place, "-"), let end = endOfBlock(place) else { return nil }
        let label = units[(place + Self.blockStart.count)..<end].prefix { $0 != UInt8(ascii: "-") }
        let text = String(decoding: label, as: UTF8.self)
        return text.hasSuffix("PUBLIC KEY") || text.hasPrefix("CERTIFICATE") ? end : nil
    }

    /// The end of a long value whose name says that it is public.
    func endOfPublicValue(_ place: Int) -> Int? {
        let end = end(from: place, while: Self.isTokenByte)
        guard end - place >= Self.shortestToken, isOfPublicKey(place) else { return nil }
        return end
    }

    /// Whether the name in front of a value is a public key's: `publicKey=value`, `"n": "value"`.
    private func isOfPublicKey(_ value: Int) -> Bool {
        var place = start(before: value) { "\\\"' \t".utf8.contains($0) }
        guard has(place - 1, ":=") else { return false }
        place = start(before: place - 1) { "\\\"' \t".utf8.contains($0) }
        let name = start(before: place, while: Self.isWord)
        // A letter names anything but in a JWK.
        return CredentialName.isPublic(word(name..<place)) && (place - name > 1 || has(name - 1, "\"'"))
    }

    private func start(before place: Int, while isPart: (UInt8) -> Bool) -> Int {
        var start = place
        while start > 0, isPart(units[start - 1]) { start -= 1 }
        return start
    }

    // MARK: HTML

    /// Whether it is the name of an element of HTML's, and not of XML that a page quotes.
    func isOfHTML(_ name: Range<Int>) -> Bool {
        guard name.lowerBound > 0, bytes[starts[name.lowerBound - 1]] == UInt8(ascii: "<") else { return false }
        let head = String(decoding: bytes.prefix(Self.longestHead), as: UTF8.self).lowercased()
        return head.contains("<!doctype html") || head.contains("<html")
    }

    /// Bytes of a file in which it says that it is HTML.
    private static let longestHead = 256

    /// The character that a file's HTML spells so, and the length of that.
    static func entity(_ rest: ArraySlice<UInt8>) -> (units: [UInt8], length: Int)? {
        entities.first { rest.starts(with: $0.name) }.map { ($0.units, $0.name.count) }
    }

    private static let entities: [(name: [UInt8], units: [UInt8])] = [
        ("&quot;", "\""), ("&#34;", "\""), ("&#39;", "'"), ("&apos;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"),
        ("&laquo;", "«"), ("&raquo;", "»"), ("&#171;", "«"), ("&#187;", "»"),
    ].map { (Array($0.0.utf8), Array($0.1.utf8)) }
}

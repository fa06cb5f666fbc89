import SparringJSON

/// Text that cannot be read as what it should be, such as JSON that breaks off, XML, or a sentence: searched for credentials by the names that
/// stand before them. Percent-encoded characters count as what they stand for, so that the names are found in a form's fields too.
struct LooseText {
    let bytes: [UInt8]
    private let isBody: Bool
    /// Whether only those words count as tokens that can hardly be anything else: files have paths, ids and long names.
    let isSure: Bool
    /// The bytes with percent-encodings decoded, and a file's HTML characters.
    private(set) var units: [UInt8] = []
    /// The offset of each unit in the bytes, and one more for the end.
    private(set) var starts: [Int] = []
    private var found: [(range: Range<Int>, kind: String)] = []

    /// Characters of the shortest value that is taken for a credential where neither quotes nor a form's signs show where it ends.
    static let shortestBareValue = 8
    /// Characters of the shortest word that is taken for a token by its looks.
    static let shortestToken = 24
    /// Bytes of the headers of a part of a multipart body that are looked through for the part's value.
    private static let longestPartHead = 1_024

    /// The text with each credential replaced.
    ///
    /// - Parameters:
    ///   - isBody: it is all of a body, in which everything that looks like a token is one.
    ///   - isSure: it is a text that people and programs write, in which long words are seldom tokens.
    ///   - hidden: what stands for a credential as it is written there, of a kind (``CredentialName``).
    static func hiding(
        _ text: String, isBody: Bool, isSure: Bool = false, with hidden: (_ value: String, _ kind: String) -> String
    ) -> String {
        let loose = LooseText(text, isBody: isBody, isSure: isSure)
        guard !loose.found.isEmpty else { return text }
        var shown = ""
        var end = 0
        for (units, kind) in loose.found {
            let range = loose.place(units)
            shown += String(decoding: loose.bytes[end..<range.lowerBound], as: UTF8.self)
            shown += hidden(String(decoding: loose.bytes[range], as: UTF8.self), kind)
            end = range.upperBound
        }
        return shown + String(decoding: loose.bytes[end...], as: UTF8.self)
    }

    private init(_ text: String, isBody: Bool, isSure: Bool) {
        (bytes, self.isBody, self.isSure) = (Array(text.utf8), isBody, isSure)
        decode()
        var place = 0
        while place < units.count {
            guard Self.isWord(units[place]) else {
                place += 1
                continue
            }
            let end = self.end(from: place, while: Self.isWord)
            if isSure, let end = endOfPublicBlock(place) {
                place = end
                continue
            }
            // The kind of what is hidden already, as in `«token:1»`.
            if place >= 2, units[place - 2..<place].elementsEqual("«".utf8) {
                place = end
                continue
            }
            if let kind = CredentialName.kind(word(place..<end)), let value = value(after: place..<end), !value.isEmpty {
                found.append((value, kind))
                place = value.upperBound
            } else if isSure, let (value, kind) = setting(place..<end), !value.isEmpty {
                found.append((value, kind))
                place = value.upperBound
            } else if isSure, isAssigned(place..<end) {
                place = end
            } else if isSure, let end = endOfPublicValue(place) {
                place = end
            } else if isBody, let token = token(at: place) {
                found.append((token, "token"))
                place = token.upperBound
            } else {
                place = end
            }
        }
    }

    private mutating func decode() {
        units.reserveCapacity(bytes.count)
        starts.reserveCapacity(bytes.count + 1)
        var index = 0
        while index < bytes.count {
            starts.append(index)
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = bytes[index + 1].hexadecimalValue,
                let low = bytes[index + 2].hexadecimalValue
            {
                units.append(high << 4 | low)
                index += 3
            } else if isSure, bytes[index] == UInt8(ascii: "&"), let (entity, length) = Self.entity(bytes[index...]) {
                units += entity
                // Each of its bytes but the first begins where the entity does.
                starts += Array(repeating: index, count: entity.count - 1)
                index += length
            } else {
                units.append(bytes[index])
                index += 1
            }
        }
        starts.append(bytes.count)
    }

    private func place(_ range: Range<Int>) -> Range<Int> { starts[range.lowerBound]..<starts[range.upperBound] }
    func word(_ range: Range<Int>) -> String { String(decoding: units[range], as: UTF8.self) }
    /// Whether one of the characters stands there.
    func has(_ place: Int, _ characters: StaticString) -> Bool {
        guard place >= 0, place < units.count else { return false }
        return characters.withUTF8Buffer { $0.contains(units[place]) }
    }

    func end(from place: Int, while isPart: (UInt8) -> Bool) -> Int {
        var end = place
        while end < units.count, isPart(units[end]) { end += 1 }
        return end
    }

    // MARK: By its name

    func value(after name: Range<Int>) -> Range<Int>? {
        if let value = valueOfPart(name) { return value }
        // `<secret>value</secret>`, with a prefix or attributes too.
        if has(name.lowerBound - 1, "<:"), let close = elementEnd(name.upperBound) {
            let value = close..<end(from: close) { $0 != UInt8(ascii: "<") }
            // HTML's `code` is not an authorization code.
            if isSure, word(name) == "code", isOfHTML(name) || !Self.isCode(word(value)) { return nil }
            return isErrorCode(value, of: name) ? nil : value
        }
        var place = end(from: name.upperBound) { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }
        place = end(from: place, while: isGap)
        guard has(place, ":=") else { return nil }
        let isMember = has(place, ":")
        place = end(from: place + 1) { isGap($0) || $0 == UInt8(ascii: ">") }
        // A quotation within a quotation has its quotes escaped.
        let isEscaped = has(place, "\\")
        if isEscaped { place += 1 }
        if has(place, "\"'") {
            let quote = units[place]
            let value = place + 1..<endOfQuotation(from: place + 1, quote, isEscaped: isEscaped)
            return isReference(value) || isMember && isErrorCode(value, of: name) ? nil : value
        }
        if let end = endOfBlock(place) { return place..<end }
        for scheme in ["bearer", "basic", "dpop"] {
            let end = place + scheme.utf8.count
            if end < units.count, Self.isSpace(units[end]), word(place..<end).lowercased() == scheme { place = end + 1 }
        }
        let end = end(from: place) { !Self.isSpace($0) && !Self.endsBareValue($0) }
        guard end - place >= Self.shortestBareValue, !isReference(place..<end) else { return nil }
        if isMember, isErrorCode(place..<end, of: name) { return nil }
        // In a sentence it is the next word: "jwt: expected a string".
        let isWord = !isBody && units[place..<end].allSatisfy { $0.isLetter && $0 >= UInt8(ascii: "a") }
        return isWord ? nil : place..<end
    }

    /// Many errors have a code too: `invalid_grant`. A file may say how somebody is authorized.
    private func isErrorCode(_ value: Range<Int>, of name: Range<Int>) -> Bool {
        let name = word(name).lowercased()
        return (name == "code" || isSure && name == "authorization") && Redaction.isWord(word(value))
    }

    func endOfQuotation(from place: Int, _ quote: UInt8, isEscaped: Bool) -> Int {
        var end = place
        while end < units.count, units[end] != quote {
            if units[end] == UInt8(ascii: "\\") {
                if isEscaped { return end }
                end += 1
            }
            end += 1
        }
        return min(end, units.count)
    }

    /// Behind the `>` of an element's start.
    private func elementEnd(_ place: Int) -> Int? {
        if has(place, ">") { return place + 1 }
        guard has(place, " \t\r\n") else { return nil }
        let end = end(from: place) { $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "<") }
        return has(end, ">") ? end + 1 : nil
    }

    /// The value of a part of a multipart body whose `name` it is (RFC 7578 §4.2): behind the empty line, up to the next delimiter.
    private func valueOfPart(_ name: Range<Int>) -> Range<Int>? {
        let before = has(name.lowerBound - 1, "\"'") ? name.lowerBound - 1 : name.lowerBound
        guard has(before - 1, "="), before >= 5, word(before - 5..<before - 1).lowercased() == "name" else { return nil }
        var place = name.upperBound
        let last = min(units.count, place + Self.longestPartHead)
        while place < last {
            guard has(place, "\n") else {
                place += 1
                continue
            }
            let next = has(place + 1, "\r") ? place + 2 : place + 1
            if has(next, "\n") { return next + 1..<endOfPart(next + 1) }
            place += 1
        }
        return nil
    }

    private func endOfPart(_ place: Int) -> Int {
        var end = place
        while end < units.count {
            if has(end, "\n"), has(end + 1, "-"), has(end + 2, "-") { return end > place && has(end - 1, "\r") ? end - 1 : end }
            end += 1
        }
        return end
    }

    // MARK: By its looks

    /// A long word of a token's alphabets (RFC 6750 §2.1), with letters and digits.
    private func token(at place: Int) -> Range<Int>? {
        let end = end(from: place, while: Self.isTokenByte)
        guard end - place >= Self.shortestToken else { return nil }
        // A JWT whose signature is hidden: see Redaction.
        if has(end - 1, "."), has(end, "«") { return nil }
        if isSure { return Self.isSurelyToken(word(place..<end)) ? place..<end : nil }
        let word = units[place..<end]
        return word.contains(where: \.isDigit) && word.contains(where: \.isLetter) ? place..<end : nil
    }

    /// Bytes of the shortest part of a word that is a token whatever stands around it: 24 random bytes in Base64 have as many.
    private static let shortestSureToken = 32

    /// Whether a part of a path or a name has so many letters and digits in no order that it can hardly be anything but a token.
    static func isSurelyToken(_ text: String) -> Bool {
        func isRandom(_ part: Substring) -> Bool {
            part.utf8.count >= shortestSureToken && hasDigits(part) && isToken(String(part))
        }
        return text.split(whereSeparator: { "/.:~".contains($0) }).contains { part in
            let isMixed = part.contains(where: \.isUppercase) && part.contains(where: \.isLowercase)
            // The names of rules, tests and files have hyphens and underscores.
            return isMixed ? isRandom(part) : part.split(whereSeparator: { "-_".contains($0) }).contains(where: isRandom)
        }
    }

    private static func hasDigits(_ text: Substring) -> Bool { text.count(where: \.isNumber) >= 2 }

    /// Whether an element of HTML's that is called `code` may have an authorization code in it, and not a name, a path or a command.
    private static func isCode(_ text: String) -> Bool {
        text.utf8.count >= shortestBareValue && text.utf8.allSatisfy { isWord($0) } && hasDigits(text[...])
    }

    /// Whether a text is nothing but a token by its looks; what has a UUID in it, or is as short as one and of its alphabet, is an id.
    static func isToken(_ text: String) -> Bool {
        let bytes = text.utf8
        guard bytes.count >= shortestToken, bytes.allSatisfy(isTokenByte), bytes.contains(where: \.isDigit),
            bytes.contains(where: \.isLetter)
        else {
            return false
        }
        if text.contains(#/[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}/#) { return false }
        let isHexadecimal = bytes.allSatisfy { $0.hexadecimalValue != nil || $0 == UInt8(ascii: "-") }
        return !(isHexadecimal && bytes.count <= 36)
    }

    static func isWord(_ byte: UInt8) -> Bool { byte.isLetterOrDigit || "_-".utf8.contains(byte) }
    static func isTokenByte(_ byte: UInt8) -> Bool { isWord(byte) || ".~+/=".utf8.contains(byte) }
    /// A value stands on the line of its name in a file; a body may be laid out in any way.
    private func isGap(_ byte: UInt8) -> Bool { Self.isSpace(byte) && !(isSure && (byte == 0x0A || byte == 0x0D)) }
    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
    static func endsBareValue(_ byte: UInt8) -> Bool { ",&;}])<>\"'".utf8.contains(byte) }
}

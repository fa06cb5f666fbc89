/// The placeholders for the credentials of one file: the same one for the same value, such as `«code:2»`, numbered in order of appearance.
struct Placeholders {
    private var all: [String: String] = [:]
    private var counts: [String: Int] = [:]
    private var known = KnownSecrets()
    private let isNumbered: Bool

    /// - Parameter isNumbered: otherwise all of a kind have the same placeholder, which depends on nothing else.
    init(isNumbered: Bool) { self.isNumbered = isNumbered }

    /// The placeholder of a value; one that is long enough is looked for everywhere from now on.
    mutating func placeholder(for value: String, _ kind: String) -> String {
        if let placeholder = all[value] { return placeholder }
        var placeholder = "«\(kind)»"
        if isNumbered {
            counts[kind, default: 0] += 1
            placeholder = "«\(kind):\(counts[kind] ?? 0)»"
        }
        all[value] = placeholder
        known.add(value, placeholder)
        return placeholder
    }

    /// Leaves out the numbers of the placeholders that a text has already, so that new ones are not taken for those.
    mutating func skip(thoseIn text: String) {
        for match in text.matches(of: #/(?:«|%C2%AB)([a-z]+):([0-9]+)(?:»|%C2%BB)/#) {
            let kind = String(match.output.1)
            counts[kind] = max(counts[kind] ?? 0, Int(match.output.2) ?? 0)
        }
    }

    /// Makes a value looked for everywhere even if it is a word: it is known to be a secret, and long enough not to stand anywhere by chance.
    mutating func insist(on value: String, _ kind: String) { known.add(value, placeholder(for: value, kind), isKnown: true) }

    /// Makes `made` stand for a value wherever it is found.
    mutating func note(_ value: String, as made: String) {
        guard all.updateValue(made, forKey: value) == nil else { return }
        known.add(value, made)
    }

    /// The text with each value that is known replaced, and with what is left of one that was cut off.
    func replacing(in text: String, escaping: Bool = false) -> String {
        known.isEmpty ? text : known.replacing(in: text) { escaping ? Self.escaped($0) : $0 }
    }

    /// The placeholder of a known value that begins so.
    func placeholder(beginning text: String) -> String? { all.first { $0.key.hasPrefix(text) }?.value }

    static func isPlaceholder(_ text: Substring) -> Bool {
        let text = text.lowercased()
        return signs.contains { start, end in
            text.hasPrefix(start) && text.hasSuffix(end)
                && text.dropFirst(start.count).dropLast(end.count).allSatisfy { $0.isLetter || $0.isNumber || $0 == ":" }
        }
    }

    /// The signs around a placeholder, as they are and as URLs, JSON and HTML write them.
    private static let signs = [
        ("«", "»"), ("%c2%ab", "%c2%bb"), (#"\u00ab"#, #"\u00bb"#), ("&laquo;", "&raquo;"), ("&#171;", "&#187;"), ("&#xab;", "&#xbb;"),
    ]

    /// A placeholder as it is written in a URL or a form (RFC 3986 §2.1).
    static func escaped(_ placeholder: String) -> String { placeholder.replacing("«", with: "%C2%AB").replacing("»", with: "%C2%BB") }
}

/// The values that are looked for in every text, found by their first eight bytes.
private struct KnownSecrets {
    private struct Secret {
        let bytes: [UInt8]
        let placeholder: String
    }

    /// Bytes of the shortest value that is looked for beside its own place. A shorter one may be any word, and so may one of up to 15 bytes without a digit.
    private static let shortest = 8
    private static let shortestWord = 16
    /// The mark where a text was cut off (``StringProtocol/abbreviated(to:)``).
    private static let cutOff = Array("…".utf8)

    private var byStart: [UInt64: [Secret]] = [:]
    /// Flags for the bytes that some value begins with: most places of a text can be passed over.
    private var firstBytes = [Bool](repeating: false, count: 256)

    var isEmpty: Bool { byStart.isEmpty }

    /// - Parameter isKnown: it is a secret whatever it is made of.
    mutating func add(_ value: String, _ placeholder: String, isKnown: Bool = false) {
        let bytes = Array(value.utf8)
        let isMixed = value.contains(where: \.isNumber) && value.contains(where: \.isLetter)
        guard bytes.count >= Self.shortestWord || bytes.count >= Self.shortest && (isMixed || isKnown) else { return }
        let start = bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
        var secrets = byStart[start] ?? []
        // One may be the beginning of another: the longest is tried first.
        secrets.insert(
            Secret(bytes: bytes, placeholder: placeholder), at: secrets.firstIndex { $0.bytes.count < bytes.count } ?? secrets.endIndex)
        byStart[start] = secrets
        firstBytes[Int(bytes[0])] = true
    }

    func replacing(in text: String, _ spelled: (String) -> String) -> String {
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.count >= Self.shortest else { return String(decoding: bytes, as: UTF8.self) }
            var shown: [UInt8] = []
            var (place, end) = (0, 0)
            while place + Self.shortest <= bytes.count {
                guard firstBytes[Int(bytes[place])], let (secret, length) = match(bytes, at: place) else {
                    place += 1
                    continue
                }
                shown += bytes[end..<place]
                shown += spelled(secret.placeholder).utf8
                place += length
                end = place
            }
            return end == 0 ? String(decoding: bytes, as: UTF8.self) : String(decoding: shown + bytes[end...], as: UTF8.self)
        }
    }

    /// A value that stands there, whole or cut off.
    private func match(_ bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> (Secret, length: Int)? {
        let rest = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[place...])
        guard let secrets = byStart[rest.loadUnaligned(as: UInt64.self)] else { return nil }
        for secret in secrets {
            let length = zip(rest, secret.bytes).prefix { $0 == $1 }.count
            if length == secret.bytes.count { return (secret, length) }
            // Some of a character's bytes may have been cut off.
            if length >= Self.shortestWord, rest[length...].starts(with: Self.cutOff) { return (secret, length) }
        }
        return nil
    }
}

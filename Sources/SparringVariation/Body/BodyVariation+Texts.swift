import Crypto
import SparringContract
import SparringJSON

/// Texts: other values, other lengths, other spellings.
extension BodyVariation {
    /// Nil where it stays as it is.
    mutating func varied(_ text: String, _ view: SchemaView, _ place: String) -> String? {
        if let value = unknownValue(text, view, place) { return value }
        if let time = SpeltTime(text), view.isDateTime || !view.hasForm { return spelt(time, view, place) }
        if view.use != .steers, let address = otherHost(text, place) { return address }
        if view.hasForm { return text.isUUID ? upperCase(text, place) : nil }
        switch view.use {
        case .opaque: return longerID(text, view, place) ?? (text.isUUID ? upperCase(text, place) : nil)
        case .shown: return shown(text, view, place)
        case .steers, nil: return nil
        }
    }

    private mutating func unknownValue(_ text: String, _ view: SchemaView, _ place: String) -> String? {
        guard view.enumeration != nil, !view.isConstant, view.use != .steers else { return nil }
        guard let pick = subject.pick(.unknownValue, place, of: 1) else { return nil }
        let value = OddValue.unknown(like: text, pick.word)
        note(pick, at: place, "\(text.quoted) → \(value.quoted)")
        return value
    }

    private mutating func spelt(_ time: SpeltTime, _ view: SchemaView, _ place: String) -> String? {
        let spellings = time.spellings.filter { view.accepts(.string($0)) }
        guard !spellings.isEmpty, let pick = subject.pick(.timeSpelling, place, of: spellings.count) else { return nil }
        note(pick, at: place, "\(time.text.quoted) → \(spellings[pick.index].quoted)")
        return spellings[pick.index]
    }

    private mutating func otherHost(_ text: String, _ place: String) -> String? {
        for (authority, other) in hosts.sorted(by: { $0.key < $1.key }) {
            let isBare = text == authority || text.hasPrefix(authority + "/")
            guard let range = isBare ? text.firstRange(of: authority) : text.range(ofAuthority: authority) else { continue }
            guard pick(.hosts, place, of: 1, "\(authority) → \(other)") != nil else { return nil }
            return text.replacingCharacters(in: range, other)
        }
        return nil
    }

    private static let idLengths = [0, 51, 187]

    private mutating func longerID(_ text: String, _ view: SchemaView, _ place: String) -> String? {
        guard !text.isEmpty, !text.isUUID else { return nil }
        // Everywhere the same, however much room there is: a lint of the contracts has it that there is enough.
        guard let pick = subject.pick(.length, everywhere: Self.digest(text), of: Self.idLengths.count) else { return nil }
        let longer = TakenBack.longer(text, by: Self.idLengths[pick.index], pick.word)
        guard view.accepts(.string(longer)) else { return nil }
        // Not what it is: it may let somebody in.
        note(pick, at: place, "\(text.unicodeScalars.count) → \(longer.unicodeScalars.count) characters")
        return longer
    }

    private static func digest(_ text: String) -> String { String(SHA256.hash(data: Array(text.utf8)).hex.prefix(8)) }

    private static let textLengths = [33, 256, 2_000]

    private mutating func shown(_ text: String, _ view: SchemaView, _ place: String) -> String? {
        var result = text
        let room = (view.longest ?? Int.max) - text.unicodeScalars.count
        let lengths = Self.textLengths.filter { $0 <= room - Self.longestSample }
        if !lengths.isEmpty, let pick = subject.pick(.length, place, of: lengths.count) {
            let count = lengths[pick.index]
            result += String(String(repeating: " sparring", count: count / 9 + 1).prefix(count))
            note(pick, at: place, "\(text.unicodeScalars.count) → \(text.unicodeScalars.count + count) characters")
        }
        if room >= Self.longestSample, let pick = subject.pick(.unicode, place, of: Self.samples.count) {
            result += " " + Self.samples[pick.index].text
            note(pick, at: place, "added \(Self.samples[pick.index].words)")
        }
        return result == text ? nil : result
    }

    /// Unicode scalars, with the space before.
    private static let longestSample = 6

    private static let samples: [(words: String, text: String)] = [
        ("a letter beyond ASCII", "\u{E9}"),
        ("a letter beyond 16 bits", "\u{1F600}"),
        ("a combining mark", "e\u{301}"),
        ("letters from right to left", "\u{5E9}\u{5DC}\u{5D5}\u{5DD}"),
        ("an emoji of several scalars", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}"),
        ("an ideograph beyond 16 bits", "\u{20BB7}"),
    ]

    private mutating func upperCase(_ text: String, _ place: String) -> String? {
        pick(.uuidSpelling, place, of: 1, "in upper case") == nil ? nil : text.uppercased()
    }
}

extension String {
    /// It has the form of RFC 9562 §4.
    fileprivate var isUUID: Bool {
        let groups = utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return groups.map(\.count) == [8, 4, 4, 4, 12] && groups.joined().allSatisfy { $0.hexadecimalValue != nil }
    }

    fileprivate func range(ofAuthority authority: String) -> Range<String.Index>? {
        guard let found = firstRange(of: "://" + authority) else { return nil }
        let isWhole = found.upperBound == endIndex || "/?#".contains(self[found.upperBound])
        return isWhole ? index(found.lowerBound, offsetBy: 3)..<found.upperBound : nil
    }

    fileprivate func replacingCharacters(in range: Range<String.Index>, _ text: String) -> String {
        String(self[..<range.lowerBound]) + text + String(self[range.upperBound...])
    }
}

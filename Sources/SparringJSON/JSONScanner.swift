import Glibc

/// Members of a JSON object that is known to be well-formed, such as one that Sparring itself wrote: found without reading what nobody asks
/// for, which for a long timeline is most of it.
public struct JSONScanner: Sendable {
    private struct Member {
        // 32 bits are enough for what SQLite stores, and half of what each entry of a long journal costs.
        private let nameStart, nameEnd, valueStart, valueEnd: Int32
        /// Without its quotes.
        var name: Range<Int> { Int(nameStart)..<Int(nameEnd) }
        var value: Range<Int> { Int(valueStart)..<Int(valueEnd) }

        init(name: Range<Int>, value: Range<Int>) {
            (nameStart, nameEnd) = (Int32(name.lowerBound), Int32(name.upperBound))
            (valueStart, valueEnd) = (Int32(value.lowerBound), Int32(value.upperBound))
        }
    }

    private let bytes: [UInt8]
    private let range: Range<Int>
    /// The members of the whole text's object; nil for an object inside it, whose members are searched for at each of the few lookups.
    private let members: [Member]?

    /// - Parameter bytes: of an object; of anything else no member is found.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        range = 0..<bytes.count
        members = bytes.withUnsafeBufferPointer { text in
            var members: [Member] = []
            members.reserveCapacity(12)
            Self.walk(text, 0..<text.count) { member in
                members.append(member)
                return true
            }
            return members
        }
    }

    private init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        self.range = range
        members = nil
    }

    /// A member that is an object.
    public func object(_ name: StaticString) -> JSONScanner? {
        place(name).flatMap { bytes[$0].first == UInt8(ascii: "{") ? JSONScanner(bytes, $0) : nil }
    }

    public func string(_ name: StaticString) -> String? {
        withString(name) { content in
            if content.contains(UInt8(ascii: "\\")) { return json(name)?.string }
            return String(decoding: content, as: UTF8.self)
        }
    }

    /// The result of `body` for a string's bytes as they are written, escapes included; nil if the member is not a string.
    public func withString<Value>(_ name: StaticString, _ body: (UnsafeBufferPointer<UInt8>) -> Value?) -> Value? {
        guard let place = place(name), place.count >= 2, bytes[place.lowerBound] == UInt8(ascii: "\"") else { return nil }
        return bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[place.dropFirst().dropLast()])) }
    }

    /// Nil where the member is no whole number, or one beyond 64 bits.
    public func integer(_ name: StaticString) -> Int64? {
        guard let place = place(name), !place.isEmpty else { return nil }
        let isNegative = bytes[place.lowerBound] == UInt8(ascii: "-")
        let digits = isNegative ? place.dropFirst() : place
        guard !digits.isEmpty else { return nil }
        var number: Int64 = 0
        for at in digits {
            guard bytes[at].isDigit else { return nil }
            let (tens, isTooFar) = number.multipliedReportingOverflow(by: 10)
            let (next, isBeyond) = tens.subtractingReportingOverflow(Int64(bytes[at] - 0x30))
            if isTooFar || isBeyond { return nil }
            number = next
        }
        // Below zero there is one number more than above.
        return isNegative ? number : number == .min ? nil : -number
    }

    public func has(_ name: StaticString) -> Bool { place(name) != nil }

    /// All of a member, whatever it is.
    public func json(_ name: StaticString) -> JSON? { place(name).flatMap { try? JSON(parsing: bytes[$0]) } }

    /// All of the object.
    public var json: JSON? { try? JSON(parsing: bytes[range]) }

    private func place(_ name: StaticString) -> Range<Int>? {
        let count = name.utf8CodeUnitCount
        return bytes.withUnsafeBufferPointer { text in
            func isWanted(_ member: Member) -> Bool {
                let place = member.name
                return place.count == count && (count == 0 || text[place.lowerBound] == name.utf8Start.pointee)
                    && memcmp(text.baseAddress! + place.lowerBound, name.utf8Start, count) == 0
            }
            if let members { return members.first(where: isWanted)?.value }
            var found: Range<Int>?
            Self.walk(text, range) { member in
                guard isWanted(member) else { return true }
                found = member.value
                return false
            }
            return found
        }
    }

    /// Goes over the members of an object for as long as `goesOn` says so.
    private static func walk(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ goesOn: (Member) -> Bool) {
        guard !range.isEmpty, text[range.lowerBound] == UInt8(ascii: "{") else { return }
        var at = range.lowerBound + 1
        while at < range.upperBound {
            let byte = text[at]
            guard byte == UInt8(ascii: "\"") else {
                if byte == UInt8(ascii: "}") { break }
                at += 1  // a comma, or white space
                continue
            }
            let nameEnd = end(ofString: at, text)
            let name = at + 1..<max(at + 1, nameEnd - 1)
            at = nameEnd
            while at < range.upperBound, text[at] == UInt8(ascii: ":") || text[at] == UInt8(ascii: " ") { at += 1 }
            let value = at..<max(at, end(ofValue: at, text))
            guard goesOn(Member(name: name, value: value)) else { return }
            at = value.upperBound
        }
    }

    /// The highest bit of each byte that is zero, and maybe of bytes above such a one.
    private static func zeros(_ word: UInt64) -> UInt64 { (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080 }

    /// The first place from `start` on for whose byte `stops` gives its highest bit in a word of eight.
    private static func scan(_ text: UnsafeBufferPointer<UInt8>, _ start: Int, _ stops: (UInt64) -> UInt64) -> Int {
        let raw = UnsafeRawBufferPointer(text)
        var at = start
        while at + 8 <= text.count {
            let found = stops(UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: at, as: UInt64.self)))
            if found != 0 { return at + found.trailingZeroBitCount / 8 }
            at += 8
        }
        while at < text.count, stops(UInt64(text[at]) | 0x0101_0101_0101_0100) & 0x80 == 0 { at += 1 }
        return at
    }

    private static let quotes: UInt64 = 0x2222_2222_2222_2222

    private static func end(ofString start: Int, _ text: UnsafeBufferPointer<UInt8>) -> Int {
        var at = start + 1
        while true {
            at = scan(text, at) { zeros($0 ^ quotes) | zeros($0 ^ 0x5C5C_5C5C_5C5C_5C5C) }
            guard at < text.count, text[at] == UInt8(ascii: "\\") else { return min(at + 1, text.count) }
            at += 2
        }
    }

    private static func end(ofValue start: Int, _ text: UnsafeBufferPointer<UInt8>) -> Int {
        guard start < text.count else { return start }
        switch text[start] {
        case UInt8(ascii: "\""): return end(ofString: start, text)
        case UInt8(ascii: "{"), UInt8(ascii: "["): return end(ofContainer: start, text)
        default: break
        }
        var at = start
        while at < text.count, text[at] != UInt8(ascii: ","), text[at] != UInt8(ascii: "}"), text[at] != UInt8(ascii: "]") { at += 1 }
        return at
    }

    private static func end(ofContainer start: Int, _ text: UnsafeBufferPointer<UInt8>) -> Int {
        var at = start
        var depth = 0
        while true {
            // The four brackets differ in the bits 0x26 only; few other characters have the rest of them.
            at = scan(text, at) { zeros($0 ^ quotes) | zeros(($0 | 0x2626_2626_2626_2626) ^ 0x7F7F_7F7F_7F7F_7F7F) }
            guard at < text.count else { return at }
            switch text[at] {
            case UInt8(ascii: "\""):
                at = end(ofString: at, text)
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return at + 1 }
            default: break
            }
            at += 1
        }
    }
}

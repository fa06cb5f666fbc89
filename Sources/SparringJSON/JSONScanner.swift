/// Members of a JSON object that is known to be well-formed, such as one that Sparring itself wrote: found without reading what nobody asks
/// for, which for a long timeline is most of it.
public struct JSONScanner: Sendable {
    private struct Member {
        /// Without its quotes.
        var name: Range<Int>
        var value: Range<Int>
    }

    private let bytes: [UInt8]
    private let range: Range<Int>
    private let members: [Member]

    /// - Parameter bytes: of an object; of anything else no member is found.
    public init(_ bytes: [UInt8]) { self.init(bytes, 0..<bytes.count) }

    private init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        self.range = range
        members = bytes.withUnsafeBufferPointer { Self.members(of: $0, range) }
    }

    /// A member that is an object.
    public func object(_ name: StaticString) -> JSONScanner? {
        place(name).flatMap { bytes[$0].first == UInt8(ascii: "{") ? JSONScanner(bytes, $0) : nil }
    }

    public func string(_ name: StaticString) -> String? {
        guard let value = value(name), value.first == UInt8(ascii: "\"") else { return nil }
        let content = value.dropFirst().dropLast()
        if content.contains(UInt8(ascii: "\\")) { return (try? JSON(parsing: Array(value)))?.string }
        return String(decoding: content, as: UTF8.self)
    }

    public func integer(_ name: StaticString) -> Int64? {
        guard let value = value(name) else { return nil }
        var number: Int64 = 0
        var digits = value
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative { digits = digits.dropFirst() }
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            number = number &* 10 &+ Int64(digit - 0x30)
        }
        return isNegative ? -number : number
    }

    public func has(_ name: StaticString) -> Bool { place(name) != nil }

    /// All of a member, whatever it is.
    public func json(_ name: StaticString) -> JSON? { value(name).flatMap { try? JSON(parsing: Array($0)) } }

    /// All of the object.
    public var json: JSON? { try? JSON(parsing: Array(bytes[range])) }

    private func value(_ name: StaticString) -> ArraySlice<UInt8>? { place(name).map { bytes[$0] } }

    private func place(_ name: StaticString) -> Range<Int>? {
        let wanted = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        return members.first { $0.name.count == wanted.count && bytes[$0.name].elementsEqual(wanted) }?.value
    }

    /// Walks over the members of an object once.
    private static func members(of text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> [Member] {
        guard !range.isEmpty, text[range.lowerBound] == UInt8(ascii: "{") else { return [] }
        var members: [Member] = []
        members.reserveCapacity(16)
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
            let valueEnd = end(ofValue: at, text)
            members.append(Member(name: name, value: at..<max(at, valueEnd)))
            at = max(at, valueEnd)
        }
        return members
    }

    private static func end(ofString start: Int, _ text: UnsafeBufferPointer<UInt8>) -> Int {
        var at = start + 1
        while at < text.count, text[at] != UInt8(ascii: "\"") { at += text[at] == UInt8(ascii: "\\") ? 2 : 1 }
        return min(at + 1, text.count)
    }

    private static func end(ofValue start: Int, _ text: UnsafeBufferPointer<UInt8>) -> Int {
        var at = start
        var depth = 0
        while at < text.count {
            switch text[at] {
            case UInt8(ascii: "\""):
                at = end(ofString: at, text)
                if depth == 0 { return at }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return at }  // of what holds a bare value
                depth -= 1
                if depth == 0 { return at + 1 }
            case UInt8(ascii: ","):
                if depth == 0 { return at }
            default: break
            }
            at += 1
        }
        return at
    }
}

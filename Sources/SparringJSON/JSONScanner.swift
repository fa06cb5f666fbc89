/// Members of a JSON object that is known to be well-formed, such as one that Sparring itself wrote: found without reading what nobody asks
/// for, which for a long timeline is most of it.
public struct JSONScanner: Sendable {
    private let bytes: ArraySlice<UInt8>

    /// - Parameter bytes: of an object; of anything else no member is found.
    public init(_ bytes: [UInt8]) { self.bytes = bytes[...] }
    private init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// A member that is an object.
    public func object(_ name: StaticString) -> JSONScanner? {
        value(name).flatMap { $0.first == UInt8(ascii: "{") ? JSONScanner($0) : nil }
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

    public func has(_ name: StaticString) -> Bool { value(name) != nil }

    /// All of a member, whatever it is.
    public func json(_ name: StaticString) -> JSON? { value(name).flatMap { try? JSON(parsing: Array($0)) } }

    /// All of the object.
    public var json: JSON? { try? JSON(parsing: Array(bytes)) }

    private func value(_ name: StaticString) -> ArraySlice<UInt8>? {
        let found = bytes.withUnsafeBufferPointer { buffer in Self.find(name, in: buffer) }
        return found.map { bytes[bytes.startIndex + $0.lowerBound..<bytes.startIndex + $0.upperBound] }
    }

    /// Walks over the members of the object that the text begins with.
    private static func find(_ name: StaticString, in text: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        guard text.first == UInt8(ascii: "{") else { return nil }
        var at = 1
        while at < text.count {
            let byte = text[at]
            guard byte == UInt8(ascii: "\"") else {
                if byte == UInt8(ascii: "}") { return nil }
                at += 1  // a comma, or white space
                continue
            }
            let nameEnd = end(ofString: at, text)
            let isIt =
                nameEnd - at - 2 == name.utf8CodeUnitCount
                && (0..<name.utf8CodeUnitCount).allSatisfy { text[at + 1 + $0] == name.utf8Start[$0] }
            at = nameEnd
            while at < text.count, text[at] == UInt8(ascii: ":") || text[at] == UInt8(ascii: " ") { at += 1 }
            let valueEnd = end(ofValue: at, text)
            if isIt { return at..<valueEnd }
            at = valueEnd
        }
        return nil
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

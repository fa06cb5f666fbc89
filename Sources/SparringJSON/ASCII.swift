/// Bytes that are characters of ASCII.
extension UInt8 {
    @inlinable package var isLower: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self }
    @inlinable package var isUpper: Bool { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self }
    @inlinable package var isLetter: Bool { isLower || isUpper }
    @inlinable package var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
    @inlinable package var isLetterOrDigit: Bool { isLetter || isDigit }

    /// `unreserved` (RFC 3986 §2.3): what needs no encoding anywhere in a URL.
    package var isUnreserved: Bool { isLetterOrDigit || "-._~".utf8.contains(self) }

    /// The value of a hexadecimal digit in either case; nil for any other byte.
    package var hexadecimalValue: UInt8? {
        isDigit ? self & 0xF : UInt8(ascii: "a")...UInt8(ascii: "f") ~= self | 0x20 ? (self & 0xF) + 9 : nil
    }
}

extension StringProtocol {
    /// Whether it is a name as sandboxes, scenarios and policies have: lower-case letters, digits and `-`, which does not stand at the beginning.
    package func isName(atMost limit: Int) -> Bool {
        (1...limit).contains(utf8.count) && utf8.first != UInt8(ascii: "-")
            && utf8.allSatisfy { $0.isLower || $0.isDigit || $0 == UInt8(ascii: "-") }
    }
}

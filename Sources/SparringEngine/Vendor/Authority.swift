import Glibc
import SparringJSON

/// Host and port of a URL or of the `Host` field (RFC 3986 §3.2, RFC 9110 §7.2).
public struct Authority: Sendable, Equatable {
    /// As it was written: letters, digits, `-`, `.` and `_`, or an IPv6 address, whose brackets are left out.
    public let host: String
    /// Nil where none was written.
    public let port: Int?

    /// Nil where the text is none: empty, with a user, with an open bracket or something behind it, with a port that no socket has, or with
    /// characters that no host's name has.
    public init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        let end: Int
        if bytes.first == UInt8(ascii: "[") {
            guard let bracket = bytes.firstIndex(of: UInt8(ascii: "]")), bracket > 1, bytes[1..<bracket].allSatisfy(Self.isOfAddress) else {
                return nil
            }
            host = String(decoding: bytes[1..<bracket], as: UTF8.self)
            end = bracket + 1
        } else {
            end = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
            guard end > 0, bytes[..<end].allSatisfy(Self.isOfName) else { return nil }
            host = String(decoding: bytes[..<end], as: UTF8.self)
        }
        let rest = bytes[end...]
        guard rest.isEmpty || rest.first == UInt8(ascii: ":") else { return nil }
        // A port may be left empty (RFC 3986 §3.2.3).
        let digits = String(decoding: rest.dropFirst(), as: UTF8.self)
        port = digits.integer(in: 0...65_535)
        if port == nil, !digits.isEmpty { return nil }
    }

    /// Whether the host is an IPv6 address, which stands in brackets.
    var isIPv6: Bool {
        var parsed = in6_addr()
        return inet_pton(AF_INET6, host, &parsed) == 1
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
        }
    }

    private static func isOfAddress(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
        }
    }
}

import Glibc

/// `uri-host [ ":" port ]`: what Host holds (RFC 9112 §3.2), and a target in absolute form between its scheme and its path.
enum Authority {
    /// Whether it is a name, an IPv4 address or an IP literal in brackets, with a port or without (RFC 3986 §3.2.2 and §3.2.3).
    static func isSound(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let hostEnd: Int
        if bytes.first == UInt8(ascii: "[") {
            guard let close = bytes.firstIndex(of: UInt8(ascii: "]")), isLiteral(bytes[1..<close]) else { return false }
            hostEnd = close + 1
        } else {
            hostEnd = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.count
            guard hostEnd > 0, isName(bytes[..<hostEnd]) else { return false }
        }
        let port = bytes[hostEnd...]
        return port.isEmpty || port.first == UInt8(ascii: ":") && port.count <= 6 && port.dropFirst().allSatisfy(isDigit)
    }

    /// reg-name, of which an IPv4 address is a case.
    private static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard let first = rest.popFirst(), let second = rest.popFirst(), isHex(first), isHex(second) else { return false }
            } else if !isPlain(byte) {
                return false
            }
        }
        return true
    }

    /// IPv6address or IPvFuture.
    private static func isLiteral(_ bytes: ArraySlice<UInt8>) -> Bool {
        if bytes.first == UInt8(ascii: "v") || bytes.first == UInt8(ascii: "V") {
            guard let dot = bytes.firstIndex(of: UInt8(ascii: ".")) else { return false }
            let (version, address) = (bytes[..<dot].dropFirst(), bytes[(dot + 1)...])
            return !version.isEmpty && version.allSatisfy(isHex) && !address.isEmpty
                && address.allSatisfy { isPlain($0) || $0 == UInt8(ascii: ":") }
        }
        var address = in6_addr()
        // inet_pton would stop at a NUL.
        return !bytes.contains(0) && inet_pton(AF_INET6, String(decoding: bytes, as: UTF8.self), &address) == 1
    }

    /// unreserved and sub-delims.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-._~!$&'()*+,;=".utf8.contains(byte)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isHex(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }
}

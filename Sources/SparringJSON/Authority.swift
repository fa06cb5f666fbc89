import Glibc

/// `host [ ":" port ]`, as it stands in a URL and in the `Host` field (RFC 3986 §3.2, RFC 9110 §7.2).
public struct Authority: Sendable, Equatable {
    /// The host as it was written: letters, digits, `-`, `.` and `_`, or an IPv6 address without its brackets.
    public let host: String
    /// Nil where none was written.
    public let port: Int?

    /// Nil where the text is none that can be called: empty, with a user, with an open bracket or something behind it, with a port that no socket has, or with
    /// characters that no host's name has.
    public init?(_ text: some StringProtocol) {
        var text = String(text)
        guard let read = text.withUTF8({ Self.read($0) }) else { return nil }
        (host, port) = read
    }

    private static func read(_ text: UnsafeBufferPointer<UInt8>) -> (host: String, port: Int?)? {
        guard let parts = parts(of: text) else { return nil }
        guard parts.isLiteral ? parts.host.allSatisfy(isOfAddress) : parts.host.allSatisfy(isOfName) else { return nil }
        // A port may be left empty (RFC 3986 §3.2.3).
        let digits = String(decoding: parts.port, as: UTF8.self)
        let port = digits.integer(in: 0...65_535)
        if port == nil, !digits.isEmpty { return nil }
        return (String(decoding: parts.host, as: UTF8.self), port)
    }

    /// Whether the grammar has it (RFC 3986 §3.2.2 and §3.2.3): with names that no host has, too, such as those with encoded bytes.
    public static func isSound(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { text in
            guard let parts = parts(of: text), parts.port.count <= 5, parts.port.allSatisfy(\.isDigit) else { return false }
            return parts.isLiteral ? isIPv6(parts.host) || isOfFuture(parts.host) : isRegisteredName(parts.host)
        }
    }

    /// Whether the host is an IPv6 address, which stands in brackets.
    package var isIPv6: Bool {
        var host = host
        return host.withUTF8 { Self.isIPv6($0[...]) }
    }

    private static func isIPv6(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        var address = in6_addr()
        // inet_pton would stop at a NUL.
        return !bytes.contains(0) && inet_pton(AF_INET6, String(decoding: bytes, as: UTF8.self), &address) == 1
    }

    /// `IPvFuture`.
    private static func isOfFuture(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard let dot = bytes.firstIndex(of: UInt8(ascii: ".")), bytes.first.map({ $0 | 0x20 }) == UInt8(ascii: "v") else { return false }
        let (version, address) = (bytes[..<dot].dropFirst(), bytes[(dot + 1)...])
        return !version.isEmpty && version.allSatisfy { $0.hexadecimalValue != nil } && !address.isEmpty
            && address.allSatisfy { isPlain($0) || $0 == UInt8(ascii: ":") }
    }

    /// `reg-name`, of which an IPv4 address is a case.
    private static func isRegisteredName(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        var rest = bytes
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard rest.popFirst()?.hexadecimalValue != nil, rest.popFirst()?.hexadecimalValue != nil else { return false }
            } else if !isPlain(byte) {
                return false
            }
        }
        return true
    }

    /// `unreserved` and `sub-delims`.
    private static func isPlain(_ byte: UInt8) -> Bool { byte.isUnreserved || "!$&'()*+,;=".utf8.contains(byte) }

    private static func isOfName(_ byte: UInt8) -> Bool { byte.isLetterOrDigit || "-._".utf8.contains(byte) }
    private static func isOfAddress(_ byte: UInt8) -> Bool { byte.hexadecimalValue != nil || ":.".utf8.contains(byte) }

    /// Host and port, whatever they are; whether the host stands in brackets. Nil where the host is empty, a bracket stays open, or something else than a port
    /// follows.
    private static func parts(
        of bytes: UnsafeBufferPointer<UInt8>
    ) -> (host: Slice<UnsafeBufferPointer<UInt8>>, isLiteral: Bool, port: Slice<UnsafeBufferPointer<UInt8>>)? {
        let isLiteral = bytes.first == UInt8(ascii: "[")
        let end = isLiteral ? bytes.firstIndex(of: UInt8(ascii: "]")) : bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
        guard let end else { return nil }
        let (host, rest) = isLiteral ? (bytes[1..<end], bytes[(end + 1)...]) : (bytes[..<end], bytes[end...])
        guard !host.isEmpty, rest.isEmpty || rest.first == UInt8(ascii: ":") else { return nil }
        return (host, isLiteral, rest.dropFirst())
    }
}

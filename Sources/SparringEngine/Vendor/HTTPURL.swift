public import SparringJSON

/// An absolute `http` or `https` URL that is called (RFC 9110 §4.2), read strictly: what a client library would refuse, or read in its own way,
/// is refused where it is configured.
public struct HTTPURL: Sendable, Equatable {
    /// Why a text is none, in words that follow its quotation: "has the port 70000; …".
    public struct Malformed: Error, Equatable, CustomStringConvertible {
        public let description: String

        init(_ description: String) { self.description = description }
    }

    public let isTLS: Bool
    public let authority: Authority
    /// Path and query as they were written; empty, or begins with `/` or `?`.
    public let target: String
    /// The port that the URL names, else its scheme's.
    public var port: Int { authority.port ?? (isTLS ? 443 : 80) }
    /// The host in the form that URLs need: an IPv6 address in brackets.
    public var host: String { authority.host.contains(":") ? "[\(authority.host)]" : authority.host }

    public init(_ text: some StringProtocol) throws(Malformed) {
        try Self.checkCharacters(text)
        guard let parts = URIParts(String(text)), ["http", "https"].contains(parts.scheme.lowercased()) else {
            throw Malformed("begins with neither http:// nor https://")
        }
        isTLS = parts.scheme.lowercased() == "https"
        let named = parts.authority
        guard !named.isEmpty else { throw Malformed("has no host") }
        // "A sender MUST NOT generate the userinfo subcomponent" (RFC 9110 §4.2.4).
        guard !named.contains("@") else { throw Malformed("contains a user, which an http URL must not (RFC 9110 §4.2.4)") }
        guard let authority = Authority(named) else { throw Malformed(Self.objection(to: named)) }
        if authority.port == 0 { throw Malformed("has the port 0; a port is a number from 1 to 65535") }
        if named.hasPrefix("["), !authority.isIPv6 { throw Malformed("has no IPv6 address in its brackets") }
        self.authority = authority
        target = String(parts.rest)
        // Nothing of it is ever sent (RFC 9110 §4.2.5).
        guard !target.contains("#") else { throw Malformed("has a fragment, which is not sent") }
    }

    /// Checks a path of this server, which may stand in the place of a URL.
    public static func checkPath(_ text: some StringProtocol) throws(Malformed) {
        try checkCharacters(text)
        // A second slash would begin a host (RFC 3986 §4.2).
        guard text.hasPrefix("/"), !text.hasPrefix("//") else {
            throw Malformed("is not a path on this server: it must begin with one slash")
        }
        guard !text.contains("#") else { throw Malformed("has a fragment, which is not sent") }
    }

    /// Refuses characters that RFC 3986 §2 does not have: they are sent percent-encoded.
    private static func checkCharacters(_ text: some StringProtocol) throws(Malformed) {
        let bytes = Array(text.utf8)
        if bytes.isEmpty { throw Malformed("is empty") }
        for (index, byte) in bytes.enumerated() {
            let isAllowed =
                switch byte {
                case UInt8(ascii: "%"): bytes.dropFirst(index + 1).prefix(2).compactMap(\.hexadecimalValue).count == 2
                default: byte.isUnreserved || ":/?#[]@!$&'()*+,;=".utf8.contains(byte)
                }
            guard isAllowed else {
                throw Malformed("has the byte 0x\(String(byte, radix: 16, uppercase: true)) at \(index), which must be percent-encoded")
            }
        }
    }

    /// Says which part of a host and port is wrong.
    private static func objection(to named: Substring) -> String {
        let behind = named.hasPrefix("[") ? named.drop { $0 != "]" }.dropFirst() : named.drop { $0 != ":" }
        if behind.hasPrefix(":"), behind.dropFirst().allSatisfy(\.isNumber), Authority(named.dropLast(behind.count)) != nil {
            return "has the port \(behind.dropFirst()); a port is a number from 1 to 65535"
        }
        return "has '\(named)' where a host and a port are expected"
    }
}

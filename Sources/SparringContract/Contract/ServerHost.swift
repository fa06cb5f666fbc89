import SparringJSON

/// A server's host name, perhaps with one variable part, such as `{region}.example.com`.
public struct ServerHost: Sendable, Hashable, CustomStringConvertible {
    private let prefix: String
    /// Nil: the prefix is all.
    private let suffix: String?

    /// The host of a `servers` url (OpenAPI 3.1 §4.8.5), whose port is left out. Nil where the url is relative.
    init?(url: String) {
        guard let start = url.firstRange(of: "://") else { return nil }
        let host = url[start.upperBound...].prefix { $0 != "/" && $0 != ":" && $0 != "?" }
        self.init(spelled: host.lowercased())
    }

    /// A host's name, with `*` or `{name}` for the part of it that varies. Nil where it is none, or where next to all of it varies.
    public init?(_ text: String) {
        self.init(spelled: text.lowercased())
        let example = prefix + (suffix.map { "x" + $0 } ?? "")
        let isTooWide = prefix.isEmpty && suffix?.dropFirst().contains(".") != true
        guard let authority = Authority(example), authority.host == example, !isTooWide else { return nil }
    }

    private init(spelled host: String) {
        if let open = host.firstIndex(of: "{"), let close = host.lastIndex(of: "}"), open < close {
            prefix = String(host[..<open])
            suffix = String(host[close...].dropFirst())
        } else if let star = host.firstIndex(of: "*") {
            prefix = String(host[..<star])
            suffix = String(host[star...].dropFirst())
        } else {
            prefix = host
            suffix = nil
        }
    }

    /// - Parameter authority: a `Host` field's value (RFC 9110 §7.2); its port does not count.
    func matches(_ authority: String) -> Bool { Authority(authority).map { matches(host: $0.host) } ?? false }

    /// - Parameter host: without a port.
    public func matches(host: String) -> Bool {
        let host = host.lowercased()
        guard let suffix else { return host == prefix }
        return host.utf8.count > prefix.utf8.count + suffix.utf8.count && host.hasPrefix(prefix) && host.hasSuffix(suffix)
    }

    public var description: String { prefix + (suffix.map { "*" + $0 } ?? "") }
}

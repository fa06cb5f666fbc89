import SparringJSON

/// The host of a `servers` url (OpenAPI 3.1 §4.8.5), perhaps with one variable, such as `{region}.example.com`.
struct ServerHost: Sendable, Hashable {
    private let prefix: String
    /// Nil: the prefix is all.
    private let suffix: String?

    /// Nil where the url is relative. A port is left out.
    init?(url: String) {
        guard let start = url.firstRange(of: "://") else { return nil }
        let host = url[start.upperBound...].prefix { $0 != "/" && $0 != ":" && $0 != "?" }.lowercased()
        if let open = host.firstIndex(of: "{"), let close = host.lastIndex(of: "}"), open < close {
            prefix = String(host[..<open])
            suffix = String(host[close...].dropFirst())
        } else {
            prefix = host
            suffix = nil
        }
    }

    /// - Parameter host: a `Host` field's value (RFC 9110 §7.2); its port does not count.
    func matches(_ host: String) -> Bool {
        guard let host = Authority(host)?.host.lowercased() else { return false }
        guard let suffix else { return host == prefix }
        return host.utf8.count > prefix.utf8.count + suffix.utf8.count && host.hasPrefix(prefix) && host.hasSuffix(suffix)
    }
}

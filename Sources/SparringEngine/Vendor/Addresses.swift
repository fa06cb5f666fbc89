import HTTPTypes
public import SparringHTTP
public import SparringJSON

/// Under which names this process can be reached, for the URLs it hands out and for telling its own from others'.
public struct Addresses: Sendable {
    public var port: Int
    public var tlsPort: Int?
    /// The ports whose TLS is defective, by their names, which are those of ``CertificateDefect`` and `stalled-handshake`.
    public var tlsDefects: [String: Int]
    /// Names and addresses of this server, lower case, without port.
    public var hosts: Set<String>
    /// The host put into URLs whoever asks; nil: the one that the client used.
    public var advertise: String?

    public init(port: Int, tlsPort: Int?, tlsDefects: [String: Int] = [:], hosts: Set<String>, advertise: String?) {
        self.port = port
        self.tlsPort = tlsPort
        self.tlsDefects = tlsDefects
        self.hosts = hosts
        self.advertise = advertise
    }

    /// The defective ports by their names, sorted; nil where there are none.
    public var tlsDefectsJSON: JSON? {
        if tlsDefects.isEmpty { return nil }
        return .object(JSON.Object(uniqueKeysWithValues: tlsDefects.sorted { $0.key < $1.key }.map { ($0, .integer(Int64($1))) }))
    }

    /// `http://127.0.0.1:8080`, or with the advertised host.
    public var baseURL: String { "http://\(advertise ?? "127.0.0.1"):\(port)" }
    /// nil where TLS is off.
    public var tlsBaseURL: String? { tlsPort.map { "https://\(advertise ?? "localhost"):\($0)" } }

    /// The base URL by which a request came.
    public func base(of head: RequestHead) -> String {
        let host = advertise ?? Authority(head.authority ?? "")?.host ?? ""
        let name = host.isEmpty ? "127.0.0.1" : host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        if head.isTLS, let tlsPort { return "https://\(name):\(tlsPort)" }
        return "http://\(name):\(port)"
    }

    /// The bare `host:port` for a service whose clients put `https://` or `wss://` before it: the TLS port of the host the client used.
    public func serviceHost(of base: String) -> String {
        // Behind "http://" or "https://", up to the port, which every base has.
        let utf8 = base.utf8
        let start = utf8.index(utf8.startIndex, offsetBy: base.hasPrefix("https") ? 8 : 7)
        return base[start..<(utf8.lastIndex(of: UInt8(ascii: ":")) ?? utf8.endIndex)] + ":\(tlsPort ?? port)"
    }

    /// An own URL made absolute; others are returned as they are.
    public func absolute(_ url: String, base: String? = nil) -> String { url.hasPrefix("/") ? (base ?? baseURL) + url : url }

    /// The path and query of a URL that leads to this process, nil for every other.
    public func ownTarget(of url: String) -> String? {
        if url.hasPrefix("/") { return url }
        let isTLS = url.hasPrefix("https://")
        guard isTLS || url.hasPrefix("http://") else { return nil }
        let rest = url.dropFirst(isTLS ? 8 : 7)
        let text = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard let authority = Authority(text), isOwn(host: authority.host),
            authority.port ?? (isTLS ? 443 : 80) == (isTLS ? tlsPort : port)
        else { return nil }
        let target = rest.dropFirst(text.count).prefix { $0 != "#" }
        return target.hasPrefix("/") ? String(target) : "/" + target
    }

    /// Whether a host name (without port) is this server's: `{sandbox}.localhost` counts too (RFC 6761 §6.3).
    public func isOwn(host: String) -> Bool {
        let host = host.lowercased()
        return hosts.contains(host) || host.hasSuffix(".localhost")
    }
}

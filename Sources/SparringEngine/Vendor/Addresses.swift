import HTTPTypes
public import SparringContract
package import SparringHTTP
public import SparringJSON

/// Under which names this process can be reached, for the URLs it hands out and for telling its own from others'.
public struct Addresses: Sendable {
    /// Those that are listened on.
    public var port: Int
    public var tlsPort: Int?
    /// The ports whose TLS is defective, by their names, which are those of `CertificateDefect`, `old-tls` and `stalled-handshake`.
    public var tlsDefects: [String: Int]
    /// The forward proxy's; nil where there is none.
    public var proxyPort: Int?
    /// The hosts that the forward proxy serves beside this server's own; none without it.
    public var emulated: [ServerHost] = []
    /// Names and addresses of this server, lower case, without port.
    public var hosts: Set<String>
    /// The host and ports of all URLs that are handed out; nil: those that each client used.
    public var advertised: AdvertisedAddress?
    /// Below which hosts name sandboxes, beside `localhost`: the advertised host, lower case. Unlike ``advertised``, it is never what a client has called.
    let sandboxDomain: String?

    public init(port: Int, tlsPort: Int?, tlsDefects: [String: Int] = [:], hosts: Set<String>, advertised: AdvertisedAddress?) {
        self.port = port
        self.tlsPort = tlsPort
        self.tlsDefects = tlsDefects
        self.hosts = hosts
        self.advertised = advertised
        sandboxDomain = advertised?.host.lowercased()
    }

    /// The defective ports by their names, sorted; nil where there are none.
    public var tlsDefectsJSON: JSON? {
        if tlsDefects.isEmpty { return nil }
        return .object(JSON.Object(uniqueKeysWithValues: tlsDefects.sorted { $0.key < $1.key }.map { ($0, .integer(Int64($1))) }))
    }

    /// `http://127.0.0.1:8080`, or as it is advertised.
    public var baseURL: String { Self.url(isTLS: false, advertised?.host ?? "127.0.0.1", advertised?.port ?? port) }
    /// nil where TLS is off.
    public var tlsBaseURL: String? { tlsPort.map { Self.url(isTLS: true, advertised?.host ?? "localhost", advertised?.tlsPort ?? $0) } }

    /// The base URL by which a request came: its host and port are those that its client used, behind a port mapping too.
    package func base(of head: RequestHead) -> String {
        let isTLS = head.isTLS && tlsPort != nil
        let own = isTLS ? tlsPort ?? port : port
        if let advertised { return Self.url(isTLS: isTLS, advertised.host, (isTLS ? advertised.tlsPort : advertised.port) ?? own) }
        guard let used = Authority(head.authority ?? "") else { return Self.url(isTLS: isTLS, "127.0.0.1", own) }
        // Left out, it is the scheme's (RFC 9110 §4.2.1).
        return Self.url(isTLS: isTLS, used.host, used.port ?? Self.standardPort(isTLS: isTLS))
    }

    /// The same for what is said of all the ports: what a request's client used is advertised to it.
    package func reached(by head: RequestHead) -> Addresses {
        guard advertised == nil, let used = Authority(head.authority ?? "") else { return self }
        let port = used.port ?? Self.standardPort(isTLS: head.isTLS)
        if used.host == "127.0.0.1", port == (head.isTLS ? tlsPort : self.port) { return self }
        var addresses = self
        addresses.advertised = AdvertisedAddress(host: used.host, port: head.isTLS ? nil : port, tlsPort: head.isTLS ? port : nil)
        return addresses
    }

    /// The addresses by which a client reaches a sandbox on the port with a TLS defect; the same ones where there is no such port.
    package func meeting(tlsDefect name: String?) -> Addresses {
        guard let port = name.flatMap({ tlsDefects[$0] }) else { return self }
        var addresses = self
        addresses.tlsPort = port
        if let advertised { addresses.advertised = AdvertisedAddress(host: advertised.host, port: advertised.port, tlsPort: port) }
        return addresses
    }

    /// The bare host, with its port, for a service whose clients put `https://` or `wss://` before it: TLS of the host the client used.
    public func serviceHost(of base: String) -> String {
        let isTLS = base.hasPrefix("https")
        let authority = base.dropFirst(isTLS ? 8 : 7)
        guard !isTLS, let tlsPort, let host = Authority(authority)?.host else { return String(authority) }
        // The proxy leads to this server whatever the port.
        if emulates(host: host) { return host }
        return Self.authority(isTLS: true, host, advertised?.tlsPort ?? tlsPort)
    }

    /// An own URL made absolute; others are returned as they are.
    public func absolute(_ url: String, base: String? = nil) -> String { url.hasPrefix("/") ? (base ?? baseURL) + url : url }

    /// The path and query of a URL that leads to this process, nil for every other.
    ///
    /// - Parameters:
    ///   - url: absolute, or a path.
    ///   - anyPort: it is a name and not called, such as an issuer's: one of this host is this server's whatever its port, since a port
    ///     mapping may have given it another.
    public func ownTarget(of url: String, anyPort: Bool = false) -> String? {
        if url.hasPrefix("/") { return url }
        guard let parts = URIParts(url), ["http", "https"].contains(parts.scheme) else { return nil }
        let isTLS = parts.scheme == "https"
        guard let authority = Authority(parts.authority) else { return nil }
        if !emulates(host: authority.host) {
            let port = authority.port ?? Self.standardPort(isTLS: isTLS)
            let own = isTLS ? [tlsPort, advertised?.tlsPort] : [self.port, advertised?.port]
            guard isOwn(host: authority.host), anyPort || own.contains(port) else { return nil }
        }
        let target = parts.rest.prefix { $0 != "#" }
        return target.hasPrefix("/") ? String(target) : "/" + target
    }

    /// Whether a host name (without port) is this server's, one that names a sandbox included.
    public func isOwn(host: String) -> Bool {
        let host = host.lowercased()
        return hosts.contains(host) || sandbox(in: host) != nil
    }

    /// The sandbox that a host name (without port) leads to: `{sandbox}.` before ``sandboxDomain``, `sparring.localhost`, or `localhost` (RFC 6761 §6.3). Nil for every other,
    /// the server's own names included, which may end with these.
    public func sandbox(in host: String) -> String? {
        let host = host.lowercased()
        if hosts.contains(host), !host.hasPrefix("default.") { return nil }
        let suffix = [sandboxDomain, "sparring.localhost", "localhost"].lazy.compactMap { $0.map { "." + $0 } }.first { host.hasSuffix($0) }
        return suffix.map { String(host.dropLast($0.count)) }
    }

    /// Whether the forward proxy leads calls of a host to this server, whatever their port.
    func emulates(host: String) -> Bool { emulated.contains { $0.matches(host: host) } }

    /// Whether the forward proxy leads calls of a host and port to this server: its own host and ports count too.
    func serves(host: String, port: Int) -> Bool {
        if emulates(host: host) { return true }
        let ports = [self.port, tlsPort, proxyPort, advertised?.port, advertised?.tlsPort]
        return isOwn(host: host) && (ports.contains(port) || tlsDefects.values.contains(port))
    }

    /// Whether an absolute URL is of this server's host, whatever its port.
    func isOwn(url: String) -> Bool {
        Authority(URIParts(url)?.authority ?? "").map { isOwn(host: $0.host) } ?? false
    }

    private static func standardPort(isTLS: Bool) -> Int { isTLS ? 443 : 80 }

    private static func url(isTLS: Bool, _ host: String, _ port: Int) -> String {
        (isTLS ? "https://" : "http://") + authority(isTLS: isTLS, host, port)
    }

    private static func authority(isTLS: Bool, _ host: String, _ port: Int) -> String {
        let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        return port == standardPort(isTLS: isTLS) ? name : "\(name):\(port)"
    }
}

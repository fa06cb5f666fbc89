/// A TLS port beside the ordinary one.
public struct TLSPort: Sendable {
    static let stalledHandshake = "stalled-handshake"
    /// The names of those that ``LocalAuthority/defectivePorts(hosts:now:)`` makes.
    public static let defects = CertificateDefect.allCases.map(\.rawValue) + [stalledHandshake]

    public enum Kind: Sendable {
        /// Served as the ordinary one is, with this certificate instead.
        case identity(ServerIdentity)
        /// Takes connections and whatever comes on them, and never says a word.
        case stalledHandshake
    }

    /// What requests that come in there are marked with: ``RequestHead/listener``.
    public var name: String
    /// 0 lets the system choose; every address has the same one.
    public var port: Int
    public var kind: Kind

    public init(name: String, port: Int = 0, kind: Kind) {
        self.name = name
        self.port = port
        self.kind = kind
    }
}

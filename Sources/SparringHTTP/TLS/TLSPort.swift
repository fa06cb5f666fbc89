/// A TLS port beside the ordinary one.
package struct TLSPort: Sendable {
    static let stalledHandshake = "stalled-handshake"
    static let oldTLS = "old-tls"
    /// The names of those that ``LocalAuthority/defectivePorts(hosts:now:)`` makes.
    package static let defects = CertificateDefect.allCases.map(\.rawValue) + [oldTLS, stalledHandshake]

    package enum Kind: Sendable {
        /// Served as the ordinary one is, with this certificate instead.
        case identity(ServerIdentity)
        /// The same with TLS 1.0 and 1.1 only, which are not to be used any more (RFC 8996).
        case oldTLS(ServerIdentity)
        /// Takes connections and whatever comes on them, and never says a word.
        case stalledHandshake
    }

    /// The name that requests which come in there are marked with: ``RequestHead/listener``.
    package var name: String
    /// 0 lets the system choose; every address has the same one.
    package var port: Int
    package var kind: Kind

    package init(name: String, port: Int = 0, kind: Kind) {
        self.name = name
        self.port = port
        self.kind = kind
    }

    /// Why a client must not go on with a server.
    package struct Flaw: Sendable, Equatable {
        /// The code of the finding about a client that does.
        package var finding: String
        /// The reason in words that follow "despite".
        package var words: String
    }

    /// nil: a port of this name has none.
    package static func flaw(of name: String) -> Flaw? {
        if let defect = CertificateDefect(rawValue: name) {
            return Flaw(finding: CertificateDefect.finding, words: "a certificate that \(defect.words)")
        }
        return name == oldTLS ? Flaw(finding: "old-tls-accepted", words: "a server that knows nothing newer than TLS 1.1") : nil
    }
}

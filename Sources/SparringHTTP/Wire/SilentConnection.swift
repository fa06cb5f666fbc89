package import SparringJournal

/// A connection on a TLS port that has brought no request.
package struct SilentConnection: Sendable {
    /// How far it came, as far as that can be seen from here.
    package enum Extent: Sendable, Equatable {
        /// The client sent no TLS: plain HTTP, most likely.
        case notTLS
        /// It was given the certificate and left. Most often its client does not trust that; some only hold a connection ready.
        case certificate
        /// It offered these protocols (ALPN, RFC 7301 §3.1), such as `h2`, and HTTP/1.1 is not among them: it got the alert no_application_protocol.
        case protocols(String)
    }

    /// The port's name, ``TLSPort/name``; nil for the ordinary TLS port, where only connections that sent something are reported.
    package var port: String?
    package var number: Int
    /// The host that its client called by the forward proxy; nil: it came directly.
    package var host: String?
    /// When it was taken.
    package var taken: Arrival
    /// When it ended; nil: it has just been taken. That is reported only where the handshake stalls, since such a connection may never end.
    package var left: Arrival?
    /// nil: nothing came, or it is not known.
    package var extent: Extent?
}

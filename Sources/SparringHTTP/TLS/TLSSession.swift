internal import CMicrohttpd

/// The outcome of a connection's TLS handshake.
package struct TLSSession: Sendable, Equatable {
    /// `TLS1.2` or `TLS1.3`.
    package var version: String
    /// The protocol that client and server agreed on (ALPN, RFC 7301), such as `http/1.1`; nil where the client offered none.
    package var alpn: String?

    /// On the loop, after the handshake. Nil where there was none.
    init?(_ connection: OpaquePointer) {
        guard let name = sparring_tls_version(connection) else { return nil }
        version = String(cString: name)
        var text = [CChar](repeating: 0, count: 32)
        let isChosen = sparring_tls_protocol(connection, &text, text.count) != 0
        alpn = isChosen ? String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }
}

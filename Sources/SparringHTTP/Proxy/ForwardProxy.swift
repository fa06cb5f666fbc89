/// A forward proxy (RFC 9110 §3.7): a client that is given it as its proxy reaches what is emulated here under the vendors' own host names.
package struct ForwardProxy: Sendable {
    /// The ways to treat calls of hosts that are not emulated here.
    package enum Others: String, Sendable, CaseIterable {
        /// They are refused; nothing is ever connected to.
        case refuse
        /// They are passed on to their host, unread.
        case pass
    }

    /// 0 lets the system choose; every address has the same one.
    package var port: Int
    package var others: Others
    /// Certifies the names that clients ask for.
    package var authority: LocalAuthority

    package init(port: Int, others: Others = .refuse, authority: LocalAuthority) {
        (self.port, self.others, self.authority) = (port, others, authority)
    }
}

/// How a connection came by the forward proxy.
package struct ProxyHop: Sendable, Equatable {
    /// The host of the CONNECT that opened the tunnel (RFC 9110 §9.3.6), lower case; nil: each request on the connection names its own.
    package var tunnel: String?
    /// Why the call cannot be passed on, in words that follow the host; nil where it was not tried.
    package var failure: String?

    package init(tunnel: String? = nil, failure: String? = nil) { (self.tunnel, self.failure) = (tunnel, failure) }
}

import SparringLoop

/// The certificates of a TLS listener: always the same one, or one for each name that is asked for.
struct ListenerCertificates: Sendable {
    /// Nil: the name decides.
    let identity: ServerIdentity?
    let byName: LoopBound<NamedCertificates>?

    init(_ identity: ServerIdentity) { (self.identity, byName) = (identity, nil) }

    init(_ byName: LoopBound<NamedCertificates>) { (identity, self.byName) = (nil, byName) }
}

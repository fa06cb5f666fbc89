public import SparringJournal

/// A connection on a further TLS port that has brought no request: its client turned away from the certificate, or still waits for the handshake;
/// or it said nothing until ``HTTPServer/Options/headTimeout`` was over.
public struct SilentConnection: Sendable {
    /// The port's name, ``TLSPort/name``.
    public var port: String
    public var number: Int
    /// When it was taken.
    public var taken: Arrival
    /// When it was over; nil: it has just been taken. That is told only where the handshake stalls, since it may never be over there.
    public var left: Arrival?
}

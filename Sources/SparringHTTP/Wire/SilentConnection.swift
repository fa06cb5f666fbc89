public import SparringJournal

/// A connection on a TLS port that has brought no request.
public struct SilentConnection: Sendable {
    /// Why its handshake failed, as far as that can be seen from here.
    public enum Failure: Sendable {
        /// What came was no TLS: plain HTTP, most likely.
        case notTLS
        /// It was given the certificate and turned away.
        case refused
    }

    /// The port's name, ``TLSPort/name``; nil: the ordinary TLS port, of which failed handshakes alone are told.
    public var port: String?
    public var number: Int
    /// When it was taken.
    public var taken: Arrival
    /// When it was over; nil: it has just been taken. That is told only where the handshake stalls, since it may never be over there.
    public var left: Arrival?
    /// nil: the handshake did not fail, or it is not known.
    public var failure: Failure?
}

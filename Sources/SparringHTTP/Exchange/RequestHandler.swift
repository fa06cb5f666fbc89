package import SparringJournal

/// The receiver of a server's requests. Its methods are called on the loop and must return at once.
package protocol RequestHandler: AnyObject, Sendable {
    /// A head has come in. Says whether the body is wanted.
    func receive(_ head: RequestHead) -> Reception

    /// The request is held, as ``receive(_:)`` asked, and its connection suspended. Either ``Exchange/proceed()`` must be called, or
    /// ``Exchange/deliver(_:ended:)`` with `.reset`, `.empty`, `.raw` or `.stall`, now or later, from any thread. ``Exchange/request`` has
    /// what of the body has come. When the server stops, the connection of a request that is still held is closed.
    func held(_ exchange: Exchange)

    /// The request is whole. ``Exchange/deliver(_:ended:)`` must be called once, now or later, from any thread. A server
    /// that stops does not wait for that longer than ``HTTPServer/stop(grace:release:)`` says: then it closes the connection, and the call does nothing.
    func handle(_ exchange: Exchange)

    /// The exchange is over: answered, or broken off.
    func completed(_ exchange: Exchange, _ completion: Completion)

    /// The request ended before its body was whole: the client left, or was silent for too long, or sent no body that can be read. Followed by
    /// ``completed(_:_:)``. Does nothing by default.
    ///
    /// - Parameter reason: how, in words that follow "then".
    func brokeOff(_ exchange: Exchange, reason: String)

    /// libmicrohttpd answered a request itself (400, 414, 431 …) before ``receive(_:)`` could see it.
    func rejected(target: String, reason: String, isTLS: Bool, arrival: Arrival)

    /// Whether a host and port that a client of the forward proxy calls are emulated here. None is by default.
    func serves(host: String, port: Int) -> Bool

    /// A connection on a further TLS port brought no request. Not told once the server stops.
    func silent(_ connection: SilentConnection)

    /// All places of a listener are taken: nobody else is served until one ends. Told once, until there are places again. Does nothing by default.
    ///
    /// - Parameter limit: how many connections are open: ``HTTPServer/connectionLimit``, or fewer where the process has no further descriptors.
    func full(limit: Int)
}

extension RequestHandler {
    package func full(limit: Int) {}
    package func serves(host: String, port: Int) -> Bool { false }
    package func brokeOff(_ exchange: Exchange, reason: String) {}
}

package enum Reception: Sendable {
    /// Read the body, and keep at most this many bytes of it.
    case read(limit: Int)
    /// The same, but ``RequestHandler/held(_:)`` decides there whether it is read on.
    case hold(HoldPoint, limit: Int)
    /// Answer at once and close the connection if there is a body, which is not read.
    case refuse(Response)
}

/// The point at which a request is held before it is whole.
package enum HoldPoint: Sendable {
    /// Before its body is read; a client that waits for `100 Continue` has not been sent it.
    case start
    /// Once the first bytes of its body have come. A request without a body is not held.
    case body
}

/// What takes requests off a server. Its methods are called on the listener's own thread and must return at once.
public protocol RequestHandler: AnyObject, Sendable {
    /// A head has come in. Says whether the body is wanted.
    func receive(_ head: RequestHead) -> Reception

    /// The request is whole and its connection suspended. ``Exchange/deliver(_:)`` must be called once, now or later, from any thread.
    func handle(_ exchange: Exchange)

    /// The exchange is over: answered, or broken off.
    func completed(_ exchange: Exchange, _ completion: Completion)

    /// libmicrohttpd answered a request itself (400, 414, 431 …) before ``receive(_:)`` could see it.
    func rejected(target: String, reason: String, isTLS: Bool, arrival: Arrival)
}

public enum Reception: Sendable {
    /// Read the body, keeping at most so many bytes of it.
    case read(limit: Int)
    /// Answer at once and close the connection if there is a body, which is not read.
    case refuse(Response)
}

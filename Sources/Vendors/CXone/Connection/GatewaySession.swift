import SparringVendorKit

/// The session of an open socket.
struct GatewaySession: Sendable {
    var channel: String
    var visitor: String
    /// ios, android or web, as the client said it.
    var platform: String?
    /// The customer whom the socket's URL names, which signs nobody in.
    var named: String?
    /// Nil until a customer has been signed in.
    var customer: String?
    /// The destination in the client's last event.
    var destination: String?
    /// The thread that the client knows of, outside multi-thread: recovered or begun on this socket.
    var thread: String?
    /// Threads of the list whose metadata was not asked for.
    var unloaded: Set<String> = []
    /// Whether the channel's offers to a customer who has been signed in were made.
    var isGreeted = false

    static let key = "session"
}

extension Socket {
    /// Nil for a socket that is not the gateway's.
    var chat: GatewaySession? { recall(GatewaySession.key) }

    func change(_ change: (inout GatewaySession) -> Void) {
        guard var session = chat else { return }
        change(&session)
        remember(GatewaySession.key, session)
    }
}

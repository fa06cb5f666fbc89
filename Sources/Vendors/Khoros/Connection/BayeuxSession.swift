import SparringVendorKit

/// The Bayeux session of an open socket (Bayeux 1.0 §4). It ends with its socket, unless its client takes it to another.
struct BayeuxSession: Sendable {
    var clientId: String
    /// The first connect has been answered.
    var isConnected = false
    /// A connect waits for its answer.
    var isHeld = false
    /// The `id` of the message whose answer is held, where it had one.
    var heldId: String?
    /// The user, by the vendor's id.
    var user: String?

    static let key = "bayeux"

    init(clientId: String) { self.clientId = clientId }

    /// Nil before the handshake.
    init?(_ socket: Socket?) {
        guard let known: BayeuxSession = socket?.recall(Self.key) else { return nil }
        self = known
    }

    func keep(_ socket: Socket) {
        socket.remember(Self.key, self)
        socket.carry(clientId)
    }
}

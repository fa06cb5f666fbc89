internal import CMicrohttpd
import Glibc
import SparringLocks
import SparringLoop

/// One request and its answer. The request is complete when a ``RequestHandler`` is given the exchange to ``RequestHandler/handle(_:)``; the
/// connection then waits, without holding a thread, until ``deliver(_:ended:)``.
package final class Exchange: Sendable {
    enum Phase {
        case fresh
        case reading(limit: Int)
        /// The same; the first bytes are still to come and be held.
        case awaitingBody(limit: Int)
        case held(HoldPoint, limit: Int)
        /// Not held any more; libmicrohttpd is about to call for it.
        case proceeding(HoldPoint, limit: Int)
        /// The handler has the request. The connection is suspended if the answer takes longer than a turn.
        case waiting
        case delivering(Delivery)
        /// The connection is written to by Sparring, not by libmicrohttpd.
        case ending(Ending)
        /// An answer without a body that waits for its pauses.
        case paused(Response, Transmission)
        case answering

        /// The body is being taken as it comes.
        var isReadingBody: Bool {
            switch self {
            case .reading, .awaitingBody: true
            default: false
            }
        }
    }

    /// How far an upgrade is.
    enum Upgrade {
        /// The 101 is on its way.
        case begun(WebSocketUpgrade)
        /// The connection is a WebSocket; its exchange has been completed.
        case done
    }

    struct State {
        var phase = Phase.fresh
        var head: RequestHead?
        var body = ReceivedBody()
        var bodyExceededLimit = false
        /// Its head has been refused before anybody could see it.
        var isHeadRefused = false
        /// Bytes of the body that the handler has, where they are limited.
        var inHand = 0
        /// libmicrohttpd awaits more of the request.
        var isUnread = true
        /// The connection is one that libmicrohttpd does not look at, and is counted as such.
        var isSuspended = false
        var hangUpWatch: Loop.Watch?
        /// The actions to call when the client closes its side.
        var onHangUp: [@Sendable () -> Void] = []
        var sleep: Sleep?
        var sleeps = 0
        /// The client left during a sleep.
        var hasClientLeft = false
        var stream: ResponseStream?
        var upgrade: Upgrade?
        var ended: (@Sendable (Completion) -> Void)?
        /// The words for how the exchange was cut short, for the completion's reason.
        var cut: String?
        /// Bytes of the answer's header fields.
        var answerFields = 0
        /// Why 500 was answered instead.
        var refused: String?
    }

    /// The request target, known before the head is.
    let target: String
    /// Its bytes as they came, up to a NUL; ``target`` has more where they are not UTF-8.
    let targetLength: Int
    let listener: Listener
    private let boundClient: LoopBound<ClientConnection>
    /// On the loop.
    var client: ClientConnection { boundClient.value }
    let connection: Connection
    let state = Mutex(State(), .second)

    /// libmicrohttpd's handle. Sendable: it is used on the loop alone, and libmicrohttpd keeps it alive until the completed callback, which ends the exchange.
    struct Connection: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    init(target: UnsafePointer<CChar>, listener: Listener, client: ClientConnection, connection: OpaquePointer) {
        self.target = String(cString: target)
        targetLength = strlen(target)
        self.listener = listener
        boundClient = LoopBound(on: listener.shared.loop, client)
        self.connection = Connection(pointer: connection)
    }

    /// The request; while it is held, with what of its body has come. A long body is read from a file each time. Only to be asked for once the handler has
    /// been given the exchange.
    package var request: Request {
        let (body, bodyExceededLimit) = state.withLock { ($0.body, $0.bodyExceededLimit) }
        return Request(head: head, body: body.whole, bodyExceededLimit: bodyExceededLimit)
    }

    /// Its head.
    package var head: RequestHead {
        guard let head = state.withLock({ $0.head }) else { preconditionFailure("an exchange is handed out with its head read") }
        return head
    }

    /// libmicrohttpd awaits more of the request.
    var isUnread: Bool { state.withLock { $0.isUnread } }

    /// Bytes that have come of its body, up to the limit for that.
    package var bodyCount: Int { state.withLock { $0.body.count } }

    /// The handler has no further use for ``request``'s body: that of another request, which waits for its turn, may be given to it. Happens by itself with
    /// the answer.
    package func finishBody() {
        let count = state.withLock { state in
            defer { state.inHand = 0 }
            if state.inHand > 0 { state.body = ReceivedBody() }
            return state.inHand
        }
        if count > 0 { listener.shared.bodies.leaveHand(count) }
    }

    /// It is its turn to be given to the handler.
    ///
    /// - Returns: false where it has ended before that.
    func enterHand(_ count: Int) -> Bool {
        state.withLock { state in
            guard case .waiting = state.phase else { return false }
            state.inHand = count
            return true
        }
    }

    /// Ends the wait: the answer goes out, or the connection is disturbed. Only the first call counts.
    ///
    /// - Parameter ended: called once with how that ended on the wire, on the loop; never where false is returned.
    /// - Returns: false if the exchange had been answered before, or is held and this is an answer.
    @discardableResult
    package func deliver(_ delivery: Delivery, ended: (@Sendable (Completion) -> Void)? = nil) -> Bool {
        let (isFirst, wasHeld, isSuspended) = state.withLock { state in
            let wasHeld: Bool
            switch state.phase {
            case .waiting: wasHeld = false
            case .held where delivery.isPossibleWhileHeld: wasHeld = true
            default: return (false, false, false)
            }
            state.phase = .delivering(delivery)
            state.ended = ended
            forgetHangUp(&state)
            return (true, wasHeld, state.isSuspended)
        }
        guard isFirst else { return false }
        (wasHeld ? listener.shared.sleepers : listener.waiting).remove(self)
        finishBody()
        // One that is not suspended libmicrohttpd comes back to by itself.
        if isSuspended { listener.resume(connection) }
        return true
    }

    /// Reads on a request that was held; ``RequestHandler/handle(_:)`` follows when it is whole. Only the first call counts.
    ///
    /// - Returns: false if the exchange is not held.
    @discardableResult
    package func proceed() -> Bool {
        let wasHeld = state.withLock { state in
            guard case .held(let point, let limit) = state.phase else { return false }
            state.phase = .proceeding(point, limit: limit)
            forgetHangUp(&state)
            return true
        }
        if wasHeld {
            listener.shared.sleepers.remove(self)
            listener.resume(connection)
        }
        return wasHeld
    }

    /// Calls `action` once if the client closes its side while the exchange waits or is held, at once if it has done so; of several actions each is
    /// called. libmicrohttpd does not look at a suspended connection, so this watches the descriptor itself; it costs two system calls, which
    /// only a long wait is worth.
    package func onHangUp(_ action: @escaping @Sendable () -> Void) {
        state.withLock { state in
            guard state.isWaiting else { return }
            state.onHangUp.append(action)
            if state.hangUpWatch == nil { state.hangUpWatch = listener.shared.loop.watch(descriptor) { [self] _ in hungUp() } }
        }
    }

    private func hungUp() {
        let actions = state.withLock { state in
            let actions = state.isWaiting ? state.onHangUp : []
            // An action that is added later gets a watch of its own.
            forgetHangUp(&state)
            return actions
        }
        for action in actions { action() }
    }

    private func forgetHangUp(_ state: inout State) {
        if let watch = state.hangUpWatch.take() { listener.shared.loop.forget(watch) }
        state.onHangUp = []
    }

    var descriptor: Int32 { sparring_connection_descriptor(connection.pointer) }
}

extension Exchange.State {
    /// The report of a client that left during a sleep; libmicrohttpd may see that before it calls for the exchange.
    var leaving: String? {
        guard hasClientLeft else { return nil }
        return if case .ending(let ending) = phase { ending.leaving } else { "the client left" }
    }

    /// It is the handler's turn.
    var isWaiting: Bool {
        switch phase {
        case .waiting, .held: true
        default: false
        }
    }
}

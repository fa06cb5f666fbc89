internal import CMicrohttpd
import SparringLocks

/// One request and its answer. The request is complete when a ``RequestHandler`` is given the exchange; the connection then sleeps in
/// libmicrohttpd, holding no thread, until ``deliver(_:)``.
public final class Exchange: Sendable {
    enum Phase {
        case fresh
        case reading(limit: Int)
        case waiting
        case delivering(Delivery)
        case answering
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
        var body: [UInt8] = []
        var bodyExceededLimit = false
        var hangUpWatch: HangUpWatch.Watch?
        var stream: ResponseStream?
        var upgrade: Upgrade?
        /// What was done to the connection on purpose, for the completion's reason.
        var cut: String?
    }

    /// The request target, known before the head is.
    let target: String
    let listener: Listener
    let connection: Connection
    let state = Mutex(State())

    /// libmicrohttpd's handle. Sendable: apart from `MHD_resume_connection`, which is made for other threads, it is used on the
    /// listener's thread alone, and libmicrohttpd keeps it alive until the completed callback, which ends the exchange.
    struct Connection: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    init(target: String, listener: Listener, connection: OpaquePointer) {
        self.target = target
        self.listener = listener
        self.connection = Connection(pointer: connection)
    }

    /// The request. Only to be asked for once the handler has been given the exchange.
    public var request: Request {
        state.withLock { state in
            guard let head = state.head else { preconditionFailure("an exchange is handed out with its head read") }
            return Request(head: head, body: state.body, bodyExceededLimit: state.bodyExceededLimit)
        }
    }

    /// Ends the wait: the answer goes out, or the connection is disturbed. Only the first call counts.
    ///
    /// - Returns: false if the exchange had been answered before.
    @discardableResult
    public func deliver(_ delivery: Delivery) -> Bool {
        let isFirst = state.withLock { state in
            guard case .waiting = state.phase else { return false }
            state.phase = .delivering(delivery)
            if let watch = state.hangUpWatch.take() { listener.hangUps.forget(watch) }
            return true
        }
        if isFirst { MHD_resume_connection(connection.pointer) }
        return isFirst
    }

    /// Calls `action` once if the client closes its side while the exchange waits. libmicrohttpd does not look at a suspended
    /// connection, so this watches the descriptor itself; it costs two system calls, which only a long wait is worth.
    public func onHangUp(_ action: @escaping @Sendable () -> Void) {
        state.withLock { state in
            guard case .waiting = state.phase, state.hangUpWatch == nil else { return }
            state.hangUpWatch = listener.hangUps.watch(descriptor) { [self] in
                let isWaiting = self.state.withLock { if case .waiting = $0.phase { true } else { false } }
                if isWaiting { action() }
            }
        }
    }

    var descriptor: Int32 { sparring_connection_descriptor(connection.pointer) }
}

internal import CMicrohttpd
import Glibc
import SparringJournal
import SparringLoop

/// One libmicrohttpd daemon: one listening socket, plain or TLS. It has no thread of its own: the loop gives it its turns.
final class Listener: LoopSource {
    /// The parts that the listeners of a server have in common.
    struct Shared: Sendable {
        let handler: any RequestHandler
        let loop: Loop
        let heads: LoopBound<HeadWatch>
        let flow = Flow()
        let sleepers = Sleepers<Exchange>()
        /// Those that wait for their client.
        let handshakes = Sleepers<Handshake>()
        let bodies: BodyLimits
        let webSockets: LoopBound<WebSockets>
        let discards: LoopBound<Discards>

        init(_ options: HTTPServer.Options, handler: any RequestHandler, on loop: Loop) {
            self.handler = handler
            self.loop = loop
            heads = LoopBound(HeadWatch(limit: options.headTimeout, on: loop), to: loop)
            bodies = BodyLimits(underWay: options.bodiesUnderWay, inHand: options.bodiesInHand)
            webSockets = LoopBound(WebSockets(on: loop), to: loop)
            discards = LoopBound(Discards(on: loop), to: loop)
        }
    }

    let shared: Shared
    /// The exchanges that wait for the handler, or for more of a stream.
    let waiting = Sleepers<Exchange>()
    /// Nil: plain HTTP.
    let certificates: ListenerCertificates?
    var isTLS: Bool { certificates != nil }
    let versions: TLSVersions
    /// ``HTTPServer/Options/headLimit``.
    let headLimit: Int
    /// The name of a further port; nil for an ordinary one.
    let name: String?

    /// All that changes, on the loop.
    private final class State {
        /// Nil: it has not begun, or it has stopped.
        var handles: Handles?
        /// Something is to be done though nothing is ready.
        var isDue = false
        /// libmicrohttpd has just logged that it found no room for the head of an answer.
        var hasUnsentHead = false
        /// The last thing libmicrohttpd logged, for the reason of a failed start.
        var lastLog = ""
        /// Connections that have been handed to libmicrohttpd, until it says that they have begun, by their descriptors.
        var hops: [Int32: ProxyHop] = [:]
        /// The refusals that libmicrohttpd has logged.
        var rejections = Rejections()
        /// Connections of a TLS port that no request has come over.
        var silent: [Int: Silence] = [:]
        /// How many places for connections there are.
        let limit: Int
        /// How many of the places for connections are taken.
        var taken = 0
        /// How many there were when the limit was reported; nil: there are places.
        var full: Int?

        init(limit: Int) { self.limit = limit }
    }

    /// The memory that C is given to hold, all of it freed after the daemon has stopped.
    private struct Handles {
        var daemon: OpaquePointer?
        var sink: UnsafeMutablePointer<sparring_log_sink>
        var key: UnsafeMutablePointer<CChar>?
        var certificate: UnsafeMutablePointer<CChar>?
        var priorities: UnsafeMutablePointer<CChar>?
        /// The listening socket once libmicrohttpd has given it up.
        var quiesced: Int32 = -1
    }

    private struct Silence {
        var since: Arrival
        /// The first byte, if it was there at once; a client sends it with or after its connection.
        var firstByte: UInt8?
    }

    private let bound: LoopBound<State>
    private var state: State { bound.value }

    /// To be made on the loop.
    ///
    /// - Parameter socket: nil: its connections come by ``take(_:_:)`` alone.
    init(
        socket: ListeningSocket?, certificates: ListenerCertificates?, versions: TLSVersions = .usual, name: String? = nil,
        options: HTTPServer.Options, shared: Shared
    ) throws(HTTPServerError) {
        self.shared = shared
        self.certificates = certificates
        self.versions = versions
        headLimit = options.headLimit
        bound = LoopBound(on: shared.loop, State(limit: options.connectionLimit))
        self.name = name

        // +1 for the daemon, which uses self as its context; taken back in stop(), after the daemon has ended.
        let context = Unmanaged.passRetained(self).toOpaque()
        let sink = UnsafeMutablePointer<sparring_log_sink>.allocate(capacity: 1)
        sink.initialize(to: sparring_log_sink(context: context, on_log: onLog))
        let identity = certificates?.identity
        var held = Handles(
            daemon: nil, sink: sink, key: identity.map { strdup($0.keyPEM) }, certificate: identity.map { strdup($0.certificatePEM) },
            priorities: certificates.map { _ in strdup(versions.rawValue) })
        let listening = socket?.release() ?? -1
        let file = socket.map { _ in OpenFile(listening) }
        var daemonOptions = sparring_daemon_options(
            listen_socket: listening,
            connection_limit: UInt32(options.connectionLimit),
            idle_timeout_seconds: UInt32(options.idleTimeout.components.seconds),
            connection_memory: options.headLimit,
            is_tls: certificates == nil ? 0 : 1, tls_key_pem: held.key, tls_certificate_pem: held.certificate,
            tls_priorities: held.priorities,
            context: context, on_access: onAccess, on_completed: onCompleted, on_connection: onConnection, on_target: onTarget,
            on_log: onLog)
        held.daemon = sparring_start_daemon(&daemonOptions, sink)
        if held.daemon == nil {
            // libmicrohttpd closes the socket after some failures, such as a bad certificate, and not after others.
            file?.close()
            Self.free(held)
            Unmanaged<Listener>.fromOpaque(context).release()
            throw .daemon(state.lastLog.isEmpty ? "no reason given" : state.lastLog)
        }
        state.handles = held
    }

    // MARK: Turns, on the loop

    var descriptor: Int32 { daemon.map { sparring_daemon_descriptor($0) } ?? -1 }

    var wait: Int? {
        if state.isDue { return 0 }
        guard let daemon, state.taken > 0 else { return nil }
        let timeout = sparring_daemon_timeout(daemon)
        return timeout < 0 ? nil : Int(timeout)
    }

    func turn() {
        state.isDue = false
        guard let daemon else { return }
        MHD_run(daemon)
        // 0.9.75 takes back an upgraded TLS connection that has ended only when it runs again, and does not ask for that.
        if isTLS, shared.flow.hasSockets { MHD_run(daemon) }
    }

    private var daemon: OpaquePointer? { state.handles?.daemon }

    /// libmicrohttpd is to look at its connections in the next turn.
    func expect() { state.isDue = true }

    /// Ends the suspension of a connection, from any thread.
    func resume(_ connection: Exchange.Connection) {
        shared.loop.run { [self] in
            MHD_resume_connection(connection.pointer)
            expect()
        }
    }

    /// Takes over a connected descriptor.
    func take(_ descriptor: Int32, _ hop: ProxyHop) {
        guard let daemon, state.handles?.quiesced == -1, !shared.flow.isDraining else {
            close(descriptor)
            return
        }
        state.hops[descriptor] = hop
        if sparring_add_connection(daemon, descriptor) == 0 {
            state.hops[descriptor] = nil
            tellFull()
        }
        expect()
    }

    /// How a connection that begins has come by the proxy; nil where it has not.
    func takeHop(_ descriptor: Int32) -> ProxyHop? { state.hops.removeValue(forKey: descriptor) }

    /// Takes no more connections; those that are open go on.
    func quiesce() {
        guard let daemon, state.handles?.quiesced ?? 0 < 0 else { return }
        let listening = MHD_quiesce_daemon(daemon)
        guard listening >= 0 else { return }
        // A client that comes now is refused.
        shutdown(listening, Int32(SHUT_RDWR))
        state.handles?.quiesced = listening
    }

    /// Closes every connection. No exchange may be suspended: libmicrohttpd aborts the process over one.
    func stop() {
        shared.loop.detach(self)
        guard let held = state.handles.take() else { return }
        MHD_stop_daemon(held.daemon)
        if held.quiesced >= 0 { close(held.quiesced) }
        Self.free(held)
        Unmanaged.passUnretained(self).release()
    }

    func logged(_ message: String) {
        state.lastLog = message
        // Other descriptors of the process have left none for a connection.
        if message.hasPrefix("Hit process or system resource limit") { tellFull() }
        if message.hasPrefix("Closing connection (failed to create") {
            // Of "response footer" the head is long out.
            state.hasUnsentHead = message.contains("response header")
        }
        let (refusal, rejection) = (HeadRefusal(log: message), Rejection(log: message))
        guard refusal != nil || rejection != nil else { return }
        let unread = shared.heads.value.unread(of: self)
        if let rejection { state.rejections.add(rejection, isAnyUnread: !unread.isEmpty) }
        unread.first(where: \.hasUnseenHead)?.refuse(refusal)
    }

    /// Whether nothing has been sent of an answer, because of which the request is just ending.
    func takeUnsentHead() -> Bool {
        defer { state.hasUnsentHead = false }
        return state.hasUnsentHead
    }

    /// Why libmicrohttpd answered by itself, reported with the request that is just ending.
    func takeRejection() -> String? { state.rejections.takeRequest() }

    /// A request whose line could not be read (414, 505 …) begins no exchange: it is reported when a connection closes.
    func reportUntoldRejection() {
        guard let reason = state.rejections.takeLine() else { return }
        shared.handler.rejected(target: "", reason: reason, isTLS: isTLS, arrival: .now)
    }

    /// Called by libmicrohttpd for each connection that it takes.
    func took(_ connection: ClientConnection) {
        shared.heads.value.add(connection)
        state.taken += 1
        if state.taken >= state.limit { tellFull() }
        guard isTLS, !shared.flow.isDraining else { return }
        state.silent[connection.number] = Silence(since: .now, firstByte: connection.firstByte)
    }

    /// A request begins on it.
    func heard(_ connection: ClientConnection) {
        if isTLS { state.silent[connection.number] = nil }
    }

    /// It is over.
    func lost(_ connection: ClientConnection) {
        shared.heads.value.remove(connection)
        // A client that waits for a place is taken when libmicrohttpd runs again.
        expect()
        state.taken -= 1
        // Not before an eighth of the places is free again is it over.
        if let full = state.full, state.taken <= full - max(1, full / 8) { state.full = nil }
        guard isTLS, let silence = state.silent.removeValue(forKey: connection.number) else { return }
        let extent = extent(of: connection, silence)
        if shared.flow.isDraining || name == nil && extent == nil { return }
        shared.handler.silent(
            SilentConnection(
                port: name, number: connection.number, host: connection.hop?.tunnel, taken: silence.since, left: .now, extent: extent))
    }

    /// Judges by the protocols that the client offered, by its first byte, and by how much it took: with a certificate that is more than an alert (RFC 8446 §6).
    /// libmicrohttpd 0.9.75 does not say which connection's handshake failed, nor always that one did.
    private func extent(of connection: ClientConnection, _ silence: Silence) -> SilentConnection.Extent? {
        if let protocols = connection.handshake?.refusedProtocols { return .protocols(protocols) }
        let traffic = connection.traffic
        // Some look whether the port is open, and no more. A FIN counts as a byte.
        guard traffic.sent > 1 else { return nil }
        if let first = silence.firstByte { return first == Self.handshakeRecord ? .certificate : .notTLS }
        return traffic.taken < Self.longestAlert ? .notTLS : .certificate
    }

    /// ContentType of a TLS record (RFC 8446 §5.1).
    private static let handshakeRecord: UInt8 = 22
    private static let longestAlert = 200

    /// libmicrohttpd takes no further connections now. Reports that once, until there are places again.
    private func tellFull() {
        guard state.full == nil else { return }
        state.full = state.taken
        if !shared.flow.isDraining { shared.handler.full(limit: state.taken) }
    }

    private static func free(_ held: Handles) {
        held.sink.deallocate()
        Glibc.free(held.key)
        Glibc.free(held.certificate)
        Glibc.free(held.priorities)
    }
}

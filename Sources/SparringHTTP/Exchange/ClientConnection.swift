internal import CMicrohttpd
import Glibc

/// A connection from when libmicrohttpd takes it until it closes it, and what it is there for at the moment. All of it belongs to the loop's thread.
final class ClientConnection {
    /// The awaited part of a request, if any. Times are ``Arrival/monotonic``; nil: counted from the next ``look(now:limit:)`` on, so that
    /// no request waits for the clock to be read.
    enum Phase {
        /// A head, or the TLS handshake before it.
        case head(since: Int64?)
        /// Nothing: one request is over and no byte of a further one has been seen, when last asked.
        case idle(since: Int64?, asked: Int64)
        /// The rest of a request.
        case body
        /// Nothing: its request is whole or held, or the connection is a WebSocket.
        case busy
    }

    let number: Int
    /// nil: a connection without TLS.
    let handshake: Handshake?
    /// Nil: it has not come by the proxy.
    let hop: ProxyHop?
    private let descriptor: Int32
    private var phase: Phase
    /// The request under way, from its first line on.
    private(set) var exchange: Exchange?
    /// When it was first seen that the client has closed its side before it had sent what is awaited of it.
    private var leftAt: Int64?
    /// Why it was shut down, if it was.
    private(set) var cut: String?
    /// libmicrohttpd is about to close the descriptor.
    private var isGone = false
    /// How many bytes the client has taken and sent, once it is closed.
    private(set) var traffic = (taken: 0, sent: 0)
    /// When it was taken, until a request has come.
    private var openedAt: Int64?
    private var tls: TLSSession?

    /// How long bytes of a client that has closed its side may be on their way through libmicrohttpd, in nanoseconds.
    private static let settling: Int64 = 100_000_000
    /// The kernel tells the time of the last byte by ticks of up to 10 ms.
    private static let tolerance: Int64 = 50_000_000

    init(number: Int, descriptor: Int32, handshake: Handshake?, hop: ProxyHop?, now: Int64) {
        self.number = number
        self.hop = hop
        self.handshake = handshake
        self.descriptor = descriptor
        phase = .head(since: now)
        openedAt = now
    }

    /// The one whose pointer is kept where libmicrohttpd has room for one with each connection.
    static func of(_ connection: OpaquePointer) -> ClientConnection? {
        sparring_connection_context(connection).map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    /// The outcome of its TLS handshake, read once, with its first request.
    func tls(_ read: () -> TLSSession?) -> TLSSession? {
        if tls == nil { tls = read() }
        return tls
    }

    /// Its requests name other hosts each: what comes after this one may be for another receiver (RFC 9112 §3.2.2).
    var isForOneRequest: Bool { hop != nil && hop?.tunnel == nil }

    /// The first of the bytes that are here and have not been read; nil where there are none.
    var firstByte: UInt8? { UInt8(exactly: sparring_peek(descriptor)) }

    /// How long it had been open when its first request arrived, in nanoseconds; 0 for each further request.
    ///
    /// - Parameter now: ``Arrival/monotonic`` of the request.
    func opening(at now: Int64) -> Int64 { openedAt.take().map { now - $0 } ?? 0 }

    /// A request's first line has been read.
    func begin(_ exchange: Exchange) {
        self.exchange = exchange
        leftAt = nil
        if case .idle = phase { phase = .head(since: nil) }
    }

    func enter(_ phase: Phase) {
        self.phase = phase
        leftAt = nil
    }

    /// The request is over.
    func end(isUpgraded: Bool) {
        exchange = nil
        enter(isUpgraded ? .busy : .idle(since: nil, asked: 0))
    }

    /// To be called before libmicrohttpd closes the descriptor, which is not touched from then on.
    ///
    /// - Returns: a request that libmicrohttpd has not ended.
    func close() -> Exchange? {
        let traffic = sparring_traffic(descriptor)
        self.traffic = (traffic.acknowledged, traffic.received)
        isGone = true
        return exchange.take()
    }

    /// Shuts down a connection that holds its place though it brings no request; libmicrohttpd then closes it. That is one whose head is not whole
    /// in time, and one whose client has closed its side in the middle of a request: libmicrohttpd 0.9.75 does not notice a FIN that comes along with
    /// the last bytes. Between two requests a client may be silent for as long as the idle timeout lets it.
    ///
    /// - Parameters:
    ///   - now: ``Arrival/monotonic``.
    ///   - limit: of a head, in nanoseconds.
    func look(now: Int64, limit: Int64) {
        if isGone || cut != nil { return }
        switch phase {
        case .busy: return
        case .idle(nil, _): return phase = .idle(since: now, asked: now)
        case .idle(_, let asked) where now - asked < limit / 4: return
        case .idle, .body: break
        case .head(nil): phase = .head(since: now)
        case .head(let since?):
            // It may be libmicrohttpd that is late, but not for ever.
            guard now - since > limit, sparring_unread(descriptor) == 0 || now - since > 2 * limit else { break }
            return cut("the head was not whole within \(Duration.nanoseconds(limit))")
        }
        guard let tcp = information else { return }
        if case .idle(let since?, _) = phase {
            // What trickles in now is a head.
            let last = now - Int64(tcp.tcpi_last_data_recv) * 1_000_000
            phase = last > since + Self.tolerance ? .head(since: now) : .idle(since: since, asked: now)
        }
        // What libmicrohttpd has not read may well complete the request.
        guard Int(tcp.tcpi_state) == Int(TCP_CLOSE_WAIT), sparring_unread(descriptor) == 0 else { return leftAt = nil }
        let since = leftAt ?? now
        leftAt = since
        if now - since >= Self.settling { cut("the client closed the connection") }
    }

    private func cut(_ words: String) {
        cut = words
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    private var information: tcp_info? {
        var information = tcp_info()
        var size = socklen_t(MemoryLayout<tcp_info>.size)
        return getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &information, &size) == 0 ? information : nil
    }
}

import CCurl
import Glibc
import SparringClient
import SparringLocks

/// TLS, by libcurl: what was sent within the session and, apart from it, how the TCP connection ended.
public final class TLSClient: WireClient {
    private let session: Mutex<Session>

    /// Shakes hands, and leaves when the task is cancelled meanwhile.
    ///
    /// - Parameters:
    ///   - authority: of the certificates that are trusted, in PEM, for the host; nil: whatever there is.
    ///   - host: whose name is asked for.
    ///   - isProxy: the port is a forward proxy's, which is asked for the host's port 443.
    public init(port: Int, trusting authority: String? = nil, host: String = "localhost", isProxy: Bool = false) async throws {
        let session = try Session(port, trusting: authority, host: host, isProxy: isProxy)
        try await withTaskCancellationHandler {
            try await aside { try session.shakeHands() }
        } onCancel: {
            session.finishSending()
        }
        self.session = Mutex(session)
    }

    public func write(_ bytes: [UInt8]) async {
        await aside { self.session.withLock { $0.write(bytes) } }
    }

    public func read(
        within limit: Duration, until isEnough: @escaping @Sendable ([UInt8]) -> Bool
    ) async -> (bytes: [UInt8], end: RawClient.End) {
        await aside { self.session.withLock { $0.read(limit, isEnough) } }
    }

    public func take(_ count: Int) { session.withLock { $0.buffer.removeFirst(count) } }
    public func close() { session.withLock { $0.end(resetting: false) } }
    public func reset() { session.withLock { $0.end(resetting: true) } }

    public var isUp: Bool { session.withLock { $0.isUp } }

    /// The server has ended the session in order (RFC 8446 §6.1), as before every FIN it must.
    public var hasClosureAlert: Bool { session.withLock { $0.hasClosureAlert } }
}

/// libcurl's TLS session on a connection of its own.
private final class Session: @unchecked Sendable {
    // Sendable: the lock around it lets one thread at a time have it; before that, `socket` alone is used by two.
    /// Received and not handed out yet.
    var buffer: [UInt8] = []
    private(set) var hasClosureAlert = false
    private let curl: Curl
    private let easy: UnsafeMutableRawPointer
    private let tls: ClientTLS
    private let socket: UnsafeMutablePointer<curl_socket_t>
    private let route: UnsafeMutablePointer<curl_slist>?

    init(_ port: Int, trusting authority: String?, host: String, isProxy: Bool) throws {
        tls = try ClientTLS(only: authority)
        curl = try Curl.library()
        easy = curl.functions.easy_init()!  // nil only where memory has run out
        socket = .allocate(capacity: 1)
        socket.initialize(to: -1)
        route = isProxy ? nil : curl.functions.slist_append(nil, "::127.0.0.1:\(port)")
        curl.set(easy, CURLOPT_URL, "https://\(host)")
        curl.set(easy, CURLOPT_CONNECT_TO, pointer: route.map { UnsafeMutableRawPointer($0) })
        curl.set(easy, CURLOPT_PROXY, isProxy ? "http://127.0.0.1:\(port)" : "")
        curl.set(easy, CURLOPT_HTTPPROXYTUNNEL, isProxy ? 1 : 0)
        curl.set(easy, CURLOPT_CONNECT_ONLY, 1)
        curl.set(easy, CURLOPT_NOSIGNAL, 1)
        curl.set(easy, CURLOPT_CONNECTTIMEOUT_MS, Int(patience / .milliseconds(1)))
        let (easy, socket) = (easy, socket)
        curl.withFunctions { sparring_curl_tell_socket($0, easy, socket) }
        tls.apply(to: easy, curl)
    }

    deinit {
        curl.functions.easy_cleanup(easy)
        curl.functions.slist_free_all(route)
        socket.deallocate()
    }

    func shakeHands() throws {
        let code = curl.functions.easy_perform(easy)
        guard code == CURLE_OK else { throw RawClient.Failed(description: "no handshake: libcurl's error \(code.rawValue)") }
    }

    func finishSending() { shutdown(socket.pointee, Int32(SHUT_WR)) }

    var isUp: Bool { RawClient.isUp(socket.pointee) }

    /// Ends the connection, not the session: libcurl keeps a descriptor that leads nowhere.
    func end(resetting: Bool) {
        if resetting { RawClient.prepareReset(socket.pointee) }
        let nowhere = open("/dev/null", O_RDWR)
        dup2(nowhere, socket.pointee)
        close(nowhere)
    }

    func write(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            var count = 0
            switch bytes.withUnsafeBytes({ curl.functions.easy_send(easy, $0.baseAddress! + sent, bytes.count - sent, &count) }) {
            case CURLE_OK: sent += count
            case CURLE_AGAIN: guard wait(Int16(POLLOUT), patience) else { return }
            default: return  // a peer that has gone shows when reading
            }
        }
    }

    func read(_ limit: Duration, _ isEnough: ([UInt8]) -> Bool) -> (bytes: [UInt8], end: RawClient.End) {
        let deadline = ContinuousClock.now + limit
        var piece = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            if isEnough(buffer) { return (buffer, .met) }
            var count = 0
            switch hasClosureAlert ? CURLE_AGAIN : curl.functions.easy_recv(easy, &piece, piece.count, &count) {
            case CURLE_OK where count > 0: buffer += piece.prefix(count)
            case CURLE_OK: hasClosureAlert = true
            case CURLE_AGAIN:
                guard wait(Int16(POLLIN), deadline - .now) else { return (buffer, .timedOut) }
                // What comes after the alert is the end of the connection.
                if hasClosureAlert { return (buffer, recv(socket.pointee, &piece, 1, 0) == 0 ? .closed : .reset) }
            default: return (buffer, curl.number(easy, CURLINFO_OS_ERRNO) == Int(ECONNRESET) ? .reset : .closed)
            }
        }
    }

    private func wait(_ events: Int16, _ limit: Duration) -> Bool {
        var waiting = pollfd(fd: socket.pointee, events: events, revents: 0)
        return limit > .zero && poll(&waiting, 1, Int32(limit / .milliseconds(1)) + 1) > 0
    }
}

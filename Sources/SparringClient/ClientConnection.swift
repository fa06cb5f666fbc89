import CCurl
import Glibc
import SparringLocks

/// A connection to another server, over TLS where its URL says so, for what is not a request and its answer. A thread of its own reads and writes.
package final class ClientConnection: @unchecked Sendable {
    // Sendable: `easy` is the thread's alone once the connection stands.
    package enum Event: Sendable {
        case received([UInt8])
        /// Nothing more comes; with the reason, unless the other has closed it in order.
        case ended(CallFailure?)
    }

    private struct State {
        var outgoing: [UInt8] = []
        var isClosing = false
    }

    private let curl: Curl
    private let easy: UnsafeMutableRawPointer
    private let tls: ClientTLS?
    private let isSecure: Bool
    private let state = Mutex(State())
    /// A byte in it wakes the thread.
    private let bell: (reading: Int32, writing: Int32)

    private static let readLimit = 64 << 10

    /// Connects.
    ///
    /// - Parameters:
    ///   - url: `http` or `https`; what follows its host does not count.
    ///   - isProxied: through the proxy that the environment names, if any.
    ///   - limit: until the connection stands, with its TLS.
    ///   - handler: called on the connection's thread, last with ``Event/ended(_:)``.
    package static func open(
        _ url: String, tls: ClientTLS?, isProxied: Bool, within limit: Duration,
        _ handler: @escaping @Sendable (ClientConnection, Event) -> Void
    ) async throws(CallFailure) -> ClientConnection {
        let connection = try ClientConnection(url, tls: tls, isProxied: isProxied, within: limit)
        let failure: CallFailure? = await withCheckedContinuation { continuation in
            startThread {
                let failure = connection.connect()
                continuation.resume(returning: failure)
                if failure == nil { connection.run(handler) }
            }
        }
        if let failure { throw failure }
        return connection
    }

    private init(_ url: String, tls: ClientTLS?, isProxied: Bool, within limit: Duration) throws(CallFailure) {
        curl = try Curl.library()
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw CallFailure(.network(errno: errno), CallFailure.words(errno)) }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        bell = (ends[0], ends[1])
        easy = curl.functions.easy_init()!  // nil only where memory has run out
        self.tls = tls
        isSecure = url.lowercased().hasPrefix("https")
        curl.set(easy, CURLOPT_URL, url)
        curl.set(easy, CURLOPT_CONNECT_ONLY, 1)
        curl.set(easy, CURLOPT_NOSIGNAL, 1)
        curl.set(easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        curl.set(easy, CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(limit / .milliseconds(1))))
        if isProxied { curl.set(easy, CURLOPT_HTTPPROXYTUNNEL, 1) } else { curl.set(easy, CURLOPT_PROXY, "") }
        tls?.apply(to: easy, curl)
    }

    deinit {
        curl.functions.easy_cleanup(easy)
        Glibc.close(bell.reading)
        Glibc.close(bell.writing)
    }

    // MARK: Any thread

    /// Sends at the end of what is being sent. Dropped once the connection has ended.
    package func send(_ bytes: [UInt8]) {
        state.withLock { $0.outgoing += bytes }
        ring()
    }

    /// Closes it once all is sent.
    package func close() {
        state.withLock { $0.isClosing = true }
        ring()
    }

    private func ring() {
        var byte: UInt8 = 1
        _ = Glibc.write(bell.writing, &byte, 1)
    }

    // MARK: The thread

    private func connect() -> CallFailure? {
        let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
        words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        defer { words.deallocate() }
        curl.set(easy, CURLOPT_ERRORBUFFER, pointer: words)
        defer { curl.set(easy, CURLOPT_ERRORBUFFER, pointer: nil) }
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let code = curl.functions.easy_perform(easy)
        return code == CURLE_OK ? nil : failure(code, String(cString: words))
    }

    private func failure(_ code: CURLcode, _ detail: String = "") -> CallFailure {
        curl.failure(of: easy, code, detail: detail, isSecure: isSecure, hasAnswer: false)
    }

    private func run(_ handler: (ClientConnection, Event) -> Void) {
        let socket = Int32(truncatingIfNeeded: curl.number(easy, CURLINFO_LASTSOCKET))
        var piece = [UInt8](repeating: 0, count: Self.readLimit)
        while true {
            // TLS may hold what the kernel no longer has: it is read until it has nothing more.
            var count = 0
            switch curl.functions.easy_recv(easy, &piece, piece.count, &count) {
            case CURLE_OK where count > 0:
                handler(self, .received(Array(piece.prefix(count))))
                continue
            case CURLE_OK: return handler(self, .ended(nil))
            case CURLE_AGAIN: break
            case let code: return handler(self, .ended(failure(code)))
            }
            guard let isWriting = write() else { return handler(self, .ended(nil)) }
            var watched = [
                pollfd(fd: socket, events: Int16(POLLIN | (isWriting ? POLLOUT : 0)), revents: 0),
                pollfd(fd: bell.reading, events: Int16(POLLIN), revents: 0),
            ]
            poll(&watched, 2, -1)
            while read(bell.reading, &piece, piece.count) > 0 {}
        }
    }

    /// Sends what the other takes.
    ///
    /// - Returns: there is more to send; nil: all is sent and the connection has been closed.
    private func write() -> Bool? {
        while true {
            let (bytes, isClosing) = state.withLock { ($0.outgoing, $0.isClosing) }
            if bytes.isEmpty { return isClosing ? nil : false }
            var count = 0
            guard curl.functions.easy_send(easy, bytes, bytes.count, &count) == CURLE_OK else { return true }
            state.withLock { $0.outgoing.removeFirst(count) }
        }
    }
}

import CCurl
import Glibc
import SparringLocks

/// The thread on which libcurl makes all calls of the process at once (its multi interface). It begins with the first call and waits without an end.
final class CurlLoop: @unchecked Sendable {
    // Sendable: `multi` is the thread's but for `multi_wakeup`, which any thread may call; `running` is the thread's.
    private struct Inbox {
        var arriving: [Transfer] = []
        var cancelled: [Transfer] = []
    }

    let curl: Curl
    private let multi: UnsafeMutableRawPointer
    private let inbox = Mutex(Inbox())
    private var running: [UnsafeMutableRawPointer: Transfer] = [:]

    private static let shared = Result { () throws(CallFailure) in CurlLoop(try Curl.library()) }

    /// - Throws: where there is no libcurl.
    static func running() throws(CallFailure) -> CurlLoop { try shared.get() }

    private init(_ curl: Curl) {
        self.curl = curl
        multi = curl.functions.multi_init()!  // nil only where memory has run out
        startThread { [self] in run() }
    }

    func submit(_ transfer: Transfer) {
        inbox.withLock { $0.arriving.append(transfer) }
        _ = curl.functions.multi_wakeup(multi)
    }

    func cancel(_ transfer: Transfer) {
        inbox.withLock { $0.cancelled.append(transfer) }
        _ = curl.functions.multi_wakeup(multi)
    }

    private func run() {
        // Some TLS libraries write to sockets without MSG_NOSIGNAL.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        while true {
            takeInbox()
            var count: Int32 = 0
            _ = curl.functions.multi_perform(multi, &count)
            finishEnded()
            // Its own time-outs wake it before that.
            _ = curl.functions.multi_poll(multi, nil, 0, 3_600_000, nil)
        }
    }

    private func takeInbox() {
        let inbox = inbox.withLock { state in
            defer { state = Inbox() }
            return state
        }
        for transfer in inbox.arriving {
            // Cancelled before it came: what is cancelled later is in the list below.
            if transfer.isCancelled.load(ordering: .acquiring) {
                transfer.end(.failure(.cancelled))
                continue
            }
            let easy = transfer.start()
            running[easy] = transfer
            _ = curl.functions.multi_add_handle(multi, easy)
        }
        for transfer in inbox.cancelled {
            guard let easy = transfer.easy else { continue }
            forget(easy)
            transfer.end(.failure(.cancelled))
        }
    }

    private func finishEnded() {
        var code = CURLE_OK
        while let easy = curl.withFunctions({ sparring_curl_ended($0, multi, &code) }) {
            let transfer = running[easy]
            forget(easy)
            transfer?.finish(code)
        }
    }

    private func forget(_ easy: UnsafeMutableRawPointer) {
        _ = curl.functions.multi_remove_handle(multi, easy)
        running[easy] = nil
    }
}

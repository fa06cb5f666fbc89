import CCurl
import Glibc
import HTTPTypes
import SparringLocks

/// One call: its options in libcurl's handle, and what has come of the answer.
final class Transfer: @unchecked Sendable {
    // Sendable: everything but `isCancelled` and `continuation`, which is set before, is touched by the loop's thread alone.
    let isCancelled = Atomic(false)

    private let request: HTTPClient.Request
    private let limits: HTTPClient.Limits
    private let loop: CurlLoop
    private var curl: Curl { loop.curl }
    private var continuation: CheckedContinuation<Result<HTTPClient.Answer, CallFailure>, Never>?
    /// libcurl's handle, from the start until the end.
    private(set) var easy: UnsafeMutableRawPointer?
    private var lines: UnsafeMutablePointer<curl_slist>?
    private let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private var answer = HTTPClient.Answer(status: 0, headers: [:], body: [])
    private var isTooLong = false

    init(_ request: HTTPClient.Request, _ limits: HTTPClient.Limits, _ loop: CurlLoop) {
        (self.request, self.limits, self.loop) = (request, limits, loop)
        words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit { words.deallocate() }

    /// Makes the call on the loop and waits for its end.
    func result() async -> Result<HTTPClient.Answer, CallFailure> {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                self.continuation = continuation
                loop.submit(self)
            }
        } onCancel: {
            isCancelled.store(true, ordering: .releasing)
            loop.cancel(self)
        }
    }

    // MARK: On the loop's thread

    /// The handle to add to the loop.
    func start() -> UnsafeMutableRawPointer {
        let easy = curl.functions.easy_init()!  // nil only where memory has run out
        self.easy = easy
        setDestination(easy)
        setContent(easy)
        if let tls = request.tls { tls.apply(to: easy, curl) }
        setSinks(easy)
        return easy
    }

    func finish(_ code: CURLcode) {
        let hasAnswer = answer.status != 0
        guard let easy else { return }
        if code == CURLE_OK {
            answer.status = curl.number(easy, CURLINFO_RESPONSE_CODE)
            return end(.success(answer))
        }
        if isTooLong { return end(.failure(CallFailure(.tooLong, "the answer has more than \(limits.body) bytes"))) }
        end(
            .failure(
                curl.failure(
                    of: easy, code, detail: String(cString: words), isSecure: request.url.lowercased().hasPrefix("https"),
                    hasAnswer: hasAnswer)))
    }

    func end(_ result: Result<HTTPClient.Answer, CallFailure>) {
        if let easy { curl.functions.easy_cleanup(easy) }
        curl.functions.slist_free_all(lines)
        (easy, lines) = (nil, nil)
        continuation.take()?.resume(returning: result)
    }

    private func setDestination(_ easy: UnsafeMutableRawPointer) {
        curl.set(easy, CURLOPT_URL, request.url)
        curl.set(easy, CURLOPT_PATH_AS_IS, 1)
        curl.set(easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        curl.set(easy, CURLOPT_FRESH_CONNECT, 1)
        curl.set(easy, CURLOPT_FORBID_REUSE, 1)
        curl.set(easy, CURLOPT_NOSIGNAL, 1)
        curl.set(easy, CURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(limits.connect))
        curl.set(easy, CURLOPT_TIMEOUT_MS, Self.milliseconds(limits.whole))
        // An empty name turns off those of the environment.
        if !request.isProxied { curl.set(easy, CURLOPT_PROXY, "") }
    }

    private func setContent(_ easy: UnsafeMutableRawPointer) {
        let method = request.method.rawValue
        if request.method == .head {
            curl.set(easy, CURLOPT_NOBODY, 1)
        } else if !request.body.isEmpty || [.post, .put, .patch].contains(request.method) {
            curl.set(easy, CURLOPT_POST, 1)
            curl.set(easy, CURLOPT_POSTFIELDSIZE_LARGE, size: request.body.count)
            request.body.withUnsafeBytes { bytes in
                // Copied: a body that is empty has no address, and without one curl would ask a callback for it.
                if let address = bytes.baseAddress {
                    curl.set(easy, CURLOPT_COPYPOSTFIELDS, pointer: UnsafeMutableRawPointer(mutating: address))
                } else {
                    curl.set(easy, CURLOPT_COPYPOSTFIELDS, "")
                }
            }
        }
        curl.set(easy, CURLOPT_CUSTOMREQUEST, method)
        // A name with a colon and nothing after it takes away what curl would add; one that is to be empty ends with a semicolon.
        for name in ["Accept", "Content-Type", "Expect"] where !request.headers.contains(HTTPField.Name(name)!) { add("\(name):") }
        for field in request.headers where field.name != .contentLength {
            add(field.value.isEmpty ? "\(field.name.rawName);" : "\(field.name.rawName): \(field.value)")
        }
        curl.set(easy, CURLOPT_HTTPHEADER, pointer: lines.map { UnsafeMutableRawPointer($0) })
    }

    private func add(_ line: String) { lines = curl.functions.slist_append(lines, line) ?? lines }

    private func setSinks(_ easy: UnsafeMutableRawPointer) {
        // Not retained: the loop keeps the transfer until it has ended.
        let this = Unmanaged.passUnretained(self).toOpaque()
        curl.set(easy, CURLOPT_ERRORBUFFER, pointer: words)
        curl.set(easy, CURLOPT_HEADERDATA, pointer: this)
        curl.set(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            Transfer.of(context).takeLine(UnsafeRawBufferPointer(start: bytes, count: size * count))
            return size * count
        }
        curl.set(easy, CURLOPT_WRITEDATA, pointer: this)
        curl.set(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            Transfer.of(context).takeBody(UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
        }
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> Transfer {
        Unmanaged<Transfer>.fromOpaque(context!).takeUnretainedValue()
    }

    /// A line of an answer's head: an interim answer's is replaced by that of the next (RFC 9110 §15.2).
    private func takeLine(_ bytes: UnsafeRawBufferPointer) {
        let line = String(decoding: bytes, as: UTF8.self)
        if line.hasPrefix("HTTP/") {
            answer.status = curl.number(easy!, CURLINFO_RESPONSE_CODE)
            answer.headers = [:]
            return
        }
        guard let colon = line.firstIndex(of: ":"), let name = HTTPField.Name(String(line[..<colon])) else { return }
        var value = line[line.index(after: colon)...].drop(while: \.isWhitespace)
        while value.last?.isWhitespace == true { value.removeLast() }
        answer.headers.append(HTTPField(name: name, value: String(value)))
    }

    private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        isTooLong = answer.body.count + bytes.count > limits.body
        if !isTooLong { answer.body.append(contentsOf: bytes) }
        return !isTooLong
    }

    /// At least 1: 0 is no limit.
    private static func milliseconds(_ duration: Duration) -> Int { Int(min(max(duration / .milliseconds(1), 1), Double(Int32.max))) }
}

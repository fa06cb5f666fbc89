package import CCurl
import Glibc

/// The system's libcurl, opened by the first call.
package struct Curl: @unchecked Sendable {
    // Sendable: pointers to functions, which nobody changes once they are found. libcurl's functions may be called on any thread, with one handle on
    // one at a time.
    package private(set) var functions = sparring_curl()

    /// The library's names by their TLS: OpenSSL, GnuTLS. `SPARRING_LIBCURL` names another.
    private static let names = ["libcurl.so.4", "libcurl-gnutls.so.4"]

    private static let found: Result<Curl, CallFailure> = {
        let named = getenv("SPARRING_LIBCURL").map { [String(cString: $0)] }
        var reasons: [String] = []
        for name in named ?? names {
            var curl = Curl()
            guard let reason = sparring_curl_load(&curl.functions, name) else {
                _ = curl.functions.global_init(Int(CURL_GLOBAL_DEFAULT))
                return .success(curl)
            }
            reasons.append(String(cString: reason))
        }
        return .failure(
            CallFailure(.missing, "calls to other servers need libcurl 7.68 or later (Debian and Ubuntu: libcurl4): \(reasons[0])"))
    }()

    /// - Throws: ``CallFailure/Kind/missing``.
    package static func library() throws(CallFailure) -> Curl { try found.get() }

    /// Why a transfer ended without an answer.
    func failure(of easy: UnsafeMutableRawPointer, _ code: CURLcode, detail: String, isSecure: Bool, hasAnswer: Bool) -> CallFailure {
        let words = functions.easy_strerror(code).map { String(cString: $0) } ?? "error \(code.rawValue)"
        return CallFailure(
            code, errno: Int32(truncatingIfNeeded: number(easy, CURLINFO_OS_ERRNO)), detail: detail.isEmpty ? words : detail,
            isSecure: isSecure, isConnected: withFunctions { sparring_curl_size($0, easy, CURLINFO_PRETRANSFER_TIME_T) } > 0,
            hasAnswer: hasAnswer)
    }

    // MARK: Options and what is known of a transfer

    package func set(_ easy: UnsafeMutableRawPointer, _ option: CURLoption, _ value: Int) {
        _ = withFunctions { sparring_curl_set_number($0, easy, option, value) }
    }

    package func set(_ easy: UnsafeMutableRawPointer, _ option: CURLoption, size: Int) {
        _ = withFunctions { sparring_curl_set_size($0, easy, option, curl_off_t(size)) }
    }

    package func set(_ easy: UnsafeMutableRawPointer, _ option: CURLoption, _ value: String) {
        _ = withFunctions { sparring_curl_set_text($0, easy, option, value) }
    }

    package func set(_ easy: UnsafeMutableRawPointer, _ option: CURLoption, pointer: UnsafeMutableRawPointer?) {
        _ = withFunctions { sparring_curl_set_pointer($0, easy, option, pointer) }
    }

    func set(_ easy: UnsafeMutableRawPointer, _ option: CURLoption, sink: @escaping sparring_curl_sink) {
        _ = withFunctions { sparring_curl_set_sink($0, easy, option, sink) }
    }

    package func number(_ easy: UnsafeMutableRawPointer, _ information: CURLINFO) -> Int {
        withFunctions { sparring_curl_number($0, easy, information) }
    }

    /// The file of the authorities that the system trusts; nil where the library knows none.
    var authorities: String? { withFunctions { sparring_curl_authorities($0) }.map { String(cString: $0) } }

    package func withFunctions<Value>(_ body: (UnsafePointer<sparring_curl>) -> Value) -> Value {
        withUnsafePointer(to: functions) { body($0) }
    }
}

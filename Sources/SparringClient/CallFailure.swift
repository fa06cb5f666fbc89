import CCurl
import Glibc

/// Why a call got no answer.
public struct CallFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// Each kind follows from libcurl's number (libcurl-errors(3)) or, where the network failed, from the system's `errno`.
    public enum Kind: Sendable, Hashable {
        /// libcurl is not installed, or is too old.
        case missing
        /// The task was cancelled.
        case cancelled
        /// The URL cannot be called.
        case url
        /// No address is known for the host.
        case unknownHost
        /// No connection stood in time.
        case connectTimedOut
        /// The whole answer did not come in time.
        case timedOut
        /// The connection was closed before an answer came.
        case closed
        /// The system's `errno`, such as `ECONNREFUSED` or `ECONNRESET`.
        case network(errno: Int32)
        /// The handshake failed, or either side did not accept the other's certificate.
        case tls
        /// The answer is longer than the limit.
        case tooLong
        /// Anything else, such as an answer that is not HTTP: libcurl's number.
        case other(Int)
    }

    public var kind: Kind
    /// A few words, such as `connection refused`.
    public var description: String

    package init(_ kind: Kind, _ description: String) { (self.kind, self.description) = (kind, description) }

    public static let cancelled = CallFailure(.cancelled, "cancelled")

    /// - Parameters:
    ///   - errno: of the call to the system that failed; 0: none did.
    ///   - detail: what libcurl says of it.
    init(_ code: CURLcode, errno: Int32, detail: String, isSecure: Bool, isConnected: Bool, hasAnswer: Bool) {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: self.init(.unknownHost, "unknown host")
        case CURLE_OPERATION_TIMEDOUT where !isConnected: self.init(.connectTimedOut, "no connection in time")
        case CURLE_OPERATION_TIMEDOUT: self.init(.timedOut, "no answer in time")
        case CURLE_URL_MALFORMAT: self.init(.url, "the URL cannot be read")
        case CURLE_GOT_NOTHING: self.init(.closed, "the connection was closed before an answer came")
        case CURLE_PARTIAL_FILE: self.init(.closed, "the connection was closed within the answer")
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE: self.init(.tls, "TLS failed: \(detail)")
        // In TLS 1.3 a server says only after the handshake that it does not accept the client's certificate (RFC 8446 §4.4.2.4). It then closes, and
        // what is being sent may fail before its reason has been read.
        case _ where [EPIPE, ECONNRESET].contains(errno) && isSecure && code != CURLE_SSL_CONNECT_ERROR && !hasAnswer:
            let words = "\(Self.words(errno)) after the TLS handshake, as by a server that does not accept the client's certificate"
            self.init(.network(errno: errno), words)
        case _ where errno != 0: self.init(.network(errno: errno), Self.words(errno))
        case CURLE_SSL_CONNECT_ERROR: self.init(.tls, "TLS failed: \(detail)")
        case CURLE_RECV_ERROR where isSecure && !hasAnswer: self.init(.tls, "TLS failed: \(detail)")
        default: self.init(.other(Int(code.rawValue)), detail)
        }
    }

    static func words(_ errno: Int32) -> String { String(cString: strerror(errno)).lowercased() }
}

import AsyncHTTPClient
import Foundation
import NIOCore

/// Why a call over the network came to nothing, in a few words.
public struct OutboundFailure: CustomStringConvertible {
    public let description: String

    public init(_ error: any Error) {
        // The libraries pack what the system said of each of a name's addresses into one error, whose text holds it.
        let text = String(describing: error)
        description =
            switch error {
            case let error as HTTPClientError where error == .remoteConnectionClosed: "the connection was closed before an answer came"
            case let error as IOError: String(cString: strerror(error.errnoCode)).lowercased()
            case _ where text.contains("Connection refused"): "connection refused"
            case _ where text.hasPrefix("DNS error"): "unknown host"
            default: Self.tlsReason(text).map { "TLS failed: \($0)" } ?? text
            }
    }

    /// The text of the library names files of the machine that it was built on:
    /// `error:1000007d:SSL routines:OPENSSL_internal:CERTIFICATE_VERIFY_FAILED at /…`.
    private static func tlsReason(_ text: String) -> String? {
        guard let marker = text.firstRange(of: "OPENSSL_internal:") else { return nil }
        return text[marker.upperBound...].prefix { $0 != " " && $0 != "]" }.lowercased().replacing("_", with: " ")
    }
}

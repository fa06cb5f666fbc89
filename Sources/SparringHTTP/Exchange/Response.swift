package import HTTPTypes

/// An answer as it goes on the wire; its length or its chunking is put in by libmicrohttpd.
package struct Response: Sendable {
    package enum Body: Sendable {
        case bytes([UInt8])
        /// Sent chunked, as it is produced (RFC 9112 §7.1).
        case stream(ResponseStream)
    }

    package var status: Int
    package var headers: HTTPFields
    /// For HEAD, and with 304, only its length is sent, which is that of the answer to GET (RFC 9110 §8.6).
    package var body: Body

    package init(status: Int, headers: HTTPFields = [:], body: Body = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

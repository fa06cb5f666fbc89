package import HTTPTypes
import SparringJSON
package import SparringJournal

/// The part of a request before its body (RFC 9112 §2): it is complete before any of the body has been read.
package struct RequestHead: Sendable {
    package var method: HTTPRequest.Method
    /// The request target as it was sent, nothing decoded (RFC 9112 §3.2).
    package var target: String
    /// `HTTP/1.1` or `HTTP/1.0`.
    package var version: String
    package var headers: HTTPFields
    package var isTLS: Bool
    /// The outcome of the connection's TLS handshake; nil without TLS, and for a call from inside.
    package var tls: TLSSession?
    /// The number of the connection that brought it, counted from 1 in this process.
    package var connection: Int
    package var arrival: Arrival
    /// The name of the further port that it came in on (``HTTPServer/Options/extraPorts``); nil for the two ordinary ones.
    package var listener: String?
    /// How its connection came by the forward proxy; nil where it did not.
    package var hop: ProxyHop?
    /// Why this cannot be taken as a request though libmicrohttpd let it pass, in words; nil for a sound one.
    package var defect: String?

    package init(
        method: HTTPRequest.Method, target: String, version: String = "HTTP/1.1", headers: HTTPFields = [:], isTLS: Bool = false,
        connection: Int = 0, arrival: Arrival, listener: String? = nil, defect: String? = nil
    ) {
        self.method = method
        self.target = target
        self.version = version
        self.headers = headers
        self.isTLS = isTLS
        self.connection = connection
        self.arrival = arrival
        self.listener = listener
        self.defect = defect
    }

    /// The announced length of the body in bytes, nil where none is announced.
    package var contentLength: Int? { headers.value(of: .contentLength).flatMap { Int($0) } }

    /// The host, with its port if one was sent, that the client means (RFC 9110 §7.1): the target's where that has one, whatever Host says
    /// (RFC 9112 §3.2.2), else Host; nil where there is neither.
    package var authority: String? { targetAuthority ?? headers.value(of: .host) }

    /// The authority of a target in absolute form (RFC 9112 §3.2.2) or authority form (§3.2.3).
    package var targetAuthority: String? {
        if target.utf8.first == UInt8(ascii: "/") { return nil }  // nearly every one
        if method == .connect { return target }
        return URIParts(target).map { String($0.authority) }
    }
}

extension HTTPField.Name {
    /// RFC 9110 §7.2; swift-http-types keeps it apart as the authority.
    package static let host = HTTPField.Name("Host")!
}

/// A request with its body.
package struct Request: Sendable {
    package var head: RequestHead
    package var body: [UInt8]
    /// The body was longer than the limit that was set for it; what was over is thrown away.
    package var bodyExceededLimit: Bool

    package init(head: RequestHead, body: [UInt8] = [], bodyExceededLimit: Bool = false) {
        self.head = head
        self.body = body
        self.bodyExceededLimit = bodyExceededLimit
    }
}

public import HTTPTypes

/// A call that an emulated vendor makes.
public struct OutboundRequest: Sendable {
    public var method: HTTPRequest.Method
    /// Absolute, or an own path that begins with `/`.
    public var url: String
    public var headers: HTTPFields
    public var body: [UInt8]
    public var timeout: Duration
    /// Nil: the machine's own list of authorities, and no certificate.
    public var tls: OutboundTLS?

    public init(
        _ method: HTTPRequest.Method, _ url: String, headers: HTTPFields = [:], body: [UInt8] = [], timeout: Duration = .seconds(10),
        tls: OutboundTLS? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.tls = tls
    }
}

public import HTTPTypes

/// Calls other servers over the network, by libcurl.
///
/// Each call has a connection of its own: what is sent is sent once. (libcurl repeats a request on a kept connection that breaks before an answer,
/// which no journal would show.) HTTP/1.1; no redirect is followed, and nothing is added to the headers that a request has but `Host` and
/// `Content-Length`.
public struct HTTPClient: Sendable {
    /// The limits that end a call which gets no answer.
    public struct Limits: Sendable {
        /// Until a connection stands, with its TLS.
        public var connect: Duration
        /// Until all of the answer is there.
        public var whole: Duration
        /// Bytes of the answer's body.
        public var body: Int

        public init(connect: Duration = .seconds(5), whole: Duration = .seconds(30), body: Int = 1 << 20) {
            (self.connect, self.whole, self.body) = (connect, whole, body)
        }
    }

    public struct Request: Sendable {
        public var method: HTTPRequest.Method
        /// Absolute, `http` or `https`.
        public var url: String
        public var headers: HTTPFields
        public var body: [UInt8]
        public var tls: ClientTLS?
        /// Whether the call goes through the proxy that the environment names, if any (`https_proxy`, `no_proxy` …).
        public var isProxied = false

        public init(_ method: HTTPRequest.Method, _ url: String, headers: HTTPFields = [:], body: [UInt8] = [], tls: ClientTLS? = nil) {
            (self.method, self.url, self.headers, self.body, self.tls) = (method, url, headers, body, tls)
        }
    }

    public struct Answer: Sendable {
        public var status: Int
        public var headers: HTTPFields
        public var body: [UInt8]
    }

    public var limits: Limits

    public init(limits: Limits = Limits()) { self.limits = limits }

    /// Sends a request and waits for the whole answer, whatever its status. A task that is cancelled gets ``CallFailure/cancelled``.
    public func send(_ request: Request) async throws(CallFailure) -> Answer {
        guard Self.isWeb(request.url) else { throw CallFailure(.url, "'\(request.url)' is not an http or https URL") }
        let transfer = Transfer(request, limits, try CurlLoop.running())
        return try await transfer.result().get()
    }

    private static func isWeb(_ url: String) -> Bool {
        let scheme = url.prefix { $0 != ":" }.lowercased()
        return (scheme == "http" || scheme == "https") && url.dropFirst(scheme.count).hasPrefix("://")
    }
}

public import HTTPTypes

/// The parts of a request that are checked: its head taken apart, and its body.
public struct RequestParts: Sendable {
    public var method: HTTPRequest.Method
    /// The path as it was sent, percent-encoded.
    public var rawPath: String {
        get { Self.path(of: target) }
        set { target = newValue }
    }
    private var target: String
    /// The values of the path template's parameters, decoded (``Routes/match(method:target:host:)`` gives them).
    public var pathParameters: PathParameters
    /// Decoded, in the order sent (``PercentCoding/fields(_:)``).
    public var query: [(name: String, value: String)]
    public var headers: HTTPFields
    public var body: [UInt8]

    /// - Parameter rawPath: a query behind it is left out.
    public init(
        method: HTTPRequest.Method,
        rawPath: String,
        pathParameters: PathParameters = [:],
        query: [(name: String, value: String)] = [],
        headers: HTTPFields = [:],
        body: [UInt8] = []
    ) {
        self.method = method
        target = rawPath
        self.pathParameters = pathParameters
        self.query = query
        self.headers = headers
        self.body = body
    }

    /// A request-target (RFC 9112 §3.2) without its query.
    package static func path(of target: String) -> String {
        target.utf8.firstIndex(of: UInt8(ascii: "?")).map { String(target[..<$0]) } ?? target
    }
}

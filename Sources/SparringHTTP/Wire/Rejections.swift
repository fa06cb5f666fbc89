/// Requests that libmicrohttpd has answered itself and that have not been reported yet.
///
/// Only its log mentions them, and names no connection. Another connection may close between that line and the end of the request that the
/// line is about, so each line is kept for those connections only that it can belong to.
struct Rejections {
    /// Newest last.
    private var requests: [String] = []
    private var lines: [String] = []

    /// Many more than a turn of libmicrohttpd's loop leaves untold.
    private static let limit = 64

    /// - Parameter isAnyUnread: there are requests of which libmicrohttpd awaits more.
    mutating func add(_ rejection: Rejection, isAnyUnread: Bool) {
        if rejection.isOfLine || !isAnyUnread {
            Self.append(rejection.reason, to: &lines)
        } else {
            Self.append(rejection.reason, to: &requests)
        }
    }

    /// For a request whose line has been read.
    mutating func takeRequest() -> String? { requests.popLast() }

    /// For a connection that closes with no request under way.
    mutating func takeLine() -> String? { lines.popLast() }

    private static func append(_ reason: String, to reasons: inout [String]) {
        if reasons.count == limit { reasons.removeFirst() }
        reasons.append(reason)
    }
}

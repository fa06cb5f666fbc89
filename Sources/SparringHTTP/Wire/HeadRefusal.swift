/// Why libmicrohttpd 0.9.75 is about to refuse a head that it has read whole: it would write the head of its answer twice.
struct HeadRefusal {
    let status: Int
    let reason: String

    /// - Parameter log: the line that it logs before its answer; nil for any other.
    init?(log: String) {
        switch log {
        case let log where log.hasPrefix("Received HTTP/1.1 request without `Host'"): (status, reason) = (400, "no Host (RFC 9112 §3.2)")
        case let log where log.hasPrefix("Failed to parse `Content-Length'"):
            (status, reason) = (400, "Content-Length is not one number (RFC 9112 §6.3)")
        case let log where log.hasPrefix("Too large value of 'Content-Length'"):
            (status, reason) = (413, "Content-Length is greater than any body may be (RFC 9110 §15.5.14)")
        default: return nil
        }
    }
}

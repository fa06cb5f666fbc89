internal import SparringJSON

/// A request-target (RFC 9112 §3.2) taken apart.
struct RequestTarget {
    /// Each percent-decoded; a `%2F` stays within its segment. Empty for `*`.
    var segments: [ArraySlice<UInt8>]
    /// After the `?`, as sent; nil: no `?`.
    var query: ArraySlice<UInt8>?
    /// The host of a target in absolute form; it then counts instead of the `Host` field (§3.2.2).
    var host: String?

    /// - Throws: ``Malformed``, why nothing can be made of the target.
    init(_ text: String) throws(Malformed) {
        var path = Array(text.utf8)[...]
        if path.elementsEqual("*".utf8) {  // asterisk-form: OPTIONS of the server itself
            segments = []
            return
        }
        if path.first != UInt8(ascii: "/") {
            guard let parts = URIParts(text) else { throw Malformed("\(text.quoted) begins with neither '/' nor a scheme") }
            host = String(parts.authority)
            path = path.suffix(parts.rest.utf8.count)
            if path.isEmpty || path.first == UInt8(ascii: "?") { path = "/".utf8 + path }
        }
        if let mark = path.firstIndex(of: UInt8(ascii: "?")) {
            query = path[path.index(after: mark)...]
            path = path[..<mark]
        }
        var (isEncoded, slashes) = (false, 0)
        for byte in path {
            switch byte {
            case UInt8(ascii: "/"): slashes += 1
            case UInt8(ascii: "%"): isEncoded = true
            case UInt8(ascii: "#"): throw Malformed("the target has a fragment")
            case 0...0x20, 0x7F: throw Malformed("the path has a space or control character")
            default: break
            }
        }
        segments = Self.segments(of: path.dropFirst(), count: slashes)
        guard isEncoded else { return }
        for index in segments.indices where segments[index].contains(UInt8(ascii: "%")) {
            guard let decoded = PercentCoding.decoded(segments[index]) else { throw Malformed("the path has a bad percent-encoding") }
            guard !decoded.contains(0) else { throw Malformed("the path has an encoded NUL") }
            guard String(validating: decoded, as: UTF8.self) != nil else { throw Malformed("the path is not UTF-8") }
            segments[index] = decoded[...]
        }
    }

    /// - Parameter count: of them.
    private static func segments(of path: ArraySlice<UInt8>, count: Int) -> [ArraySlice<UInt8>] {
        var segments: [ArraySlice<UInt8>] = []
        segments.reserveCapacity(count)
        var start = path.startIndex
        for place in path.indices where path[place] == UInt8(ascii: "/") {
            segments.append(path[start..<place])
            start = place + 1
        }
        segments.append(path[start...])
        return segments
    }

    struct Malformed: Error {
        var reason: String
        init(_ reason: String) { self.reason = reason }
    }
}

internal import CMicrohttpd
import HTTPTypes
import SparringJSON
import SparringJournal

/// How a request's head is read, and what is refused of it that libmicrohttpd lets pass.
///
/// Not everything is in sight: libmicrohttpd 0.9.75 also takes chunk lines that end in a bare LF (RFC 9112 §7.1 does not).
extension Exchange {
    /// Gathers the head out of libmicrohttpd. `method`, `target` and `version` point to where they stand in the request line.
    func readHead(
        _ connection: OpaquePointer, _ method: UnsafePointer<CChar>, _ target: UnsafePointer<CChar>, _ version: UnsafePointer<CChar>
    ) -> RequestHead {
        var gathered = GatheredHeaders()
        gathered.layout?.requestLine(method, target, version, targetLength: targetLength)
        gathered.fields.reserveCapacity(Int(MHD_get_connection_values_n(connection, .HEADER_KIND, nil, nil)))
        withUnsafeMutablePointer(to: &gathered) { pointer in
            _ = MHD_get_connection_values_n(
                connection, .HEADER_KIND,
                { context, _, name, nameSize, value, valueSize in
                    guard let context, let name else { return .NO }
                    context.assumingMemoryBound(to: GatheredHeaders.self).pointee.add(
                        name: UnsafeRawBufferPointer(start: name, count: nameSize),
                        value: UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueSize))
                    return .YES
                }, pointer)
        }
        gathered.layout?.end(sparring_head_size(connection))
        let name = String(cString: method)
        let known = HTTPRequest.Method(name)
        var arrival = Arrival.now
        arrival.opening = client.opening(at: arrival.monotonic)
        var head = RequestHead(
            method: known ?? .get, target: self.target, version: String(cString: version), headers: gathered.fields,
            isTLS: listener.isTLS, connection: client.number, arrival: arrival, listener: listener.name)
        head.hop = client.hop
        if listener.isTLS { head.tls = client.tls { TLSSession(connection) } }
        head.defect =
            gathered.layout?.defect ?? gathered.defect ?? Self.defect(of: head, hasMethod: known != nil)
            ?? Self.lengthDefect(of: head, codings: gathered.codings)
        return head
    }

    private static func defect(of head: RequestHead, hasMethod: Bool) -> String? {
        if !hasMethod { return "the method is not a token (RFC 9110 §9.1)" }
        if holdsControl(head.target) { return "the target holds a control character (RFC 9112 §3.2)" }
        if let authority = head.targetAuthority, !Authority.isSound(authority) {
            return "the target's host '\(authority)' is not a host, or its port is not a number (RFC 9112 §3.2.2)"
        }
        if head.headers.count(where: { $0.name == .host }) > 1 { return "more than one Host (RFC 9112 §3.2)" }
        if let host = head.headers.value(of: .host), !host.isEmpty, !Authority.isSound(host) {
            return "Host '\(host)' is not a host, or its port is not a number (RFC 9112 §3.2)"
        }
        return nil
    }

    private static func holdsControl(_ target: String) -> Bool {
        var target = target
        return target.withUTF8 { bytes in bytes.contains { $0 <= 0x20 || $0 == 0x7F } }
    }

    /// The reason to doubt where the body ends; nil where there is none.
    ///
    /// - Parameter codings: the values of Transfer-Encoding as they came. libmicrohttpd knows only `chunked`, and reads a body of anything else
    ///   until the connection ends.
    private static func lengthDefect(of head: RequestHead, codings: [String]) -> String? {
        if !codings.isEmpty {
            let coding = codings.joined(separator: ", ")
            if head.headers.contains(.contentLength) { return "both Content-Length and Transfer-Encoding (RFC 9112 §6.3)" }
            if head.version == "HTTP/1.0" { return "Transfer-Encoding in an HTTP/1.0 request (RFC 9112 §6.1)" }
            if coding.lowercased() != "chunked" { return "Transfer-Encoding is '\(coding)', not chunked (RFC 9112 §6.3)" }
        }
        if let length = head.headers.value(of: .contentLength), length.isEmpty || !length.utf8.allSatisfy(\.isDigit) {
            return "Content-Length is '\(length)', not one number (RFC 9112 §6.3)"
        }
        return nil
    }
}

/// The header fields as they come out of libmicrohttpd, one by one.
private struct GatheredHeaders {
    var fields = HTTPFields()
    /// Transfer-Encoding, unchanged: a field's value in ``fields`` has lost what surrounds it.
    var codings: [String] = []
    var defect: String?
    var layout = HeadLayout.isKnown ? HeadLayout() : nil

    mutating func add(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        layout?.field(name: name, value: value)
        guard let parsed = FieldNames.name(of: name) else {
            defect = defect ?? "header name '\(String(decoding: name, as: UTF8.self))' is not a token (RFC 9110 §5.1)"
            return
        }
        if value.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) {
            defect = defect ?? "the value of \(parsed.rawName) holds a control character (RFC 9110 §5.5)"
        }
        let content = String(decoding: value, as: UTF8.self)
        if parsed == .transferEncoding { codings.append(content) }
        fields.append(HTTPField(name: parsed, value: content))
    }
}

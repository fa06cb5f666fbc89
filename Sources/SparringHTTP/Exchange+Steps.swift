internal import CMicrohttpd
import Glibc
import HTTPTypes
import SparringLocks

/// What happens to an exchange on its listener's thread, in the order of its life.
extension Exchange {
    /// Gathers the head out of libmicrohttpd.
    func readHead(_ connection: OpaquePointer, method: String, version: String) -> RequestHead {
        var gathered = GatheredHeaders()
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
        var head = RequestHead(
            method: HTTPRequest.Method(method) ?? .get, target: target, version: version, headers: gathered.fields, isTLS: listener.isTLS,
            connection: Int(bitPattern: sparring_connection_context(connection)), arrival: .now, listener: listener.name)
        head.defect = gathered.defect ?? Self.defect(of: head, method: method)
        return head
    }

    /// What libmicrohttpd lets pass though it must be refused.
    private static func defect(of head: RequestHead, method: String) -> String? {
        if HTTPRequest.Method(method) == nil { return "the method is not a token (RFC 9110 §9.1)" }
        if head.headers[values: .host].count > 1 { return "more than one Host (RFC 9112 §3.2)" }
        if let coding = head.headers[.transferEncoding] {
            if head.headers[.contentLength] != nil { return "both Content-Length and Transfer-Encoding (RFC 9112 §6.3)" }
            if head.version == "HTTP/1.0" { return "Transfer-Encoding in an HTTP/1.0 request (RFC 9112 §6.1)" }
            if coding.lowercased() != "chunked" { return "Transfer-Encoding is '\(coding)', not chunked (RFC 9112 §6.3)" }
        }
        if let length = head.headers[.contentLength], length.isEmpty || !length.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return "Content-Length is '\(length)', not one number (RFC 9112 §6.3)"
        }
        return nil
    }

    func begin(_ head: RequestHead, on connection: OpaquePointer) -> MHD_Result {
        state.withLock { $0.head = head }
        switch listener.handler.receive(head) {
        case .read(let limit):
            state.withLock { $0.phase = .reading(limit: limit) }
            return .YES
        case .hold(.start, let limit): return hold(.start, limit: limit)
        case .hold(.body, let limit):
            state.withLock { $0.phase = .awaitingBody(limit: limit) }
            return .YES
        case .refuse(let response):
            return queue(response, on: connection)
        }
    }

    /// The request is whole.
    func wait() -> MHD_Result {
        guard suspend() else { return serverStopped() }
        state.withLock { $0.phase = .waiting }
        listener.handler.handle(self)
        return .YES
    }

    /// Takes what has come of the body, nothing when it is whole.
    func take(_ piece: UnsafeRawBufferPointer, _ size: UnsafeMutablePointer<Int>, limit: Int) -> MHD_Result {
        if piece.isEmpty { return wait() }
        read(piece, limit: limit)
        size.pointee = 0
        return .YES
    }

    func read(_ piece: UnsafeRawBufferPointer, limit: Int) {
        state.withLock { state in
            let room = limit - state.body.count
            state.body.append(contentsOf: piece.prefix(room))
            if piece.count > room { state.bodyExceededLimit = true }
        }
    }

    func perform(_ delivery: Delivery, on connection: OpaquePointer) -> MHD_Result {
        switch delivery {
        case .answer(let response): return queue(response, on: connection)
        case .disturbed(let response, let transmission): return send(response, transmission, on: connection)
        case .upgrade(let upgrade): return begin(upgrade, on: connection)
        case .reset: return end(.reset)
        case .empty: return end(.empty)
        case .raw(let bytes): return end(.raw(bytes))
        case .stall: return end(.stall)
        }
    }

    func queue(_ response: Response, on connection: OpaquePointer) -> MHD_Result {
        guard let handle = makeHandle(response.body) else { return .NO }
        return queue(handle, response, on: connection)
    }

    /// - Parameter handle: taken over.
    func queue(_ handle: OpaquePointer, _ response: Response, on connection: OpaquePointer) -> MHD_Result {
        defer { MHD_destroy_response(handle) }
        for field in response.headers {
            _ = MHD_add_response_header(handle, field.name.rawName, field.value)
        }
        if isLast { _ = MHD_add_response_header(handle, "Connection", "close") }
        state.withLock { $0.phase = .answering }
        return MHD_queue_response(connection, UInt32(response.status), handle)
    }

    /// Nothing may follow on the connection. Where a defective request ends cannot be known.
    var isLast: Bool { listener.flow.isDraining || state.withLock { $0.head?.defect != nil } }

    private func makeHandle(_ body: Response.Body) -> OpaquePointer? {
        switch body {
        case .bytes(let bytes):
            return bytes.withUnsafeBytes { buffer in
                // MUST_COPY: the bytes are only borrowed here, and libmicrohttpd does not write to them.
                MHD_create_response_from_buffer(buffer.count, UnsafeMutableRawPointer(mutating: buffer.baseAddress), .RESPMEM_MUST_COPY)
            }
        case .stream(let stream):
            state.withLock { $0.stream = stream }
            // +1 for the response, taken back when libmicrohttpd frees it.
            let source = Unmanaged.passRetained(StreamSource(stream: stream, exchange: self)).toOpaque()
            return MHD_create_response_from_callback(
                sparring_unknown_size(), 16 * 1024,
                { context, _, buffer, size in
                    guard let context, let buffer else { return sparring_end_of_stream() }
                    let source = Unmanaged<StreamSource>.fromOpaque(context).takeUnretainedValue()
                    let room = UnsafeMutableRawBufferPointer(start: buffer, count: size)
                    return source.stream.read(into: room, of: source.exchange)
                }, source,
                { context in
                    if let context { Unmanaged<StreamSource>.fromOpaque(context).release() }
                })
        }
    }

    func complete(_ code: MHD_RequestTerminationCode) {
        wasResumed()  // the client may have left before libmicrohttpd came to ask for the answer
        let (phase, stream, cut, hasHead) = state.withLock { state in
            (state.phase, state.stream.take(), state.cut ?? state.leaving, state.head != nil)
        }
        stream?.cancel()
        if case .answering = phase, hasHead, code == .REQUEST_TERMINATED_COMPLETED_OK { return tell(.sent) }
        let reason = cut ?? listener.takeRejection() ?? Self.words(for: code)
        failUpgrade(reason)
        if hasHead {
            tell(.broken(reason: reason))
        } else {
            listener.handler.rejected(target: target, reason: reason, isTLS: listener.isTLS, arrival: .now)
        }
    }

    /// The exchange is over.
    func tell(_ completion: Completion) {
        state.withLock { $0.ended.take() }?(completion)
        listener.handler.completed(self, completion)
    }

    private static func words(for code: MHD_RequestTerminationCode) -> String {
        switch code {
        case .REQUEST_TERMINATED_COMPLETED_OK: "ended before an answer"
        case .REQUEST_TERMINATED_WITH_ERROR: "the connection failed"
        case .REQUEST_TERMINATED_TIMEOUT_REACHED: "nothing moved on the connection until the idle timeout"
        case .REQUEST_TERMINATED_DAEMON_SHUTDOWN: "the server stopped"
        case .REQUEST_TERMINATED_READ_ERROR: "reading from the client failed"
        case .REQUEST_TERMINATED_CLIENT_ABORT: "the client closed the connection"
        @unknown default: "ended with code \(code.rawValue)"
        }
    }
}

/// What a streamed response's callback holds.
private final class StreamSource {
    let stream: ResponseStream
    let exchange: Exchange

    init(stream: ResponseStream, exchange: Exchange) {
        self.stream = stream
        self.exchange = exchange
    }
}

/// The header fields as they come out of libmicrohttpd, one by one.
private struct GatheredHeaders {
    var fields = HTTPFields()
    var defect: String?

    mutating func add(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        let text = String(decoding: name, as: UTF8.self)
        guard let parsed = HTTPField.Name(text) else {
            defect = defect ?? "header name '\(text)' is not a token (RFC 9110 §5.1)"
            return
        }
        fields.append(HTTPField(name: parsed, value: String(decoding: value, as: UTF8.self)))
    }
}

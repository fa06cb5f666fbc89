internal import CMicrohttpd
import Glibc
import HTTPTypes
import SparringJournal
import SparringLocks

/// The steps of an exchange on the loop, in the order of its life.
extension Exchange {
    func begin(_ head: RequestHead, on connection: OpaquePointer) -> MHD_Result {
        state.withLock { $0.head = head }
        switch listener.shared.handler.receive(head) {
        case .read(let limit):
            client.enter(.body)
            state.withLock { $0.phase = .reading(limit: limit) }
            return .YES
        case .hold(.start, let limit): return hold(.start, limit: limit)
        case .hold(.body, let limit):
            client.enter(.body)
            state.withLock { $0.phase = .awaitingBody(limit: limit) }
            return .YES
        case .refuse(let response):
            client.enter(.busy)
            return queue(response, on: connection)
        }
    }

    /// The request is whole: it is the handler's turn. libmicrohttpd calls once more, in the listener's next turn; mostly the answer is there by then.
    func rest() -> MHD_Result {
        client.enter(.busy)
        state.withLock { state in
            state.phase = .waiting
            state.isUnread = false
        }
        listener.shared.bodies.hand(self, bodyCount)
        return .YES
    }

    /// The answer takes longer: the connection is suspended. Not before libmicrohttpd has found out that the connection awaits our answer: if one is suspended
    /// while it still counts as awaiting bytes, 0.9.75 reads on when it is resumed, and closes it, answer or no, if the client has closed its side by then
    /// (`nc -N`). A client that does so while its request is held, or while its answer is delayed, looks exactly like one that has left, and is
    /// treated as such.
    func wait() -> MHD_Result {
        let (isSuspended, isWaited) = state.withLock { state in
            // Another thread may have delivered in this moment: then libmicrohttpd calls for the answer.
            guard case .waiting = state.phase else { return (true, true) }
            guard suspend(&state) else { return (false, false) }
            return (true, listener.waiting.add(self))
        }
        guard isSuspended else { return serverStopped() }
        if !isWaited { abandon() }
        return .YES
    }

    /// Takes what has come of the body, nothing when it is whole.
    func take(_ piece: UnsafeRawBufferPointer, _ size: UnsafeMutablePointer<Int>, limit: Int) -> MHD_Result {
        if piece.isEmpty { return rest() }
        if read(piece, limit: limit) {
            size.pointee = 0
            return .YES
        }
        // What is not taken comes again after the pause.
        guard !state.withLock({ $0.hasClientLeft }), sleep(for: Self.pauseForRoom) != nil else { return .NO }
        return .YES
    }

    private static let pauseForRoom = Duration.milliseconds(100)

    /// - Returns: false where nothing was taken, since other bodies take all there is for them.
    func read(_ piece: UnsafeRawBufferPointer, limit: Int) -> Bool {
        state.withLock { state in
            let room = limit - state.body.count
            guard state.body.append(UnsafeRawBufferPointer(rebasing: piece.prefix(room)), listener.shared.bodies) else { return false }
            if piece.count > room { state.bodyExceededLimit = true }
            return true
        }
    }

    func perform(_ delivery: Delivery, on connection: OpaquePointer) -> MHD_Result {
        switch delivery {
        case .answer(let response): return queue(response, on: connection)
        case .disturbed(let response, let transmission): return send(response, transmission, on: connection)
        case .formed(let response, let form): return send(response, form, on: connection)
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
        guard add(response.headers, to: handle) else { return refuse("the answer's header fields cannot be sent", on: connection) }
        if isLast { _ = MHD_add_response_header(handle, "Connection", "close") }
        state.withLock { $0.phase = .answering }
        if MHD_queue_response(connection, UInt32(clamping: response.status), handle) == .YES { return .YES }
        return refuse("an answer with the status \(response.status) cannot be sent", on: connection)
    }

    /// Length and coding of the body are libmicrohttpd's own affair, and what it makes of Connection.
    ///
    /// - Returns: whether all others were taken.
    func add(_ fields: HTTPFields, to handle: OpaquePointer) -> Bool {
        var size = 0
        for field in fields where field.name != .contentLength && field.name != .transferEncoding {
            size += field.name.rawName.utf8.count + field.value.utf8.count + 4
            // It takes no empty value; one of a space is the same (RFC 9110 §5.5).
            let result = Self.withCStrings(field.name.rawName, field.value.isEmpty ? " " : field.value) {
                MHD_add_response_header(handle, $0, $1)
            }
            if result == .NO, field.name != .connection { return false }
        }
        state.withLock { [size] in $0.answerFields = size }
        return true
    }

    /// Calls `body` with two texts, each up to its first NUL, as C has them. Swift's own way takes memory for each short one.
    private static func withCStrings<Result>(
        _ first: String, _ second: String, _ body: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Result
    ) -> Result {
        let start = first.utf8.count + 1
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: start + second.utf8.count + 1) { room in
            for (text, place) in [(first, 0), (second, start)] {
                var text = text
                text.withUTF8 { bytes in
                    for index in bytes.indices { room[place + index] = CChar(bitPattern: bytes[index]) }
                    room[place + bytes.count] = 0
                }
            }
            guard let base = room.baseAddress else { preconditionFailure("there is room for two NULs") }
            return body(base, base + start)
        }
    }

    /// Nothing may follow on the connection. Where a defective request ends cannot be known.
    var isLast: Bool { listener.shared.flow.isDraining || client.isForOneRequest || state.withLock { $0.head?.defect != nil } }

    private func makeHandle(_ body: Response.Body) -> OpaquePointer? {
        switch body {
        case .bytes(let bytes):
            return bytes.withUnsafeBytes { buffer in
                // MUST_COPY: the bytes are only borrowed here, and libmicrohttpd does not write to them.
                MHD_create_response_from_buffer(buffer.count, UnsafeMutableRawPointer(mutating: buffer.baseAddress), .RESPMEM_MUST_COPY)
            }
        case .stream(let stream):
            state.withLock { $0.stream = stream }
            return makeHandle(size: sparring_unknown_size()) { [self] _, buffer in stream.read(into: buffer, of: self) }
        }
    }

    /// A body that libmicrohttpd asks for piece by piece.
    ///
    /// - Parameter read: fills the buffer from a place in the body on, and returns with how many bytes, or one of libmicrohttpd's constants.
    func makeHandle(size: UInt64, _ read: @escaping (_ place: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Int) -> OpaquePointer? {
        // +1 for the response, taken back when libmicrohttpd frees it.
        let source = Unmanaged.passRetained(BodySource(read)).toOpaque()
        return MHD_create_response_from_callback(
            size, 16 * 1024,
            { context, place, buffer, size in
                guard let context, let buffer else { return sparring_end_of_stream() }
                let room = UnsafeMutableRawBufferPointer(start: buffer, count: size)
                return Unmanaged<BodySource>.fromOpaque(context).takeUnretainedValue().read(Int(place), room)
            }, source,
            { context in
                if let context { Unmanaged<BodySource>.fromOpaque(context).release() }
            })
    }

    /// - Parameter isForgotten: libmicrohttpd has not said so, but closes the connection.
    func complete(_ code: MHD_RequestTerminationCode, isForgotten: Bool = false) {
        wasResumed()  // the client may have left before libmicrohttpd came to ask for the answer
        let isUnsent = listener.takeUnsentHead()
        let (phase, stream, cut, refused, hasHead) = state.withLock { state in
            state.isUnread = false
            return (state.phase, state.stream.take(), state.cut ?? state.leaving, state.refused, state.head != nil)
        }
        stream?.cancel()
        if case .answering = phase, hasHead, code == .REQUEST_TERMINATED_COMPLETED_OK {
            return tell(refused.map { .replaced(reason: $0) } ?? .sent)
        }
        // That of a request which just breaks off, without an answer, is another's.
        let rejection = isUnsent || isForgotten || sparring_has_answer(connection.pointer) != 0 ? listener.takeRejection() : nil
        let sentInstead = isUnsent || isForgotten ? sendInstead(rejection, isForgotten: isForgotten) : nil
        let reason = cut ?? client.cut ?? refused ?? sentInstead ?? rejection ?? Self.words(for: code)
        failUpgrade(reason)
        if hasHead, phase.isReadingBody, isBodyAwaited, !listener.shared.flow.isDraining {
            listener.shared.handler.brokeOff(self, reason: reason)
        }
        if hasHead {
            tell(cut == nil && (refused ?? sentInstead) != nil ? .replaced(reason: reason) : .broken(reason: reason))
        } else {
            listener.shared.handler.rejected(target: target, reason: reason, isTLS: listener.isTLS, arrival: .now)
        }
    }

    /// Its head says that there is one.
    private var isBodyAwaited: Bool {
        state.withLock { state in
            guard let head = state.head else { return false }
            return head.headers[.transferEncoding] != nil || head.contentLength.map { $0 > state.body.count } == true
        }
    }

    /// The exchange is over.
    func tell(_ completion: Completion) {
        state.withLock { $0.ended.take() }?(completion)
        listener.shared.handler.completed(self, completion)
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

/// The context of a response's callback.
private final class BodySource {
    let read: (Int, UnsafeMutableRawBufferPointer) -> Int

    init(_ read: @escaping (Int, UnsafeMutableRawBufferPointer) -> Int) { self.read = read }
}

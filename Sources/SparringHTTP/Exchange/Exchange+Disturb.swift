internal import CMicrohttpd
import Glibc
import HTTPTypes
import SparringJournal
import SparringLocks

/// How a disturbed answer is sent, on its listener's thread.
extension Exchange {
    func send(_ response: Response, _ transmission: Transmission, on connection: OpaquePointer) -> MHD_Result {
        guard case .bytes(let bytes) = response.body else { return queue(response, on: connection) }
        let isMalformed = transmission.cut?.how == .malformedChunk
        if mayHaveBody(response.status), !bytes.isEmpty || isMalformed {
            let size = isMalformed ? sparring_unknown_size() : UInt64(bytes.count)
            guard let handle = makeHandle(DisturbedBody(bytes, transmission, of: self), size: size) else { return .NO }
            return queue(handle, response, on: connection)
        }
        // libmicrohttpd does not ask for a body that there is not.
        if state.withLock({ $0.hasClientLeft }) {
            state.withLock { $0.cut = "the client left before the answer" }
            return .NO
        }
        var left = transmission
        while !left.pauses.isEmpty {
            let pause = left.pauses.removeFirst()
            guard let number = sleep() else { continue }
            state.withLock { [left] in $0.phase = .paused(response, left) }
            pause.begin { [self] in wake(number) }
            return .YES
        }
        guard let (how, point) = transmission.cut else { return queue(response, on: connection) }
        let head = writtenHead(response, length: bytes.count)
        return end(Ending(head + (isMalformed ? DisturbedBody.noChunk : []), then: how.last, words: DisturbedBody.words(how, point, 0)))
    }

    private func makeHandle(_ body: DisturbedBody, size: UInt64) -> OpaquePointer? {
        // +1 for the response, taken back when libmicrohttpd frees it.
        let context = Unmanaged.passRetained(body).toOpaque()
        return MHD_create_response_from_callback(
            size, 16 * 1024,
            { context, place, buffer, size in
                guard let context, let buffer else { return sparring_end_of_stream() }
                let room = UnsafeMutableRawBufferPointer(start: buffer, count: size)
                return Unmanaged<DisturbedBody>.fromOpaque(context).takeUnretainedValue().read(at: Int(place), into: room)
            }, context,
            { context in
                if let context { Unmanaged<DisturbedBody>.fromOpaque(context).release() }
            })
    }

    /// RFC 9110 §6.4.1.
    private func mayHaveBody(_ status: Int) -> Bool { status != 204 && status != 304 && request.head.method != .head }

    /// The head that libmicrohttpd would write of an answer without a body.
    private func writtenHead(_ response: Response, length: Int) -> [UInt8] {
        let reason = String(cString: MHD_get_reason_phrase_for(UInt32(response.status)))
        var head = "HTTP/1.1 \(response.status) \(reason)\r\n"
        func add(_ name: String, _ value: String) { head += "\(name): \(value)\r\n" }
        if response.headers[.date] == nil { add("Date", Timestamp(seconds: Int64(time(nil))).httpDate) }
        let asked = request.head.headers[.connection]?.lowercased()
        let isKept = request.head.version == "HTTP/1.1" ? asked != "close" : asked == "keep-alive"
        if isLast || !isKept { add("Connection", "close") }
        for field in response.headers { add(field.name.rawName, field.value) }
        if response.status != 204 { add("Content-Length", String(length)) }
        return Array((head + "\r\n").utf8)
    }
}

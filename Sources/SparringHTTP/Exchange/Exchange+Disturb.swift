internal import CMicrohttpd
import Glibc
import HTTPTypes
import SparringJournal
import SparringLocks

/// How a disturbed answer is sent, on the loop.
extension Exchange {
    func send(_ response: Response, _ transmission: Transmission, on connection: OpaquePointer) -> MHD_Result {
        guard case .bytes(let bytes) = response.body else { return queue(response, on: connection) }
        let isMalformed = transmission.cut?.how == .malformedChunk
        if mayHaveBody(response.status), !bytes.isEmpty || isMalformed {
            let size = isMalformed ? sparring_unknown_size() : UInt64(bytes.count)
            let body = DisturbedBody(bytes, transmission, of: self)
            guard let handle = makeHandle(size: size, body.read) else { return .NO }
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
        let head = Self.written(response, length: bytes.count, isLast: isLast || !isKept)
        return end(Ending(head + (isMalformed ? DisturbedBody.noChunk : []), then: how.last, words: DisturbedBody.words(how, point, 0)))
    }

    /// RFC 9110 §6.4.1.
    private func mayHaveBody(_ status: Int) -> Bool { status != 204 && status != 304 && request.head.method != .head }

    /// The client means to go on with the connection (RFC 9112 §9.3).
    private var isKept: Bool {
        let asked = request.head.headers[.connection]?.lowercased()
        return request.head.version == "HTTP/1.1" ? asked != "close" : asked == "keep-alive"
    }

    /// The head of an answer as libmicrohttpd would write it.
    static func written(_ response: Response, length: Int, isLast: Bool) -> [UInt8] {
        var head = "HTTP/1.1 \(response.status) \(Response.reason(of: response.status))\r\n"
        func add(_ name: String, _ value: String) { head += "\(name): \(value)\r\n" }
        if response.headers[.date] == nil { add("Date", Timestamp(seconds: Int64(time(nil))).httpDate) }
        if isLast { add("Connection", "close") }
        for field in response.headers { add(field.name.rawName, field.value) }
        if response.status != 204 { add("Content-Length", String(length)) }
        return Array((head + "\r\n").utf8)
    }
}

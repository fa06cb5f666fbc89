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

    func send(_ response: Response, _ form: AnswerForm, on connection: OpaquePointer) -> MHD_Result {
        guard case .bytes(let bytes) = response.body else { return queue(response, on: connection) }
        let (status, fields) = Self.head(of: response, isLast: true)
        let pieces = form.written(fields, status: status, bytes, hasBody: mayHaveBody(response.status))
        return end(.answer(pieces))
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
        var (status, fields) = head(of: response, isLast: isLast)
        if response.status != 204 { fields.append(("Content-Length", String(length))) }
        return Array(([status] + fields.map { "\($0): \($1)" } + ["", ""]).joined(separator: "\r\n").utf8)
    }

    /// The status line and the fields, without the body's length.
    private static func head(of response: Response, isLast: Bool) -> (status: String, fields: [(name: String, value: String)]) {
        var fields: [(name: String, value: String)] = []
        if response.headers[.date] == nil { fields.append(("Date", Timestamp(seconds: Int64(time(nil))).httpDate)) }
        if isLast { fields.append(("Connection", "close")) }
        for field in response.headers { fields.append((field.name.rawName, field.value)) }
        return ("HTTP/1.1 \(response.status) \(Response.reason(of: response.status))", fields)
    }
}

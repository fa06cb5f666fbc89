import HTTPTypes
import SparringHTTP
import Support

/// A WebSocket frame as it is on the wire, written and read by rules that stand here and nowhere else (RFC 6455 §5.2).
struct WireFrame: Sendable, Equatable {
    struct Failed: Error, CustomStringConvertible {
        var description: String
    }

    var first: UInt8
    var payload: [UInt8]

    var text: String { String(decoding: payload, as: UTF8.self) }
    /// The code and the reason of a close frame.
    var closing: String {
        guard first == 0x88, payload.count >= 2 else { return "\(self)" }
        let code = Int(payload[0]) << 8 | Int(payload[1])
        return payload.count > 2 ? "\(code) \(String(decoding: payload[2...], as: UTF8.self))" : "\(code)"
    }

    init(_ first: UInt8, _ payload: some Sequence<UInt8>) {
        self.first = first
        self.payload = Array(payload)
    }

    static func text(_ text: String) -> WireFrame { WireFrame(0x81, text.utf8) }
    static func close(_ code: Int, _ reason: String = "") -> WireFrame {
        WireFrame(0x88, [UInt8(code >> 8), UInt8(code & 0xFF)] + Array(reason.utf8))
    }

    /// Masked, as a client sends it.
    var bytes: [UInt8] {
        var bytes = head(masked: true) + [1, 2, 3, 4]
        bytes.reserveCapacity(bytes.count + payload.count)
        // Tests send tens of megabytes, for which generic code takes seconds.
        for place in 0..<payload.count { bytes.append(payload[place] ^ UInt8(place % 4 + 1)) }
        return bytes
    }

    var unmasked: [UInt8] { head(masked: false) + payload }

    private func head(masked: Bool) -> [UInt8] {
        let bit: UInt8 = masked ? 0x80 : 0
        let count = payload.count
        if count < 126 { return [first, bit | UInt8(count)] }
        if count < 65536 { return [first, bit | 126, UInt8(count >> 8), UInt8(count & 0xFF)] }
        return [first, bit | 127] + (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * $0)) }
    }

    /// The frames that are whole, and how many bytes they took.
    static func parse(_ bytes: [UInt8], limit: Int = .max) -> (frames: [WireFrame], length: Int) {
        var frames: [WireFrame] = []
        var place = 0
        while frames.count < limit, bytes.count >= place + 2 {
            var start = place + 2
            var count = Int(bytes[place + 1])
            let extended = count == 126 ? 2 : count == 127 ? 8 : 0
            guard bytes.count >= start + extended else { break }
            if extended > 0 { count = bytes[start..<start + extended].reduce(0) { $0 << 8 | Int($1) } }
            start += extended
            guard bytes.count >= start + count else { break }
            frames.append(WireFrame(bytes[place], bytes[start..<start + count]))
            place = start + count
        }
        return (frames, place)
    }
}

extension RawClient {
    static let key = "dGhlIHNhbXBsZSBub25jZQ=="

    static func handshake(_ path: String = "/") -> String {
        "GET \(path) HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: \(key)\r\n"
            + "Sec-WebSocket-Version: 13\r\n\r\n"
    }

    /// A client whose handshake has been answered with 101.
    static func socket(_ port: Int, _ path: String = "/") async throws -> RawClient {
        let client = try RawClient(port: port)
        client.send(handshake(path))
        let answer = try await client.answer()
        guard answer.status == 101 else { throw WireFrame.Failed(description: "the handshake was answered with \(answer.status)") }
        return client
    }

    func send(_ frames: WireFrame...) { send(frames.flatMap(\.bytes)) }

    /// Reads so many frames and leaves what follows them.
    func frames(_ count: Int) async throws -> [WireFrame] {
        var frames: [WireFrame] = []
        while frames.count < count {
            let (bytes, end) = await read { !WireFrame.parse($0, limit: 1).frames.isEmpty }
            let (arrived, length) = WireFrame.parse(bytes, limit: count - frames.count)
            guard !arrived.isEmpty else { throw WireFrame.Failed(description: "\(end) after \(frames.count) frames of \(count)") }
            frames += arrived
            take(length)
        }
        return frames
    }

    func frame() async throws -> WireFrame { try await frames(1)[0] }

    /// Everything until TCP ends: the frames, and how it ends.
    func rest() async -> (frames: [WireFrame], end: End) {
        let (bytes, end) = await read()
        return (WireFrame.parse(bytes).frames, end)
    }
}

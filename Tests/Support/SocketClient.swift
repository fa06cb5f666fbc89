public import SparringJSON
import SparringLocks

/// A WebSocket client for tests (RFC 6455), by rules written here and nowhere else: it sends masked text frames and reads what comes, one
/// message at a time.
public final class SocketClient: Sendable {
    public enum Event: Sendable, Equatable {
        case message(JSON)
        /// A text frame that is not JSON.
        case text(String)
        case closed(code: Int?, reason: String)
        /// The TCP connection ended without a close frame.
        case ended(RawClient.End)
        case pong
    }

    /// The upgrade was answered with something else than 101.
    public struct Refused: Error {
        public var answer: RawAnswer
    }

    public let raw: RawClient
    /// Messages that were read while an answer was waited for.
    private let kept = Mutex<[JSON]>([])
    private let lastID = Mutex(0)
    /// How the server has dealt out what it sent.
    public struct Traffic: Sendable, Equatable {
        /// Frames that were parts of messages, the first ones included.
        public var fragments = 0
        public var pings = 0
    }

    private let seen = Mutex(Traffic())
    public var traffic: Traffic { seen.withLock(\.self) }
    /// The message whose last fragment has not come.
    private let pieces = Mutex<[UInt8]>([])
    /// How it ended, where that has been read already.
    private let ending = Mutex<Event?>(nil)

    public init(port: Int, target: String, headers: [(String, String)] = []) async throws {
        raw = try RawClient(port: port)
        var head = "GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        head += "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        raw.send(head + "\r\n")
        let answer = try await raw.answer()
        guard answer.status == 101 else { throw Refused(answer: answer) }
        guard answer["Sec-WebSocket-Accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" else {
            throw RawClient.Failed(description: "Sec-WebSocket-Accept is \(answer["Sec-WebSocket-Accept"] ?? "missing")")
        }
    }

    // MARK: Sending

    public func send(_ message: JSON) { frame(1, message.bytes) }
    public func sendText(_ text: String) { frame(1, Array(text.utf8)) }
    public func ping() { frame(9, []) }
    public func close(_ code: Int = 1000) { frame(8, [UInt8(code >> 8), UInt8(code & 0xFF)]) }

    private func frame(_ opcode: UInt8, _ payload: [UInt8]) {
        let mask: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
        var bytes = [0x80 | opcode]
        switch payload.count {
        case ..<126: bytes.append(0x80 | UInt8(payload.count))
        case ..<65_536: bytes += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        default: bytes += [0x80 | 127] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: payload.count >> ($0 * 8)) }
        }
        bytes += mask
        for (index, byte) in payload.enumerated() { bytes.append(byte ^ mask[index % 4]) }
        raw.send(bytes)
    }

    // MARK: Reading

    /// The next thing that comes, kept messages first.
    public func next() async throws -> Event {
        if let message = kept.withLock({ $0.isEmpty ? Optional<JSON>.none : .some($0.removeFirst()) }) { return .message(message) }
        return try await arrival()
    }

    /// The next event that was read and not returned yet; nil where there is none.
    public func keptNext() async throws -> Event? {
        if let message = kept.withLock({ $0.isEmpty ? Optional<JSON>.none : .some($0.removeFirst()) }) { return .message(message) }
        return ending.withLock { end in
            defer { end = nil }
            return end
        }
    }

    /// The next message that is a notification of this type.
    public func notification(_ type: String) async throws -> JSON { try await message(type) { $0["type"]?.string == type } }

    /// The next message that fits; others are kept.
    ///
    /// - Parameter what: in words, for where the socket ends instead.
    public func message(_ what: String, where fits: (JSON) -> Bool) async throws -> JSON {
        if let found = kept.withLock({ kept in kept.firstIndex(where: fits).map { kept.remove(at: $0) } }) { return found }
        while true {
            switch try await arrival() {
            case .message(let message) where fits(message): return message
            case .message(let message): kept.withLock { $0.append(message) }
            case let other: throw RawClient.Failed(description: "\(other), waiting for \(what)")
            }
        }
    }

    /// An id that no request of this client has had.
    public func freshID() -> String {
        lastID.withLock { last in
            last += 1
            return "r\(last)"
        }
    }

    /// Sends a request with a fresh id and returns its response; what else comes meanwhile is kept.
    public func request(_ type: String, _ body: JSON? = nil, members: JSON = [:]) async throws -> JSON {
        let id = freshID()
        var request: JSON = .members(["kind": "req", "id": .string(id), "type": .string(type), "body": body])
        for (name, value) in members.object ?? [:] { request[name] = value }
        send(request)
        return try await message("the response to \(type)") { $0["reqId"]?.string == id }
    }

    /// Asks for a pong; false where the connection has ended, which ``end()`` still tells.
    public func isAlive() async throws -> Bool {
        if ending.withLock({ $0 != nil }) { return false }
        ping()
        while true {
            switch try await arrival() {
            case .pong: return true
            case .message(let message): kept.withLock { $0.append(message) }
            case let end:
                ending.withLock { $0 = end }
                return false
            }
        }
    }

    /// Reads until the connection has ended, and tells how.
    public func end() async throws -> Event {
        if let end = ending.withLock({ $0 }) { return end }
        while true {
            switch try await arrival() {
            case .message, .text, .pong: continue
            case let end: return end
            }
        }
    }

    private func arrival() async throws -> Event {
        while true {
            let (bytes, end) = await raw.read { Self.frame(in: $0) != nil }
            guard let (opcode, isLast, payload, length) = Self.frame(in: bytes) else { return .ended(end) }
            raw.take(length)
            switch opcode {
            case 0, 1:
                guard let whole = try assembled(payload, opcode, isLast) else { continue }
                return (try? JSON(parsing: whole)).map { .message($0) } ?? .text(String(decoding: whole, as: UTF8.self))
            case 8:
                let code = payload.count >= 2 ? Int(payload[0]) << 8 | Int(payload[1]) : nil
                if let code { close(code) } else { frame(8, []) }
                return .closed(code: code, reason: String(decoding: payload.dropFirst(2), as: UTF8.self))
            case 9:
                seen.withLock { $0.pings += 1 }
                frame(10, payload)
            case 10: return .pong
            default: throw RawClient.Failed(description: "a frame of opcode \(opcode)")
            }
        }
    }

    /// A message once its last fragment is there (RFC 6455 §5.4).
    private func assembled(_ payload: [UInt8], _ opcode: UInt8, _ isLast: Bool) throws -> [UInt8]? {
        if opcode == 1, isLast { return payload }
        seen.withLock { $0.fragments += 1 }
        return try pieces.withLock { pieces in
            if pieces.isEmpty != (opcode == 1) { throw RawClient.Failed(description: "a fragment of no message, or within another one") }
            pieces += payload
            guard isLast else { return nil }
            defer { pieces = [] }
            return pieces
        }
    }

    /// A whole frame at the beginning; servers do not mask (RFC 6455 §5.1).
    private static func frame(in bytes: [UInt8]) -> (opcode: UInt8, isLast: Bool, payload: [UInt8], length: Int)? {
        guard bytes.count >= 2 else { return nil }
        var (length, start) = (Int(bytes[1] & 0x7F), 2)
        if length == 126 {
            guard bytes.count >= 4 else { return nil }
            (length, start) = (Int(bytes[2]) << 8 | Int(bytes[3]), 4)
        } else if length == 127 {
            guard bytes.count >= 10 else { return nil }
            (length, start) = (bytes[2..<10].reduce(0) { $0 << 8 | Int($1) }, 10)
        }
        guard bytes.count >= start + length else { return nil }
        return (bytes[0] & 0x0F, bytes[0] & 0x80 != 0, Array(bytes[start..<start + length]), start + length)
    }
}

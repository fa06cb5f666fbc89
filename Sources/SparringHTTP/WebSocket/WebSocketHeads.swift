/// Follows the bytes of a client's frames from head to head and checks each as it comes in (RFC 6455 §5.2–5.5): what NIO's decoder leaves to
/// its user, and it would take the whole of a frame before showing it.
struct WebSocketHeads {
    private let messageLimit: Int
    private var head: [UInt8] = []
    /// What is left of the payload that belongs to the last head.
    private var payload = 0
    /// Bytes announced of the fragmented message that is under way; nil: none is.
    private var message: Int?

    init(messageLimit: Int) { self.messageLimit = messageLimit }

    /// - Returns: how many of the bytes may be decoded, and what is wrong with the frame that follows them.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> (sound: Int, violation: WebSocketViolation?) {
        var place = 0
        var frame = 0
        while place < bytes.count {
            if payload > 0 {
                let count = min(payload, bytes.count - place)
                payload -= count
                place += count
                frame = place
                continue
            }
            head.append(bytes[place])
            place += 1
            if let violation = check() { return (frame, violation) }
            if head.count == headLength {
                if let violation = finish() { return (frame, violation) }
                frame = place
            }
        }
        return (bytes.count, nil)
    }

    private var isFinal: Bool { head[0] & 0x80 != 0 }
    private var opcode: UInt8 { head[0] & 0x0F }
    private var isControl: Bool { opcode >= 8 }

    /// With the masking key; nil while it cannot be known.
    private var headLength: Int? {
        guard head.count >= 2 else { return nil }
        return switch head[1] & 0x7F {
        case 126: 8
        case 127: 14
        default: 6
        }
    }

    /// Looks at the byte that was added last.
    private func check() -> WebSocketViolation? {
        switch head.count {
        case 1:
            if head[0] & 0x70 != 0 { return .protocolError("a reserved bit is set, but no extension was agreed on (RFC 6455 §5.2)") }
            if (3...7).contains(opcode) || opcode > 0xA { return .protocolError("opcode \(opcode) is reserved (RFC 6455 §5.2)") }
            if isControl { return isFinal ? nil : .protocolError("a control frame is fragmented (RFC 6455 §5.5)") }
            if opcode == 0, message == nil { return .protocolError("there is no message to continue (RFC 6455 §5.4)") }
            if opcode != 0, message != nil { return .protocolError("a message begins within another (RFC 6455 §5.4)") }
            return nil
        case 2:
            if head[1] & 0x80 == 0 { return .protocolError("the frame is not masked (RFC 6455 §5.1)") }
            return isControl && head[1] & 0x7F > 125 ? .protocolError("a control frame is longer than 125 bytes (RFC 6455 §5.5)") : nil
        case 4 where head[1] & 0x7F == 126, 10: return checkLength()
        default: return nil
        }
    }

    private var length: UInt64 {
        switch head[1] & 0x7F {
        case 126: head[2..<4].reduce(0) { $0 << 8 | UInt64($1) }
        case 127: head[2..<10].reduce(0) { $0 << 8 | UInt64($1) }
        case let short: UInt64(short)
        }
    }

    private func checkLength() -> WebSocketViolation? {
        if length >> 63 != 0 { return .protocolError("the highest bit of the length is set (RFC 6455 §5.2)") }
        if length < (head.count == 4 ? 126 : 65536) {
            return .protocolError("the length is not written in the fewest bytes (RFC 6455 §5.2)")
        }
        return length > messageLimit - (message ?? 0) ? .tooBig(limit: messageLimit) : nil
    }

    /// The head is whole.
    private mutating func finish() -> WebSocketViolation? {
        if !isControl {
            let announced = (message ?? 0) + Int(length)
            if announced > messageLimit { return .tooBig(limit: messageLimit) }
            message = isFinal ? nil : announced
        }
        payload = Int(length)
        head.removeAll(keepingCapacity: true)
        return nil
    }
}

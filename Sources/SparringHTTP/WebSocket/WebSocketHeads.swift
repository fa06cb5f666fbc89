/// Reads the heads of a peer's frames and checks each byte as it comes in, before the payload is waited for (RFC 6455 §5.2–5.5).
struct WebSocketHeads {
    struct Head {
        let isFinal: Bool
        let opcode: UInt8
        /// Bytes of the payload.
        let length: Int
        let mask: (UInt8, UInt8, UInt8, UInt8)

        /// Close, ping or pong (RFC 6455 §5.5).
        var isControl: Bool { opcode >= 8 }
    }

    private let messageLimit: Int
    /// A client masks its frames, and a server does not (RFC 6455 §5.1).
    private let isMasked: Bool
    private var head: [UInt8] = []
    /// Bytes announced of the fragmented message that is under way; nil: none is.
    private var message: Int?

    init(messageLimit: Int, isMasked: Bool) { (self.messageLimit, self.isMasked) = (messageLimit, isMasked) }

    /// - Returns: the head, if this was its last byte.
    mutating func take(_ byte: UInt8) throws(WebSocketViolation) -> Head? {
        head.append(byte)
        try check()
        return head.count == headLength ? try finish() : nil
    }

    private var isFinal: Bool { head[0] & 0x80 != 0 }
    private var opcode: UInt8 { head[0] & 0x0F }
    private var isControl: Bool { opcode >= 8 }

    /// With the masking key; nil while it cannot be known.
    private var headLength: Int? {
        guard head.count >= 2 else { return nil }
        let bytesOfLength =
            switch head[1] & 0x7F {
            case 126: 2
            case 127: 8
            default: 0
            }
        return 2 + bytesOfLength + (isMasked ? 4 : 0)
    }

    /// Looks at the byte that was added last.
    private func check() throws(WebSocketViolation) {
        switch head.count {
        case 1:
            if head[0] & 0x70 != 0 { throw .protocolError("a reserved bit is set, but no extension was agreed on (RFC 6455 §5.2)") }
            if (3...7).contains(opcode) || opcode > 0xA { throw .protocolError("opcode \(opcode) is reserved (RFC 6455 §5.2)") }
            if isControl {
                if !isFinal { throw .protocolError("a control frame is fragmented (RFC 6455 §5.5)") }
            } else if opcode == 0 {
                if message == nil { throw .protocolError("there is no message to continue (RFC 6455 §5.4)") }
            } else if message != nil {
                throw .protocolError("a message begins within another (RFC 6455 §5.4)")
            }
        case 2:
            if (head[1] & 0x80 != 0) != isMasked {
                throw .protocolError("the frame is \(isMasked ? "not " : "")masked (RFC 6455 §5.1)")
            }
            if isControl, head[1] & 0x7F > 125 { throw .protocolError("a control frame is longer than 125 bytes (RFC 6455 §5.5)") }
        case 4 where head[1] & 0x7F == 126, 10: try checkLength()
        default: break
        }
    }

    private var length: UInt64 {
        switch head[1] & 0x7F {
        case 126: head[2..<4].reduce(0) { $0 << 8 | UInt64($1) }
        case 127: head[2..<10].reduce(0) { $0 << 8 | UInt64($1) }
        case let short: UInt64(short)
        }
    }

    private func checkLength() throws(WebSocketViolation) {
        if length >> 63 != 0 { throw .protocolError("the highest bit of the length is set (RFC 6455 §5.2)") }
        if length < (head.count == 4 ? 126 : 65536) {
            throw .protocolError("the length is not written in the fewest bytes (RFC 6455 §5.2)")
        }
        if length > messageLimit - (message ?? 0) { throw .tooBig(limit: messageLimit) }
    }

    private mutating func finish() throws(WebSocketViolation) -> Head {
        if !isControl {
            let announced = (message ?? 0) + Int(length)
            if announced > messageLimit { throw .tooBig(limit: messageLimit) }
            message = isFinal ? nil : announced
        }
        defer { head.removeAll(keepingCapacity: true) }
        let mask = isMasked ? head.suffix(4) : [0, 0, 0, 0]
        return Head(
            isFinal: isFinal, opcode: opcode, length: Int(length),
            mask: (mask[mask.startIndex], mask[mask.startIndex + 1], mask[mask.startIndex + 2], mask[mask.startIndex + 3]))
    }
}

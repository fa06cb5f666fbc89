/// Reads a peer's messages and control frames from the bytes of its frames (RFC 6455 §5).
package struct WebSocketReader: Sendable {
    package enum Received: Equatable, Sendable {
        /// Valid UTF-8.
        case text([UInt8])
        case binary([UInt8])
        case ping([UInt8])
        case pong
        /// Its payload, unread.
        case close([UInt8])
    }

    private var heads: WebSocketHeads
    private var payload: WebSocketPayload?
    /// The payload of a control frame.
    private var control: [UInt8] = []
    private var message = WebSocketAssembly()

    /// - Parameters:
    ///   - messageLimit: bytes.
    ///   - isOfServer: the peer is a server.
    package init(messageLimit: Int, isOfServer: Bool = false) {
        heads = WebSocketHeads(messageLimit: messageLimit, isMasked: !isOfServer)
    }

    /// - Parameter bytes: what has come in, less what has been read of it before; what is read now is taken off.
    /// - Returns: what ends in these bytes first; nil: nothing more does.
    /// - Throws: what is wrong with the frame that comes next. Nothing can be read after that.
    package mutating func next(_ bytes: inout UnsafeRawBufferPointer) throws(WebSocketViolation) -> Received? {
        while true {
            if payload == nil { payload = try head(&bytes).map { WebSocketPayload($0) } }
            guard var current = payload else { return nil }
            let piece = UnsafeRawBufferPointer(rebasing: bytes.prefix(current.left))
            bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(piece.count))
            if current.head.isControl {
                current.take(piece, into: &control)
            } else {
                try message.take(piece, of: &current)
            }
            payload = current.left > 0 ? current : nil
            if payload != nil { return nil }
            if let received = try finish(current.head) { return received }
        }
    }

    private mutating func head(_ bytes: inout UnsafeRawBufferPointer) throws(WebSocketViolation) -> WebSocketHeads.Head? {
        for (place, byte) in bytes.enumerated() {
            guard let head = try heads.take(byte) else { continue }
            bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(place + 1))
            return head
        }
        bytes = UnsafeRawBufferPointer(rebasing: bytes.suffix(0))
        return nil
    }

    /// - Returns: nil where a fragment has ended that is not the last of its message.
    private mutating func finish(_ head: WebSocketHeads.Head) throws(WebSocketViolation) -> Received? {
        guard head.isControl else { return head.isFinal ? try message.finish() : nil }
        defer { control = [] }
        return switch head.opcode {
        case 0x8: .close(control)
        case 0x9: .ping(control)
        default: .pong
        }
    }
}

/// The payload of a frame that is coming in.
struct WebSocketPayload {
    let head: WebSocketHeads.Head
    /// So many of its bytes are still to come.
    private(set) var left: Int
    /// The masking key, turned to the next byte.
    private var mask: UInt64

    init(_ head: WebSocketHeads.Head) {
        self.head = head
        left = head.length
        let (a, b, c, d) = head.mask
        let key = UInt64(a) | UInt64(b) << 8 | UInt64(c) << 16 | UInt64(d) << 24
        mask = key | key << 32
    }

    /// Appends bytes of it, unmasked (RFC 6455 §5.3).
    mutating func take(_ piece: UnsafeRawBufferPointer, into bytes: inout [UInt8]) {
        left -= piece.count
        let start = bytes.count
        bytes.append(contentsOf: piece)
        bytes.withUnsafeMutableBytes { unmask(UnsafeMutableRawBufferPointer(rebasing: $0[start...])) }
    }

    private mutating func unmask(_ bytes: UnsafeMutableRawBufferPointer) {
        var place = 0
        while place + 8 <= bytes.count {
            let masked = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            bytes.storeBytes(of: (masked ^ mask).littleEndian, toByteOffset: place, as: UInt64.self)
            place += 8
        }
        while place < bytes.count {
            bytes[place] ^= UInt8(truncatingIfNeeded: mask)
            mask = mask >> 8 | mask << 56
            place += 1
        }
    }
}

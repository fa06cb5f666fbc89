/// The kinds of frames that a server sends (RFC 6455 §5.2).
enum WebSocketOpcode: UInt8, Sendable {
    case text = 0x1
    case binary = 0x2
    case close = 0x8
    case pong = 0xA

    /// Appends a whole message in one frame, unmasked (RFC 6455 §5.1).
    func appendFrame(of payload: [UInt8], to bytes: inout [UInt8]) {
        bytes.append(0x80 | rawValue)
        switch payload.count {
        case ...125: bytes.append(UInt8(payload.count))
        case ...0xFFFF: bytes += [126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        default:
            bytes.append(127)
            withUnsafeBytes(of: UInt64(payload.count).bigEndian) { bytes.append(contentsOf: $0) }
        }
        bytes += payload
    }
}

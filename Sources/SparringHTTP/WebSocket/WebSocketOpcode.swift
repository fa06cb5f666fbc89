/// The kinds of frames that are sent (RFC 6455 §5.2).
package enum WebSocketOpcode: UInt8, Sendable {
    case continuation = 0x0
    case text = 0x1
    case binary = 0x2
    case close = 0x8
    case ping = 0x9
    case pong = 0xA

    /// Appends a message, or a fragment of one, as a frame.
    ///
    /// - Parameters:
    ///   - isLast: no other fragment of the message follows.
    ///   - mask: a client's, drawn for this frame (RFC 6455 §5.3); nil: a server's frame.
    package func appendFrame(of payload: [UInt8], to bytes: inout [UInt8], isLast: Bool = true, mask: UInt32? = nil) {
        let flag: UInt8 = mask == nil ? 0 : 0x80
        bytes.append((isLast ? 0x80 : 0) | rawValue)
        switch payload.count {
        case ...125: bytes.append(flag | UInt8(payload.count))
        case ...0xFFFF: bytes += [flag | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        default:
            bytes.append(flag | 127)
            withUnsafeBytes(of: UInt64(payload.count).bigEndian) { bytes.append(contentsOf: $0) }
        }
        guard let mask else { return bytes += payload }
        let key = withUnsafeBytes(of: mask.bigEndian) { Array($0) }
        bytes += key
        for (index, byte) in payload.enumerated() { bytes.append(byte ^ key[index % 4]) }
    }
}

/// Puts a message together from its fragments (RFC 6455 §5.4, §8.1). The order of the frames has been checked before.
struct WebSocketAssembly {
    /// Nil: no message is under way.
    private var isText: Bool?
    private var bytes: [UInt8] = []
    private var characters = UTF8Check()

    /// Takes a piece of a frame, which may be all of it or nothing.
    mutating func take(_ piece: UnsafeRawBufferPointer, of frame: inout WebSocketPayload) throws(WebSocketViolation) {
        let isText = isText ?? (frame.head.opcode == 1)
        self.isText = isText
        let start = bytes.count
        if start == 0, !piece.isEmpty { bytes.reserveCapacity(min(frame.left, 4 * piece.count)) }
        frame.take(piece, into: &bytes)
        guard isText else { return }
        let isSound = bytes.withUnsafeBytes { characters.take(UnsafeRawBufferPointer(rebasing: $0[start...])) }
        if !isSound { throw .invalidUTF8("the text is not UTF-8 (RFC 6455 §8.1)") }
    }

    /// The last frame has ended.
    mutating func finish() throws(WebSocketViolation) -> WebSocketReader.Received {
        guard characters.isComplete else { throw .invalidUTF8("the text ends within a character (RFC 6455 §8.1)") }
        defer { (isText, bytes) = (nil, []) }
        return isText == true ? .text(bytes) : .binary(bytes)
    }
}

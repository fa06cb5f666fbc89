/// Puts a message together from its fragments (RFC 6455 §5.4, §8.1). The order of the frames has been checked before.
struct WebSocketAssembly {
    enum Message: Equatable {
        case text([UInt8])
        case binary([UInt8])
    }

    private var isText = false
    private var bytes: [UInt8] = []
    private var characters = UTF8Check()

    /// - Parameter isText: for the first frame of a message; nil for a continuation.
    /// - Returns: the message if this was its last frame.
    mutating func take(isText begins: Bool?, isFinal: Bool, _ payload: UnsafeRawBufferPointer) throws(WebSocketViolation) -> Message? {
        if let begins { isText = begins }
        if isText, !characters.take(payload) { throw .invalidUTF8("the text is not UTF-8 (RFC 6455 §8.1)") }
        bytes.append(contentsOf: payload)
        guard isFinal else { return nil }
        guard characters.isComplete else { throw .invalidUTF8("the text ends within a character (RFC 6455 §8.1)") }
        defer { bytes = [] }
        return isText ? .text(bytes) : .binary(bytes)
    }
}

import NIOCore

/// The first handler of a socket's channel: bytes reach the frame decoder only after their frames' heads have been checked. What is wrong with
/// one follows as a ``WebSocketViolation`` event, and nothing after it.
final class WebSocketGate: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// Bytes came after what was wrong.
    struct StillSending {}

    private var heads: WebSocketHeads
    private var isShut = false

    init(limits: WebSocketLimits) { heads = WebSocketHeads(messageLimit: limits.message) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isShut else { return context.fireUserInboundEventTriggered(StillSending()) }
        var buffer = unwrapInboundIn(data)
        let (sound, violation) = buffer.withUnsafeReadableBytes { heads.take($0) }
        isShut = violation != nil
        if sound > 0, let bytes = buffer.readSlice(length: sound) { context.fireChannelRead(wrapInboundOut(bytes)) }
        if let violation { context.fireUserInboundEventTriggered(violation) }
    }
}

import NIOCore
import NIOWebSocket

/// The last handler of a socket's channel: from frames to messages, and the states of a connection (RFC 6455 §7). Lives on the event loop.
final class WebSocketSession: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    enum Stage {
        case open
        /// Our close frame is out, the client's is waited for.
        case closing(WebSocketClosing)
        /// The handler has been notified of the end; TCP follows.
        case over
    }

    let connection: UpgradedConnection
    let limits: WebSocketLimits
    var stage = Stage.open {
        didSet { updateReading() }
    }
    var isFrozen = false
    /// The handler wants to be handed what the client sends.
    private var isWanted = true
    private var isReading = false
    /// Nothing is read for a while.
    private var isResting = false
    /// Of a TLS connection, whose channel libmicrohttpd ends once everything has been read off it.
    private var hasClientHungUp = false
    private var pongs = WebSocketPongs()
    /// The client has sent the last frame that counts.
    private var isDeaf = false
    var context: ChannelHandlerContext?
    var timer: Scheduled<Void>?
    var lingersUntilSilence = false
    private let opened: @Sendable (WebSocket) -> any WebSocketHandler
    private(set) var socket: WebSocket?
    private var handler: (any WebSocketHandler)?
    private var assembly = WebSocketAssembly()
    private var flushIsDue = false
    /// Why the channel became inactive, where it told.
    private var failure: (any Error)?

    init(_ connection: UpgradedConnection, _ upgrade: WebSocketUpgrade) {
        self.connection = connection
        limits = upgrade.limits
        opened = upgrade.opened
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// The channel has its descriptor.
    ///
    /// - Parameter extra: what the client had sent before the 101 was out.
    func open(_ socket: WebSocket, extra: [UInt8], on loop: any EventLoop) {
        self.socket = socket
        handler = opened(socket)
        guard let context, context.channel.isActive else {
            return end(WebSocketEnd(by: .client, code: nil, reason: "closed at once"), socket, loop)
        }
        if connection.isTLS { connection.onHangUp { [weak socket] in socket?.clientHungUp() } }
        if !extra.isEmpty {
            context.pipeline.fireChannelRead(ByteBuffer(bytes: extra))
            context.pipeline.fireChannelReadComplete()
        }
        updateReading()
    }

    // MARK: reading or not

    func setReading(_ isOn: Bool) {
        isWanted = isOn
        updateReading()
    }

    func freeze() {
        guard case .open = stage else { return }
        isFrozen = true
        updateReading()
    }

    /// Reads to the end.
    func hungUp() {
        hasClientHungUp = true
        updateReading()
    }

    /// A client that does not read is not read from either, so that TCP slows it down.
    private func updateReading() {
        // Of a socket that is closing the client's close frame, or its end, must be read.
        let isOpen = if case .open = stage { true } else { false }
        let isTaking = !isResting && !pongs.areBehind && socket.map { $0.unsent <= limits.unsent / 4 } ?? true
        let isOn = hasClientHungUp || !isFrozen && (isWanted && isTaking || !isOpen)
        guard isOn != isReading, let options = context?.channel.syncOptions else { return }
        isReading = isOn
        try? options.setOption(.autoRead, value: isOn)
    }

    /// How long the server stops reading from a client that floods its socket with pings, which cost the server more than the client.
    private static let restTime = TimeAmount.milliseconds(100)

    private func rest() {
        guard !isResting, let loop = context?.eventLoop else { return }
        isResting = true
        let bound = NIOLoopBound(self, eventLoop: loop)
        loop.scheduleTask(in: Self.restTime) {
            bound.value.isResting = false
            bound.value.updateReading()
        }
    }

    // MARK: in

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isFrozen, !isDeaf, let socket, !socket.isDeaf else { return }
        let frame = unwrapInboundIn(data)
        let payload = frame.unmaskedData
        switch (stage, frame.opcode) {
        case (.over, _): break
        case (_, .connectionClose):
            isDeaf = true
            soon { session in payload.withUnsafeReadableBytes { session.clientCloses($0) } }
        case (.closing, _): break
        case (.open, .ping):
            if pongs.add(Array(payload.readableBytesView)) { soon { $0.sendPongs() } }
            if pongs.areFlooded { rest() } else { handler?.receivedControl(on: socket) }
            updateReading()
        case (.open, .pong): handler?.receivedControl(on: socket)
        case (.open, let opcode):
            do throws(WebSocketViolation) {
                let isText: Bool? = opcode == .continuation ? nil : opcode == .text
                guard let message = try take(isText, frame.fin, payload), socket.isOpen else { return }
                switch message {
                case .text(let text): handler?.received(text: text, on: socket)
                case .binary(let binary): handler?.received(binary: binary, on: socket)
                }
            } catch {
                failSoon(error)
            }
        }
    }

    private func failSoon(_ violation: WebSocketViolation) {
        isDeaf = true
        soon { $0.fail(violation) }
    }

    /// After what the handler has sent in answer to the frames before.
    private func soon(_ action: @escaping @Sendable (WebSocketSession) -> Void) {
        guard let loop = context?.eventLoop else { return }
        let bound = NIOLoopBound(self, eventLoop: loop)
        loop.execute { action(bound.value) }
    }

    private func take(_ isText: Bool?, _ isFinal: Bool, _ payload: ByteBuffer) throws(WebSocketViolation) -> WebSocketAssembly.Message? {
        let result = payload.withUnsafeReadableBytes { bytes in
            Result { () throws(WebSocketViolation) in try assembly.take(isText: isText, isFinal: isFinal, bytes) }
        }
        return try result.get()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let violation = event as? WebSocketViolation {
            if !isDeaf, socket?.isDeaf == false { failSoon(violation) }
        } else if event is WebSocketGate.StillSending {
            linger()
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        failure = error
        if error is NIOWebSocketError { failSoon(.protocolError("the frame cannot be read")) } else { context.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        guard let socket else { return connection.end() }
        let ending =
            if case .closing(let closing) = stage {
                closing.end()
            } else if let failure {
                WebSocketEnd(by: .failure, code: nil, reason: "TCP broke: \(failure)")
            } else {
                WebSocketEnd(by: .client, code: nil, reason: "the client closed TCP without a close frame")
            }
        end(ending, socket, context.eventLoop)
    }

    /// The channel is not active any more, or never became so.
    private func end(_ end: WebSocketEnd, _ socket: WebSocket, _ loop: any EventLoop) {
        if case .over = stage {} else { tell(end) }
        connection.end()
        socket.ended()
        self.socket = nil
    }

    /// Tells the handler how the socket ended, and nothing after it.
    func tell(_ end: WebSocketEnd) {
        stage = .over
        guard let socket else { return }
        handler.take()?.closed(end, on: socket)
    }

    // MARK: out

    /// A message or ping of ours.
    func send(_ opcode: WebSocketOpcode, _ bytes: [UInt8]) {
        let socket = self.socket
        guard case .open = stage, !isFrozen, let context else {
            socket?.sent(bytes.count)
            return
        }
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.whenComplete { _ in
            socket?.sent(bytes.count)
            bound.value.updateReading()
        }
        write(opcode, ByteBuffer(bytes: bytes), promise)
        updateReading()
    }

    private func sendPongs() {
        guard case .open = stage, !isFrozen, let context else { return }
        let payloads = pongs.next()
        guard let last = payloads.last else { return }
        for payload in payloads.dropLast() { write(.pong, ByteBuffer(bytes: payload)) }
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        let taken = context.eventLoop.makePromise(of: Void.self)
        taken.futureResult.whenSuccess {
            bound.value.pongs.taken()
            bound.value.sendPongs()
            bound.value.updateReading()
        }
        write(.pong, ByteBuffer(bytes: last), taken)
        context.flush()
    }

    /// Writes a frame. What is written in one turn of the loop is flushed together.
    func write(_ opcode: WebSocketOpcode, _ data: ByteBuffer, _ promise: EventLoopPromise<Void>? = nil) {
        guard let context else { return }
        context.write(wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, data: data)), promise: promise)
        guard !flushIsDue else { return }
        flushIsDue = true
        soon { session in
            session.flushIsDue = false
            session.context?.flush()
        }
    }
}

import Glibc
import SparringLoop

/// From frames to messages and back, and the states of a connection (RFC 6455 §7). All of it belongs to the loop's thread.
final class WebSocketSession {
    enum Stage {
        case open
        /// Our close frame is out, the client's is waited for.
        case closing(WebSocketClosing)
        /// The handler has been notified of the end; TCP follows.
        case over
    }

    let connection: UpgradedConnection
    let limits: WebSocketLimits
    let loop: Loop
    var stage = Stage.open {
        didSet { updateReading() }
    }
    private(set) var isFrozen = false
    /// The handler wants to be handed what the client sends.
    private var isWanted = true
    /// Nothing is read for a while.
    private var isResting = false
    /// Then everything is read, up to the end.
    private var hasClientLeft = false
    private var pongs = WebSocketPongs()
    /// The client has sent the last frame that counts.
    private var isDeaf = false
    /// Nil once the connection has ended.
    private(set) var stream: WebSocketStream?
    var timer: Loop.Timer?
    var lingersUntilSilence = false
    var lingersAfterLast = false
    private var socket: WebSocket?
    private var handler: (any WebSocketHandler)?
    private var reader: WebSocketReader

    /// Nothing is called yet.
    ///
    /// - Parameter room: what is read goes through here.
    init(
        _ descriptor: Int32, _ connection: UpgradedConnection, _ limits: WebSocketLimits, on loop: Loop,
        through room: UnsafeMutableRawBufferPointer
    ) {
        self.connection = connection
        self.limits = limits
        self.loop = loop
        reader = WebSocketReader(messageLimit: limits.message)
        stream = WebSocketStream(descriptor, on: loop, through: room, for: self)
    }

    /// Begins.
    ///
    /// - Parameter extra: what the client had sent before the 101 was out.
    func open(_ socket: WebSocket, _ opened: (any WebSocketWire) -> any WebSocketHandler, extra: [UInt8]) {
        self.socket = socket
        handler = opened(socket)
        if connection.isTLS { connection.onHangUp { [weak self] in self?.clientHungUp() } }
        if !extra.isEmpty { extra.withUnsafeBytes { received($0) } }
        updateReading()
    }

    func perform(_ command: WebSocket.Command) {
        switch command {
        case .send(let opcode, let bytes): send(opcode, bytes)
        case .sendInFragments(let text, let length, let pings): send(text, fragments: length, pings: pings)
        case .pong: sendPongs()
        case .close(let closing): close(closing)
        case .goAway: goAway()
        case .abort(let words): abort(words)
        case .reset: reset()
        case .freeze: freeze()
        case .setReading(let isOn):
            isWanted = isOn
            updateReading()
        }
    }

    // MARK: reading or not

    private func freeze() {
        guard case .open = stage else { return }
        isFrozen = true
        updateReading()
    }

    /// The client has closed its side, or the connection has broken.
    func peerHasLeft() {
        hasClientLeft = true
        updateReading()
    }

    /// A client that does not read is not read from either, so that TCP slows it down.
    private func updateReading() {
        // Of a socket that is closing the client's close frame, or its end, must be read.
        let isOpen = if case .open = stage { true } else { false }
        let isTaking = !isResting && !pongs.areBehind && socket.map { $0.unsent <= limits.unsent / 4 } ?? true
        let isOn = hasClientLeft || !isFrozen && (isWanted && isTaking || !isOpen)
        if let stream, stream.isReading != isOn { stream.isReading = isOn }
    }

    /// How long the server stops reading from a client that floods its socket with pings, which cost the server more than the client.
    private static let restTime = Duration.milliseconds(100)

    private func rest() {
        guard !isResting else { return }
        isResting = true
        loop.after(Self.restTime) { [self] in
            isResting = false
            updateReading()
        }
    }

    // MARK: in

    func received(_ bytes: UnsafeRawBufferPointer) {
        if isDeaf { return linger() }
        var rest = bytes
        do throws(WebSocketViolation) {
            while !isDeaf, !isFrozen, let socket, !socket.isDeaf, let received = try reader.next(&rest) { take(received, on: socket) }
        } catch {
            afterAnswers { $0.fail(error) }
        }
    }

    private func take(_ received: WebSocketReader.Received, on socket: WebSocket) {
        switch (stage, received) {
        case (.over, _): break
        case (_, .close(let payload)):
            afterAnswers { $0.clientCloses(payload) }
        case (.closing, _): break
        case (.open, .ping(let payload)):
            if pongs.add(payload) { socket.pong() }
            if pongs.areFlooded { self.rest() } else { handler?.receivedControl(on: socket) }
            updateReading()
        case (.open, .pong): handler?.receivedControl(on: socket)
        case (.open, .text(let text)): if socket.isOpen { handler?.received(text: text, on: socket) }
        case (.open, .binary(let binary)): if socket.isOpen { handler?.received(binary: binary, on: socket) }
        }
    }

    /// Does what ends the socket after what the handler sends in this turn, in answer to the messages before.
    private func afterAnswers(_ action: @escaping (WebSocketSession) -> Void) {
        isDeaf = true
        loop.afterTurn { [self] in
            socket?.performAll()
            action(self)
        }
    }

    /// The client has left or the connection has broken, and everything has been read.
    ///
    /// - Parameter failure: an error number; nil: the client closed its side.
    func ended(_ failure: Int32?) {
        switch (stage, failure) {
        case (.over, _): break
        case (.closing(let closing), _): tell(closing.end())
        case (.open, let failure?): tell(WebSocketEnd(by: .failure, code: nil, reason: "TCP broke: \(String(cString: strerror(failure)))"))
        case (.open, nil): tell(WebSocketEnd(by: .client, code: nil, reason: "the client closed TCP without a close frame"))
        }
        finish()
    }

    /// Gives the connection back.
    func finish() {
        guard let stream = stream.take() else { return }
        timer.take().map(loop.cancel)
        stream.close()
        connection.end()
        socket.take()?.ended()
    }

    /// Notifies the handler of the socket's end, and of nothing after it.
    func tell(_ end: WebSocketEnd) {
        stage = .over
        guard let socket else { return }
        handler.take()?.closed(end, on: socket)
    }

    // MARK: out

    private func send(_ opcode: WebSocketOpcode, _ bytes: [UInt8]) {
        guard case .open = stage, !isFrozen, let stream else {
            socket?.sent(bytes.count)
            return
        }
        stream.write(opcode, bytes, .message(bytes.count))
        updateReading()
    }

    private func send(_ text: [UInt8], fragments length: Int?, pings: Bool) {
        guard case .open = stage, !isFrozen, let stream else {
            socket?.sent(text.count)
            return
        }
        stream.write(text, fragments: length, pings: pings, .message(text.count))
        updateReading()
    }

    private func sendPongs() {
        guard case .open = stage, !isFrozen, let stream else { return }
        let payloads = pongs.next()
        for (place, payload) in payloads.enumerated() { stream.write(.pong, payload, place == payloads.count - 1 ? .pongs : nil) }
    }

    /// The kernel has taken a frame.
    func taken(_ mark: WebSocketStream.Mark) {
        switch mark {
        case .message(let count):
            socket?.sent(count)
            updateReading()
        case .pongs:
            pongs.taken()
            sendPongs()
            updateReading()
        case .last: lastIsOut()
        }
    }
}

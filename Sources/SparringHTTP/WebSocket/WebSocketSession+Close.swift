import NIOCore
import NIOWebSocket

/// The ways in which a socket ends (RFC 6455 §7).
extension WebSocketSession {
    /// A close frame came in.
    func clientCloses(_ payload: UnsafeRawBufferPointer) {
        do throws(WebSocketViolation) {
            let theirs = try WebSocketClosing(payload)
            if case .closing(let ours) = stage {
                tell(ours.end(isClean: true))
                endTCP(afterLingering: false)
            } else {
                tell(WebSocketEnd(by: .client, code: theirs.code ?? 1005, reason: theirs.reason, isClean: true))
                sendLast(WebSocketClosing(code: theirs.code, reason: ""), isExpected: true)
            }
        } catch {
            fail(error)
        }
    }

    /// The client broke the protocol (RFC 6455 §7.1.7).
    func fail(_ violation: WebSocketViolation) {
        guard !isFrozen else { return }
        switch stage {
        case .open:
            tell(WebSocketEnd(by: .failure, code: violation.code, reason: violation.words))
            sendLast(WebSocketClosing(code: violation.code, reason: violation.words), isExpected: false)
        case .closing(let ours):
            tell(ours.end())
            endTCP(afterLingering: true)
        case .over: break
        }
    }

    /// We close.
    func close(_ closing: WebSocketClosing) {
        guard case .open = stage, !isFrozen else { return }
        stage = .closing(closing)
        write(.connectionClose, ByteBuffer(bytes: closing.payload))
        within(limits.closing) { $0.abandon() }
    }

    func goAway() {
        if isFrozen { abort("the server stopped") } else { close(WebSocketClosing(code: 1001, reason: "going away")) }
    }

    func abort(_ words: String) {
        tellUnlessOver(words)
        context?.flush()
        if connection.isTLS { return leaveToMicrohttpd() }
        connection.cut()
        context?.close(promise: nil)
    }

    func reset() {
        tellUnlessOver("reset")
        context?.flush()
        connection.reset()
        context?.close(promise: nil)
    }

    /// Under TLS, where only the real socket shows it: the client will send no more. Ending our side makes libmicrohttpd pass on what it has
    /// received, and then end the channel.
    func clientHungUp() {
        hungUp()
        context?.close(mode: .output, promise: nil)
    }

    /// Sends a close frame after which nothing is awaited.
    private func sendLast(_ closing: WebSocketClosing, isExpected: Bool) {
        guard let context else { return }
        within(limits.closing) { $0.abandon() }
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.whenSuccess { bound.value.endTCP(afterLingering: !isExpected) }
        write(.connectionClose, ByteBuffer(bytes: closing.payload), sent)
    }

    /// Ends the connection once what was sent has gone out.
    ///
    /// - Parameter lingers: the client may well be sending still. Under TLS there is no half-closing: then it is given a moment to stop.
    private func endTCP(afterLingering lingers: Bool) {
        guard let context else { return }
        if !connection.isTLS {
            context.close(mode: .output, promise: nil)
            within(lingers ? limits.lingering : limits.lingering / 10) { $0.abandon() }
        } else if lingers {
            lingersUntilSilence = true
            linger()
        } else {
            leaveToMicrohttpd()
        }
    }

    /// Under TLS: waits until the client has sent nothing for a while.
    func linger() {
        guard lingersUntilSilence else { return }
        within(limits.lingering / 4) { $0.leaveToMicrohttpd() }
    }

    /// Under TLS: libmicrohttpd sends the rest and says goodbye. A client that does not read is not waited for longer than this.
    private func leaveToMicrohttpd() {
        guard let context else { return }
        let connection = connection
        context.eventLoop.scheduleTask(in: TimeAmount(limits.closing)) { connection.cut() }
        context.close(promise: nil)
    }

    private func abandon() {
        if case .closing(let ours) = stage { tell(ours.end()) }
        connection.cut()
        context?.close(promise: nil)
    }

    private func tellUnlessOver(_ words: String) {
        switch stage {
        case .open: tell(WebSocketEnd(by: .server, code: nil, reason: words))
        case .closing(let ours): tell(ours.end())
        case .over: break
        }
    }

    /// One timer at a time.
    private func within(_ limit: Duration, _ action: @escaping @Sendable (WebSocketSession) -> Void) {
        timer?.cancel()
        guard let loop = context?.eventLoop else { return }
        let bound = NIOLoopBound(self, eventLoop: loop)
        timer = loop.scheduleTask(in: TimeAmount(limit)) { action(bound.value) }
    }
}

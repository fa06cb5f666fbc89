import SparringLoop

/// The ways in which a socket ends (RFC 6455 §7).
extension WebSocketSession {
    /// A close frame came in.
    func clientCloses(_ payload: [UInt8]) {
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
        stream?.write(.close, closing.payload)
        within(limits.closing) { $0.abandon() }
    }

    func goAway() {
        if isFrozen { abort("the server stopped") } else { close(WebSocketClosing(code: 1001, reason: "going away")) }
    }

    func abort(_ words: String) {
        tellUnlessOver(words)
        stream?.flush()
        if connection.isTLS { return leaveToMicrohttpd() }
        connection.cut()
        finish()
    }

    func reset() {
        tellUnlessOver("reset")
        stream?.flush()
        connection.reset()
        finish()
    }

    /// Under TLS, where only the real socket shows it: the client will send no more. Ending our side makes libmicrohttpd pass on what it has
    /// received, and then end the stream.
    func clientHungUp() {
        peerHasLeft()
        stream?.shutdownSending()
    }

    /// Sends a close frame after which nothing is awaited.
    private func sendLast(_ closing: WebSocketClosing, isExpected: Bool) {
        within(limits.closing) { $0.abandon() }
        lingersAfterLast = !isExpected
        stream?.write(.close, closing.payload, .last)
    }

    /// The kernel has taken the frame after which nothing is awaited.
    func lastIsOut() { endTCP(afterLingering: lingersAfterLast) }

    /// Ends the connection once what was sent has gone out.
    ///
    /// - Parameter lingers: the client may well be sending still. Under TLS there is no half-closing: then it is given a moment to stop.
    private func endTCP(afterLingering lingers: Bool) {
        if !connection.isTLS {
            stream?.shutdownSending()
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
        guard stream != nil else { return }
        loop.after(limits.closing) { [connection] in connection.cut() }
        finish()
    }

    private func abandon() {
        if case .closing(let ours) = stage { tell(ours.end()) }
        connection.cut()
        finish()
    }

    private func tellUnlessOver(_ words: String) {
        switch stage {
        case .open: tell(WebSocketEnd(by: .server, code: nil, reason: words))
        case .closing(let ours): tell(ours.end())
        case .over: break
        }
    }

    /// One timer at a time.
    private func within(_ limit: Duration, _ action: @escaping (WebSocketSession) -> Void) {
        timer.take().map(loop.cancel)
        guard stream != nil else { return }
        timer = loop.after(limit) { [self] in
            timer = nil
            action(self)
        }
    }
}

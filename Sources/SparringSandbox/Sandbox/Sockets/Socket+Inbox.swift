import SparringLocks

/// The messages that the client has sent, taken up one at a time.
extension Socket {
    /// Messages that wait for the one before them, whatever they are, and their bytes. Where there are more, the client is not read from until half of
    /// them have been answered: TCP holds it back.
    static let inboxLimit = (messages: 256, bytes: 4 << 20)

    /// - Returns: true where the message is to be taken up now; otherwise it waits for the one before it.
    package func enqueue(_ message: SocketMessage) -> Bool {
        if line.isClosed { return false }
        let (isTurn, isNowFull) = state.withLock { state in
            guard state.isBusy else {
                state.isBusy = true
                return (true, false)
            }
            state.inbox.append(message)
            state.inboxBytes += message.bytes.count
            let wasFull = state.isFull
            state.isFull = wasFull || state.inbox.count > Self.inboxLimit.messages || state.inboxBytes > Self.inboxLimit.bytes
            return (false, state.isFull && !wasFull)
        }
        if isNowFull { line.setReading(false) }
        return isTurn
    }

    /// A message has been answered: the next one.
    ///
    /// - Returns: nil where there is none, or the socket has been closed or cut. What its client sent before it saw that is never taken, however
    ///   fast it came: a fault that ends a socket replays exactly.
    package func next() -> SocketMessage? {
        let isClosed = line.isClosed
        let (message, hasRoom) = state.withLock { state -> (SocketMessage?, Bool) in
            if isClosed { (state.inbox, state.inboxBytes) = ([], 0) }
            let message = state.inbox.popFirst()
            if let message { state.inboxBytes -= message.bytes.count } else { state.isBusy = false }
            let hasRoom = state.inbox.count <= Self.inboxLimit.messages / 2 && state.inboxBytes <= Self.inboxLimit.bytes / 2
            guard state.isFull, hasRoom else { return (message, false) }
            state.isFull = false
            return (message, true)
        }
        if hasRoom { line.setReading(true) }
        return message
    }

    /// Messages of one socket that its channel does not know and that have entries of their own; any further ones are only counted.
    package static let mostMisunderstood = 1_000

    /// Counts a message that the channel does not know.
    ///
    /// - Returns: its position among those of the socket, from 1.
    package func countMisunderstood() -> Int {
        state.withLock { state in
            state.misunderstood += 1
            return state.misunderstood
        }
    }

    /// Messages that the channel did not know.
    package var misunderstood: Int { state.withLock { $0.misunderstood } }

    /// Messages that wait.
    var waiting: Int { state.withLock { $0.inbox.count } }
}

import Dispatch
import SparringHTTP
import SparringLocks

/// The client's end of a socket that has no connection: it was opened straight in the pipeline.
final class ReplayWire: WebSocketWire {
    private struct State {
        var handler: (any WebSocketHandler)?
        /// The end of a socket that nobody handles yet.
        var early: WebSocketEnd?
        var arrived: [[UInt8]] = []
        var count = 0
        /// Messages that the client has sent and the server has not read.
        var sent: [(bytes: [UInt8], isBinary: Bool)] = []
        var isRead = true
        var end: WebSocketEnd?
    }

    private let state = Mutex(State())
    /// The handler is called here, one call at a time, and never by the sender.
    private let queue = DispatchQueue(label: "replayed socket")

    init(_ upgrade: WebSocketUpgrade) {
        let handler = upgrade.opened(self)
        let early = state.withLock { state in
            state.handler = handler
            return state.early
        }
        // The server may close what it opens.
        if let early { queue.async { [self] in handler.closed(early, on: self) } }
    }

    // MARK: The client's end

    func say(_ bytes: [UInt8], isBinary: Bool) {
        state.withLock { $0.sent.append((bytes, isBinary)) }
        queue.async { [self] in read() }
    }

    private func read() {
        while let (handler, message) = state.withLock({ state -> ((any WebSocketHandler), (bytes: [UInt8], isBinary: Bool))? in
            guard state.isRead, state.end == nil, !state.sent.isEmpty, let handler = state.handler else { return nil }
            return (handler, state.sent.removeFirst())
        }) {
            if message.isBinary {
                handler.received(binary: message.bytes, on: self)
            } else {
                handler.received(text: message.bytes, on: self)
            }
        }
    }

    func leave(_ code: Int?) {
        end(WebSocketEnd(by: .client, code: code.map { UInt16(truncatingIfNeeded: $0) }, reason: "", isClean: code != nil))
    }

    /// How many messages have come, those included that have been taken.
    var count: Int { state.withLock { $0.count } }
    /// How it ended; nil: it is open.
    var end: WebSocketEnd? { state.withLock { $0.end } }

    /// Waits until the server's handler has been given all that the client did: the handler runs beside the replay, and an act
    /// that was recorded after the client had left must not find the client there.
    func handled() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    /// Takes what has come.
    func taken() -> [[UInt8]] {
        state.withLock { state in
            defer { state.arrived = [] }
            return state.arrived
        }
    }

    // MARK: The server's end

    func send(text: [UInt8], fragments length: Int?, pings: Bool) { send(text: text) }

    func send(text: [UInt8]) {
        state.withLock { state in
            guard state.end == nil else { return }
            state.arrived.append(text)
            state.count += 1
        }
    }

    func send(binary: [UInt8]) { send(text: binary) }
    func close(_ code: UInt16, _ reason: String) { end(WebSocketEnd(by: .server, code: code, reason: reason, isClean: true)) }
    func abort() { end(WebSocketEnd(by: .server, code: nil, reason: "")) }
    func reset() { end(WebSocketEnd(by: .server, code: nil, reason: "")) }
    func freeze() {}

    func setReading(_ isOn: Bool) {
        state.withLock { $0.isRead = isOn }
        queue.async { [self] in read() }
    }

    var unsent: Int { 0 }
    let connection = 1
    let isTLS = false

    private func end(_ end: WebSocketEnd) {
        let handler: (any WebSocketHandler)? = state.withLock { state in
            guard state.end == nil else { return nil }
            state.end = end
            if state.handler == nil { state.early = end }
            return state.handler
        }
        if let handler { queue.async { [self] in handler.closed(end, on: self) } }
    }
}

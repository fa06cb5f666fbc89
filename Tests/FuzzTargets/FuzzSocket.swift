import Dispatch
import SparringHTTP
import SparringJSON
import SparringLocks

/// The client's end of a WebSocket that has no connection.
final class FuzzSocket: WebSocketWire {
    private struct State {
        var handler: (any WebSocketHandler)?
        var arrived: [JSON] = []
        var asked = 0
        var answered = 0
        var isOver = false
    }

    private let state = Mutex(State())
    private let changed = DispatchSemaphore(value: 0)
    /// The handler is called here, one call at a time.
    private let queue = DispatchQueue(label: "fuzz socket")

    init(_ upgrade: WebSocketUpgrade) {
        let handler = upgrade.opened(self)
        state.withLock { $0.handler = handler }
    }

    // MARK: The client's end

    /// Sends a text, and returns what came until it was answered, the socket ended, or the time was over.
    func say(_ text: [UInt8], _ milliseconds: Int) -> JSON {
        state.withLock { $0.asked += 1 }
        // A client that sends invalid UTF-8 is closed before the handler sees any of it (RFC 6455 §8.1).
        let text = Array(String(decoding: text, as: UTF8.self).utf8)
        queue.async { [self] in
            guard let handler = state.withLock({ $0.isOver ? nil : $0.handler }) else { return }
            handler.received(text: text, on: self)
        }
        let deadline = DispatchTime.now() + .milliseconds(milliseconds)
        while state.withLock({ !$0.isOver && $0.answered < $0.asked }), changed.wait(timeout: deadline) == .success {}
        return state.withLock { state in
            defer { state.arrived = [] }
            state.answered = state.asked
            return .array(state.arrived)
        }
    }

    /// - Parameter code: of the close frame; nil: there is none.
    func leave(_ code: Int?) {
        end(WebSocketEnd(by: .client, code: code.map { UInt16(truncatingIfNeeded: $0) }, reason: "", isClean: code != nil))
    }

    // MARK: The server's end

    func send(text: [UInt8], fragments length: Int?, pings: Bool) { send(text: text) }

    func send(text: [UInt8]) {
        let message = try? JSON(parsing: text)
        state.withLock { state in
            if let message { state.arrived.append(message) }
            if message?["kind"] != "notification" { state.answered += 1 }
        }
        changed.signal()
    }

    func send(binary: [UInt8]) {}
    func close(_ code: UInt16, _ reason: String) { end(WebSocketEnd(by: .server, code: code, reason: reason, isClean: true)) }
    func abort() { end(WebSocketEnd(by: .server, code: nil, reason: "")) }
    func reset() { end(WebSocketEnd(by: .server, code: nil, reason: "")) }
    func freeze() { state.withLock { $0.isOver = true } }
    func setReading(_ isReading: Bool) {}
    var unsent: Int { 0 }
    let connection = 1
    let isTLS = false

    private func end(_ end: WebSocketEnd) {
        let isFirst = state.withLock { state in
            defer { state.isOver = true }
            return !state.isOver
        }
        changed.signal()
        if isFirst { queue.async { [self] in state.withLock { $0.handler }?.closed(end, on: self) } }
    }
}

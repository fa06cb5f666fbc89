import Foundation
public import SparringHTTP
import SparringJSON
import SparringLocks

/// A WebSocket without a connection: the client's end of one that was opened straight in the pipeline.
public final class MemorySocket: WebSocketWire, TestSocket {
    private struct State {
        var handler: (any WebSocketHandler)?
        /// The end of a socket that nobody handles yet.
        var early: WebSocketEnd?
        var arrived: [SocketClient.Event] = []
        var waiter: CheckedContinuation<Void, Never>?
        /// The messages that the client has sent and the server has not read.
        var sent: [String] = []
        var isRead = true
        var isOver = false
    }

    private let state = Mutex(State())
    /// The handler is called here, one call at a time, and never by the sender.
    private let queue = DispatchQueue(label: "memory socket")

    package init(_ upgrade: WebSocketUpgrade) {
        let handler = upgrade.opened(self)
        let early = state.withLock { state in
            state.handler = handler
            return state.early
        }
        // The server may close what it opens.
        if let early { queue.async { [self] in handler.closed(early, on: self) } }
    }

    // MARK: The client's end

    public func sendText(_ text: String) {
        state.withLock { $0.sent.append(text) }
        queue.async { [self] in read() }
    }

    private func read() {
        while let (handler, text) = state.withLock({ state -> ((any WebSocketHandler), String)? in
            guard state.isRead, !state.isOver, !state.sent.isEmpty, let handler = state.handler else { return nil }
            return (handler, state.sent.removeFirst())
        }) {
            handler.received(text: Array(text.utf8), on: self)
        }
    }

    public func close(_ code: Int) {
        end(WebSocketEnd(by: .client, code: UInt16(code), reason: "", isClean: true), told: .closed(code: code, reason: ""))
    }

    public func next() async throws -> SocketClient.Event {
        let deadline = DispatchWorkItem { [self] in wake() }
        queue.asyncAfter(deadline: .now() + 60, execute: deadline)
        defer { deadline.cancel() }
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.arrived.isEmpty { state.waiter = continuation }
                return !state.arrived.isEmpty
            }
            if isThere { continuation.resume() }
        }
        guard let event = state.withLock({ $0.arrived.isEmpty ? nil : $0.arrived.removeFirst() }) else {
            throw RawClient.Failed(description: "nothing came on the socket")
        }
        return event
    }

    public func unread() async throws -> [SocketClient.Event] { state.withLock { $0.arrived } }

    /// Takes what has come.
    public func taken() -> [SocketClient.Event] {
        state.withLock { state in
            defer { state.arrived = [] }
            return state.arrived
        }
    }

    /// Returns when the server has been handed all that was sent until now.
    public func settled() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    private func arrive(_ event: SocketClient.Event) {
        state.withLock { $0.arrived.append(event) }
        wake()
    }

    private func wake() {
        state.withLock { state -> CheckedContinuation<Void, Never>? in
            defer { state.waiter = nil }
            return state.waiter
        }?.resume()
    }

    // MARK: The server's end

    public func send(text: [UInt8], fragments length: Int?, pings: Bool) { send(text: text) }

    public func send(text: [UInt8]) {
        guard !state.withLock({ $0.isOver }), let message = try? JSON(parsing: text) else { return }
        arrive(.message(message))
    }

    public func send(binary: [UInt8]) {}

    public func close(_ code: UInt16, _ reason: String) {
        end(WebSocketEnd(by: .server, code: code, reason: reason, isClean: true), told: .closed(code: Int(code), reason: reason))
    }

    public func abort() { end(WebSocketEnd(by: .server, code: nil, reason: ""), told: .ended(.closed)) }
    public func reset() { end(WebSocketEnd(by: .server, code: nil, reason: ""), told: .ended(.reset)) }
    public func freeze() { state.withLock { $0.isOver = true } }

    public func setReading(_ isOn: Bool) {
        state.withLock { $0.isRead = isOn }
        queue.async { [self] in read() }
    }

    public var unsent: Int { 0 }
    public let connection = 1
    public let isTLS = false

    private func end(_ end: WebSocketEnd, told event: SocketClient.Event) {
        let isFirst = state.withLock { state in
            defer { state.isOver = true }
            return !state.isOver
        }
        guard isFirst else { return }
        if end.by == .server { arrive(event) }
        let handler = state.withLock { state in
            if state.handler == nil { state.early = end }
            return state.handler
        }
        if let handler { queue.async { [self] in handler.closed(end, on: self) } }
    }
}

import NIOCore
import NIOWebSocket
import SparringLocks

/// The server's end of a WebSocket (RFC 6455). All methods may be called from any thread; what one thread sends keeps its order.
package final class WebSocket: WebSocketWire {
    private struct State {
        var unsent = 0
        /// Nothing more is taken for sending.
        var isClosing = false
        /// Nothing more is taken from the client.
        var isDeaf = false
        /// The TCP connection has ended.
        var isOver = false
    }

    package let connection: Int
    package let isTLS: Bool

    private let limits: WebSocketLimits
    private let session: NIOLoopBound<WebSocketSession>
    private let loop: any EventLoop
    private let state = Mutex(State())

    init(connection: UpgradedConnection, limits: WebSocketLimits, session: NIOLoopBound<WebSocketSession>, loop: any EventLoop) {
        self.connection = connection.number
        isTLS = connection.isTLS
        self.limits = limits
        self.session = session
        self.loop = loop
    }

    package func send(text: [UInt8]) { send(.text, text) }
    package func send(binary: [UInt8]) { send(.binary, binary) }

    package func close(_ code: UInt16, _ reason: String) {
        let closing = code == 1005 ? WebSocketClosing(code: nil, reason: "") : WebSocketClosing(code: code, reason: reason)
        finally { $0.close(closing) }
    }

    package func abort() { finally(isDeaf: true) { $0.abort("aborted") } }
    package func reset() { finally(isDeaf: true) { $0.reset() } }
    package func freeze() { finally(isDeaf: true) { $0.freeze() } }
    package func setReading(_ isOn: Bool) { perform { $0.setReading(isOn) } }

    package var unsent: Int { state.withLock { $0.unsent } }

    /// 1001, unless the socket is frozen: then it just ends.
    func goAway() { finally { $0.goAway() } }

    /// Whether messages still interest anybody.
    var isOpen: Bool { state.withLock { !$0.isClosing } }

    /// Whether the client's frames still count.
    var isDeaf: Bool { state.withLock { $0.isDeaf } }

    /// The kernel has taken a frame of so many bytes, or never will.
    func sent(_ count: Int) { state.withLock { $0.unsent -= count + WebSocketLimits.frameOverhead } }

    /// From now on the session gets no more calls.
    func ended() {
        state.withLock { state in
            state.isClosing = true
            state.isOver = true
        }
    }

    private func send(_ opcode: WebSocketOpcode, _ bytes: [UInt8]) {
        let isTooMuch = state.withLock { state in
            guard !state.isClosing else { return false }
            let unsent = state.unsent + bytes.count + WebSocketLimits.frameOverhead
            guard unsent <= limits.unsent else {
                state.isClosing = true
                return true
            }
            state.unsent = unsent
            // Under the lock, so that the loop does not end in between.
            loop.execute { [session] in session.value.send(opcode, bytes) }
            return false
        }
        if isTooMuch { finally(isDeaf: true) { [limits] in $0.abort("more than \(limits.unsent) bytes unsent: the client does not read") } }
    }

    /// The client has closed its side, as the real socket of a TLS connection tells.
    func clientHungUp() { perform { $0.clientHungUp() } }

    private func finally(isDeaf: Bool = false, _ action: @escaping @Sendable (WebSocketSession) -> Void) {
        state.withLock { state in
            state.isClosing = true
            if isDeaf { state.isDeaf = true }
        }
        perform(action)
    }

    private func perform(_ action: @escaping @Sendable (WebSocketSession) -> Void) {
        state.withLock { state in
            guard !state.isOver else { return }
            loop.execute { [session] in action(session.value) }
        }
    }
}

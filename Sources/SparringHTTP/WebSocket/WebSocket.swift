import SparringLocks
import SparringLoop

/// The server's end of a WebSocket (RFC 6455). All methods may be called from any thread; what is sent goes out in the order of the calls.
package final class WebSocket: WebSocketWire {
    /// Something to be done with it on the loop.
    enum Command: Sendable {
        case send(WebSocketOpcode, [UInt8])
        case sendInFragments([UInt8], length: Int?, pings: Bool)
        /// Answers the pings that have come.
        case pong
        case close(WebSocketClosing)
        /// 1001, unless the socket is frozen: then it just ends.
        case goAway
        /// - Parameter words: why, for the handler.
        case abort(_ words: String)
        case reset
        case freeze
        case setReading(Bool)
    }

    private struct State {
        var commands: [Command] = []
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
    private let session: LoopBound<WebSocketSession>
    private let state = Mutex(State())

    /// To be made on the loop.
    init(_ session: WebSocketSession) {
        connection = session.connection.number
        isTLS = session.connection.isTLS
        limits = session.limits
        self.session = LoopBound(on: session.loop, session)
    }

    package func send(text: [UInt8]) { send(.text, text) }
    package func send(binary: [UInt8]) { send(.binary, binary) }
    package func send(text: [UInt8], fragments length: Int?, pings: Bool) {
        send(.sendInFragments(text, length: length, pings: pings), text.count)
    }

    package func close(_ code: UInt16, _ reason: String) {
        let closing = code == 1005 ? WebSocketClosing(code: nil, reason: "") : WebSocketClosing(code: code, reason: reason)
        finally(.close(closing))
    }

    package func abort() { finally(.abort("aborted"), isDeaf: true) }
    package func reset() { finally(.reset, isDeaf: true) }
    package func freeze() { finally(.freeze, isDeaf: true) }
    package func setReading(_ isOn: Bool) { perform(.setReading(isOn)) }

    package var unsent: Int { state.withLock { $0.unsent } }

    func goAway() { finally(.goAway) }

    /// Answers pings after what has been sent already.
    func pong() { perform(.pong) }

    /// Whether messages still interest anybody.
    var isOpen: Bool { state.withLock { !$0.isClosing } }

    /// Whether the client's frames still count.
    var isDeaf: Bool { state.withLock { $0.isDeaf } }

    /// The kernel has taken a frame of so many bytes, or never will.
    func sent(_ count: Int) { state.withLock { $0.unsent -= count + WebSocketLimits.frameOverhead } }

    /// From now on nothing is done any more.
    func ended() {
        state.withLock { state in
            state.commands = []
            state.unsent = 0
            state.isClosing = true
            state.isOver = true
        }
    }

    private func send(_ opcode: WebSocketOpcode, _ bytes: [UInt8]) { send(.send(opcode, bytes), bytes.count) }

    private func send(_ command: Command, _ count: Int) {
        let unsent: Int? = state.withLock { state in
            if state.isClosing { return nil }
            state.unsent += count + WebSocketLimits.frameOverhead
            return state.unsent
        }
        guard let unsent else { return }
        if unsent <= limits.unsent { return perform(command) }
        finally(.abort("more than \(limits.unsent) bytes unsent: the client does not read"), isDeaf: true)
    }

    private func finally(_ command: Command, isDeaf: Bool = false) {
        state.withLock { state in
            state.isClosing = true
            if isDeaf { state.isDeaf = true }
        }
        perform(command)
    }

    /// Queues a command. It is performed on the loop, once the handler's method that may be under way has returned.
    private func perform(_ command: Command) {
        let isFirst = state.withLock { state in
            guard !state.isOver else { return false }
            state.commands.append(command)
            return state.commands.count == 1
        }
        guard isFirst else { return }
        if session.loop.isCurrent {
            session.loop.afterTurn { [self] in performAll() }
        } else {
            session.loop.submit { [self] in performAll() }
        }
    }

    /// Performs what is to be done, on the loop.
    func performAll() {
        let commands = state.withLock { state in
            defer { state.commands = [] }
            return state.commands
        }
        for command in commands { session.value.perform(command) }
    }
}

import SparringJournal
import SparringLocks
import SparringVariation

/// The output of a socket, in order: it waits while the upgrade is under way and while a delay lasts.
final class SocketLine: Sendable {
    private enum Piece: Sendable {
        case text([UInt8], SocketReply, FrameVariation?)
        case close(UInt16, String)
        /// Sandbox time, and what it is in words.
        case delay(Duration, String)
        case cut(@Sendable (any SocketWire) -> Void)
    }

    private struct State {
        var wire: (any SocketWire)?
        var queue: ArraySlice<Piece> = []
        /// The alarm that ends the delay; 0 while it is being set.
        var delay: Int?
        /// The messages that are to be sent after the next one.
        var overtaken: [(text: [UInt8], reply: SocketReply)] = []
        var isOver = false
        /// The wire has had to end at once.
        var isCut = false
        /// The wire has been closed or cut.
        var isClosed = false
        /// Why Sparring ended it, for the journal.
        var farewell: Cause?
    }

    private let clock: SandboxClock
    private let state = Mutex(State(), .first)

    init(clock: SandboxClock) { self.clock = clock }

    var farewell: Cause? { state.withLock { $0.farewell } }

    /// The wire has had to end at once, and says when it has.
    var isCut: Bool { state.withLock { $0.isCut } }

    /// The wire has been closed or cut: its client has yet to see that.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// The upgrade is through: what was to be sent meanwhile goes out.
    func attach(_ wire: any SocketWire) {
        state.withLock { $0.wire = wire }
        advance()
    }

    /// - Parameter changes: made in this order.
    func send(
        _ text: [UInt8], _ reply: SocketReply, _ changes: [MessageChange] = [], as frames: FrameVariation? = nil,
        after delay: (Duration, what: String)? = nil
    ) {
        if let delay { add(.delay(delay.0, delay.what)) }
        var copies = MessageChange.Copies(texts: [text])
        for change in changes { change.make(&copies) }
        if copies.isLate {
            state.withLock { [copies] in $0.overtaken += copies.texts.map { ($0, reply) } }
        } else {
            for text in copies.texts { add(.text(text, reply, frames)) }
        }
    }

    /// - Parameter cause: why, for the journal.
    func close(_ code: UInt16, _ reason: String, cause: Cause) {
        state.withLock { $0.farewell = $0.farewell ?? cause }
        add(.close(code, reason))
    }

    /// Something waits for a client that polls.
    var hasWaiting: Bool { state.withLock { $0.wire?.hasWaiting ?? false } }

    /// Whether more is read from the client.
    func setReading(_ isOn: Bool) { state.withLock { $0.wire?.setReading(isOn) } }

    /// At once, whatever else waits.
    func cut(cause: Cause, _ action: @escaping @Sendable (any SocketWire) -> Void) {
        state.withLock { state in
            state.farewell = state.farewell ?? cause
            if !state.isOver { state.queue = [.cut(action)] }
        }
        release()
    }

    /// Ends a delay, however long it would last still.
    func release() {
        let delay = state.withLock { state in
            defer { state.delay = nil }
            return state.delay
        }
        if let delay { clock.cancel(alarm: delay) }
        advance()
    }

    /// The socket has ended.
    func end() {
        let delay = state.withLock { state in
            defer {
                state.isOver = true
                state.queue = []
                state.overtaken = []
                state.wire = nil
                state.delay = nil
            }
            return state.delay
        }
        if let delay { clock.cancel(alarm: delay) }
    }

    private func add(_ piece: Piece) {
        state.withLock { if !$0.isOver { $0.queue.append(piece) } }
        advance()
    }

    /// Sends what can be sent.
    private func advance() {
        let delay = state.withLock { state -> (Duration, String)? in
            guard let wire = state.wire, state.delay == nil else { return nil }
            while let piece = state.queue.popFirst() {
                switch piece {
                case .text(let text, let reply, let frames):
                    wire.send(text: text, reply, as: frames)
                    for late in state.overtaken { wire.send(text: late.text, late.reply, as: nil) }
                    state.overtaken = []
                case .close(let code, let reason):
                    state.isClosed = true
                    wire.close(code, reason)
                case .cut(let action):
                    (state.isCut, state.isClosed) = (true, true)
                    action(wire)
                case .delay(let duration, let what):
                    state.delay = 0
                    return (duration, what)
                }
            }
            return nil
        }
        if let delay { wait(delay.0, delay.1) }
    }

    private func wait(_ duration: Duration, _ what: String) {
        let work = SandboxClock.Work()
        let alarm = clock.alarm(at: clock.now + duration, what: what, work: work) { [self] in
            release()
            clock.ended(work)
        }
        // It may have rung already; where the process is ending, nothing will.
        state.withLock { if $0.delay == 0 { $0.delay = alarm } }
        if alarm == nil { advance() }
    }
}

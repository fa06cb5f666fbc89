public import SparringContract
public import SparringJournal
import SparringLocks
package import SparringVariation

/// A WebSocket of a sandbox, from the decision that lets it open to its end: what the engine and its vendor know of it.
public final class Socket: Sendable {
    /// Counted from 1 in its sandbox.
    public let number: Int
    public let channel: ContractChannel
    public let sandbox: Sandbox
    public let tenant: Tenant
    /// The opening request as it was sent; each message's call carries its parameters and headers.
    package let request: RequestParts
    /// The address by which the client reached this server.
    public let base: String
    /// The call that began it where the client polls: each of its requests brings messages, and takes along what is to be sent.
    let poller: ContractOperation?
    public var isPolled: Bool { poller != nil }
    /// The call that opened it, for the journal.
    package var opener: ContractOperation { poller ?? channel.opener }
    /// The header of its opening names who is at the other end, no matter who signs in over it.
    package let isLaneGiven: Bool

    struct State {
        var lane: String
        var owner: String?
        var session: String?
        /// Endings that come after so many more messages of the client's.
        var plans: [(left: Int, ending: Fault.Ending)] = []
        /// On the clock.
        var alarms: [Int] = []
        var isClosed = false
        /// Its end is in the journal.
        var isOver = false
        /// Called then.
        var afterEnd: [@Sendable () -> Void] = []
        var isFrozen = false
        var isLeaving = false
        var lastTraffic: Timestamp
        var memory: [String: any Sendable] = [:]
        var inbox: ArraySlice<SocketMessage> = []
        /// The size of the messages in the inbox.
        var inboxBytes = 0
        /// Nothing more is read from the client for now.
        var isFull = false
        var isBusy = false
        /// Messages that the channel does not know.
        var misunderstood = 0
        var timers: [String: Timer] = [:]
        var timerCount = 0
    }

    struct Timer {
        var number: Int
        var cancel: @Sendable () -> Void
    }

    let line: SocketLine
    let state: Mutex<State>
    /// Hears of a timer that has come due. Set once, before the first timer is.
    let timerFired: @Sendable (Socket, String, SandboxClock.Work) -> Void

    package init(
        number: Int, channel: ContractChannel, sandbox: Sandbox, tenant: Tenant, request: RequestParts, base: String,
        lane: String, isLaneGiven: Bool, poller: ContractOperation? = nil,
        timerFired: @escaping @Sendable (Socket, String, SandboxClock.Work) -> Void
    ) {
        self.number = number
        self.channel = channel
        self.sandbox = sandbox
        self.tenant = tenant
        self.request = request
        self.base = base
        self.isLaneGiven = isLaneGiven
        self.poller = poller
        self.timerFired = timerFired
        line = SocketLine(clock: sandbox.clock)
        state = Mutex(State(lane: lane, lastTraffic: sandbox.clock.now), .second)
    }

    /// The lane of the client at the other end, as far as it is known.
    public var lane: String { state.withLock { $0.lane } }

    /// Sets the lane, unless the socket's opening had the header `X-Sparring-Lane`, or the sandbox does not keep the name apart
    /// (``Sandbox/keepsApart(lane:)``). If the transaction is rolled back, so is this, like ``assign(to:)`` and ``remember(_:_:)``.
    public func identify(as lane: String) {
        if isLaneGiven { return }
        let lane = sandbox.lane(lane, else: self.lane)
        let before = state.withLock { state in
            defer { state.lane = lane }
            return state.lane
        }
        sandbox.effects.onRollback { [self] in state.withLock { $0.lane = before } }
    }

    /// The socket's owner, in the vendor's words; nil until it has been assigned.
    public var owner: String? { state.withLock { $0.owner } }

    /// Makes it `owner`'s, and no other's any more: ``Sandbox/openSockets(of:)`` finds it.
    public func assign(to owner: String) {
        let before = self.owner
        file(under: owner)
        sandbox.effects.onRollback { [self] in file(under: before) }
    }

    private func file(under owner: String?) {
        state.withLock { $0.owner = owner }
        sandbox.sockets.assign(self, to: owner)
    }

    /// A session of the vendor's that its client may take to another socket.
    package var session: String? { state.withLock { $0.session } }

    /// Makes it the socket that carries a session; nil: none any more. Within a transaction it goes back with it.
    public func carry(_ session: String?) {
        let before = self.session
        file(carrying: session, before: before)
        sandbox.effects.onRollback { [self] in file(carrying: before, before: session) }
    }

    private func file(carrying session: String?, before: String?) {
        state.withLock { $0.session = session }
        sandbox.sockets.carry(session, on: self, before: before)
    }

    /// Sandbox time at which something last came in.
    public var lastTraffic: Timestamp { state.withLock { $0.lastTraffic } }
    public var isOpen: Bool { state.withLock { !$0.isClosed } }

    /// Something the vendor keeps for as long as the socket lives.
    public func recall<Value: Sendable>(_ key: String) -> Value? { state.withLock { $0.memory[key] as? Value } }
    public func remember(_ key: String, _ value: some Sendable) {
        let before = state.withLock { $0.memory.updateValue(value, forKey: key) }
        sandbox.effects.onRollback { [self] in state.withLock { $0.memory[key] = before } }
    }

    public func forget(_ key: String) {
        let before = state.withLock { $0.memory.removeValue(forKey: key) }
        sandbox.effects.onRollback { [self] in state.withLock { $0.memory[key] = before } }
    }

    package func traffic() { traffic(at: sandbox.clock.now) }
    package func traffic(at time: Timestamp) { state.withLock { $0.lastTraffic = time } }

    // MARK: Sending

    /// Something waits for the client's next poll; false where it does not poll.
    public var hasWaiting: Bool { line.hasWaiting }

    package func attach(_ wire: any SocketWire) { line.attach(wire) }

    package func send(
        _ text: [UInt8], _ reply: SocketReply, _ changes: [MessageChange] = [], as frames: FrameVariation? = nil,
        after delay: (Duration, what: String)? = nil
    ) {
        line.send(text, reply, changes, as: frames, after: delay)
    }

    /// - Parameter cause: why, for the journal.
    package func close(_ code: UInt16, _ reason: String, cause: Cause) { line.close(code, reason, cause: cause) }

    package func abort(cause: Cause) { line.cut(cause: cause) { $0.abort() } }
    package func reset(cause: Cause) { line.cut(cause: cause) { $0.reset() } }
    func freeze(cause: Cause) {
        state.withLock { $0.isFrozen = true }
        line.cut(cause: cause) { $0.freeze() }
    }

    /// It has been closed or cut, and its client has yet to see that: nothing that is sent to it arrives. A frozen one is not, as far as its vendor knows.
    var isGoing: Bool { line.isClosed && !isFrozen }

    /// Nothing goes either way any more, though the connection stands: the client can see nothing that is done to the socket.
    public var isFrozen: Bool { state.withLock { $0.isFrozen } }

    /// Ends it as a fault specifies, from now on.
    package func end(_ how: Fault.Ending.How, cause: Cause) {
        switch how {
        case .close(let code, let reason): close(code, reason, cause: cause)
        case .abort: abort(cause: cause)
        case .freeze: freeze(cause: cause)
        }
    }

    /// Nothing waits for the sandbox's time any more.
    func release() { line.release() }

    package var farewell: Cause? { line.farewell }

    /// Its end has been decided, though it may not have been committed yet.
    package var isLeaving: Bool { state.withLock { $0.isLeaving } }

    /// Within a transaction it goes back with it.
    package func leave() {
        state.withLock { $0.isLeaving = true }
        sandbox.effects.onRollback { [self] in state.withLock { $0.isLeaving = false } }
    }

    // MARK: Endings to come

    /// Ends the socket after so many more messages of the client's, or at a time.
    package func plan(_ ending: Fault.Ending, onTime: @escaping @Sendable (SandboxClock.Work) -> Void) {
        guard let after = ending.after else {
            state.withLock { $0.plans.append((ending.afterFrames, ending)) }
            return
        }
        let work = SandboxClock.Work()
        let what = "socket \(number) of \(lane) is \(ending.words) by fault \(ending.by)"
        let alarm = sandbox.clock.alarm(at: sandbox.clock.now + after, what: what, work: work) { onTime(work) }
        if let alarm { state.withLock { $0.alarms.append(alarm) } }
    }

    /// Counts a message of the client's.
    ///
    /// - Returns: what ends the socket once it has been answered.
    package func endingsAfterMessage() -> [Fault.Ending] {
        state.withLock { state in
            for index in state.plans.indices { state.plans[index].left -= 1 }
            defer { state.plans.removeAll { $0.left <= 0 } }
            return state.plans.filter { $0.left <= 0 }.map {
                Fault.Ending(by: $0.ending.by, word: $0.ending.word, how: $0.ending.how, phase: .onResponseEnd)
            }
        }
    }

    // MARK: Timers

    /// Sets a timer that calls the vendor at `due`; replaces an earlier timer of the same name. Within a transaction it is set when
    /// that is committed.
    public func setTimer(_ name: String, at due: Timestamp) {
        sandbox.effects.afterCommit { [self] in startTimer(name, at: due) }
    }

    private func startTimer(_ name: String, at due: Timestamp) {
        let (number, before) = state.withLock { state in
            state.timerCount += 1
            return (state.timerCount, state.timers.updateValue(Timer(number: state.timerCount) {}, forKey: name))
        }
        before?.cancel()
        let what = "\(name) of socket \(self.number) (\(lane))"
        let work = SandboxClock.Work()
        let keep: (@escaping @Sendable () -> Void) -> Void = { [self] cancel in
            state.withLock { state in
                if state.timers[name]?.number == number { state.timers[name]?.cancel = cancel }
            }
        }
        sandbox.clock.wait(for: max(.zero, due - sandbox.clock.now), what: what, work: work, onSleep: keep) { [self] wake in
            let isMine = state.withLock { state in
                guard state.timers[name]?.number == number else { return false }
                state.timers[name] = nil
                return !state.isClosed
            }
            if case .due = wake, isMine { timerFired(self, name, work) } else { sandbox.clock.ended(work) }
        }
    }

    public func clearTimer(_ name: String) {
        sandbox.effects.afterCommit { [self] in state.withLock { $0.timers.removeValue(forKey: name) }?.cancel() }
    }

    /// Calls `body` once the journal has the end of a socket that was cut off, whose wire has still to say so; at once for every other socket.
    package func afterCut(_ body: @escaping @Sendable () -> Void) {
        let isCut = line.isCut
        let waits = state.withLock { state in
            guard isCut, !state.isFrozen, !state.isOver else { return false }
            state.afterEnd.append(body)
            return true
        }
        if !waits { body() }
    }

    /// The journal has its end.
    package func isOver() {
        let waiting = state.withLock { state in
            state.isOver = true
            defer { state.afterEnd = [] }
            return state.afterEnd
        }
        for body in waiting { body() }
    }

    /// - Returns: false where it had ended before.
    package func end() -> Bool {
        let (isFirst, timers, alarms) = state.withLock { state in
            defer {
                state.isClosed = true
                state.timers = [:]
                state.alarms = []
                state.inbox = []
                state.inboxBytes = 0
            }
            return (!state.isClosed, state.timers.values.map(\.cancel), state.alarms)
        }
        for cancel in timers { cancel() }
        for alarm in alarms { sandbox.clock.cancel(alarm: alarm) }
        line.end()
        return isFirst
    }
}

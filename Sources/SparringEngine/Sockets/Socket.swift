public import SparringContract
import SparringHTTP
public import SparringJournal
import SparringLocks

/// A WebSocket of a sandbox, from the decision that lets it open to its end: what the engine and its vendor know of it.
public final class Socket: Sendable {
    /// Counted from 1 in its sandbox.
    public let number: Int
    public let channel: ContractChannel
    public let sandbox: Sandbox
    public let tenant: Tenant
    /// As the opening request sent it; each message's call carries its parameters and headers.
    let request: RequestParts
    let head: RequestHead
    let base: String

    private struct State {
        var lane: String
        var owner: String?
        var wire: (any WebSocketWire)?
        /// What was sent before the upgrade was through.
        var unsent: [@Sendable (any WebSocketWire) -> Void] = []
        var isClosed = false
        var lastTraffic: Timestamp
        var memory: [String: any Sendable] = [:]
        var inbox: [[UInt8]] = []
        var isBusy = false
        var timers: [String: Timer] = [:]
        var timerCount = 0
        /// Why Sparring ended it, for the journal.
        var farewell: String?
    }

    struct Timer {
        var number: Int
        var cancel: @Sendable () -> Void
    }

    private let state: Mutex<State>
    /// Hears of a timer that has come due. Set once, before the first timer is.
    let timerFired: @Sendable (Socket, String, SandboxClock.Work) -> Void

    init(
        number: Int, channel: ContractChannel, sandbox: Sandbox, tenant: Tenant, request: RequestParts, head: RequestHead, base: String,
        lane: String, timerFired: @escaping @Sendable (Socket, String, SandboxClock.Work) -> Void
    ) {
        self.number = number
        self.channel = channel
        self.sandbox = sandbox
        self.tenant = tenant
        self.request = request
        self.head = head
        self.base = base
        self.timerFired = timerFired
        state = Mutex(State(lane: lane, lastTraffic: sandbox.clock.now))
    }

    /// Who is at the other end, as far as it is known.
    public var lane: String { state.withLock { $0.lane } }
    public func identify(as lane: String) { state.withLock { $0.lane = lane } }

    /// Whose socket it is, in the vendor's words; nil until it has been assigned.
    public var owner: String? { state.withLock { $0.owner } }

    /// Makes it `owner`'s, and no other's any more: ``Sandbox/openSockets(of:)`` finds it.
    public func assign(to owner: String) {
        state.withLock { $0.owner = owner }
        sandbox.sockets.assign(self, to: owner)
    }

    /// Sandbox time at which something last came in.
    public var lastTraffic: Timestamp { state.withLock { $0.lastTraffic } }
    public var isOpen: Bool { state.withLock { !$0.isClosed } }

    /// Something the vendor keeps for as long as the socket lives.
    public func recall<Value: Sendable>(_ key: String) -> Value? { state.withLock { $0.memory[key] as? Value } }
    public func remember(_ key: String, _ value: some Sendable) { state.withLock { $0.memory[key] = value } }

    func traffic() {
        let now = sandbox.clock.now
        state.withLock { $0.lastTraffic = now }
    }

    // MARK: Sending

    func send(_ text: [UInt8]) { perform { $0.send(text: text) } }

    /// - Parameter cause: why, for the journal.
    func close(_ code: UInt16, _ reason: String, cause: String) {
        state.withLock { $0.farewell = $0.farewell ?? cause }
        perform { $0.close(code, reason) }
    }

    func abort(cause: String) {
        state.withLock { $0.farewell = $0.farewell ?? cause }
        perform { $0.abort() }
    }

    func reset(cause: String) {
        state.withLock { $0.farewell = $0.farewell ?? cause }
        perform { $0.reset() }
    }

    var farewell: String? { state.withLock { $0.farewell } }

    /// The upgrade is through: what was to be sent meanwhile goes out.
    func attach(_ wire: any WebSocketWire) {
        state.withLock { state in
            state.wire = wire
            for action in state.unsent { action(wire) }
            state.unsent = []
        }
    }

    private func perform(_ action: @escaping @Sendable (any WebSocketWire) -> Void) {
        state.withLock { state in
            guard !state.isClosed else { return }
            if let wire = state.wire { action(wire) } else { state.unsent.append(action) }
        }
    }

    // MARK: Messages, one at a time

    /// - Returns: true where the message is to be taken up now; otherwise it waits for the one before it.
    func enqueue(_ message: [UInt8]) -> Bool {
        state.withLock { state in
            if state.isBusy {
                state.inbox.append(message)
                return false
            }
            state.isBusy = true
            return true
        }
    }

    /// A message has been answered: the next one.
    func next() -> [UInt8]? {
        state.withLock { state in
            guard !state.inbox.isEmpty else {
                state.isBusy = false
                return nil
            }
            return state.inbox.removeFirst()
        }
    }

    // MARK: Timers

    /// Calls the vendor's ``Vendor/timer(_:of:_:_:)`` at `due`; replaces an earlier timer of the same name.
    public func setTimer(_ name: String, at due: Timestamp) {
        let number = state.withLock { state in
            state.timers.removeValue(forKey: name)?.cancel()
            state.timerCount += 1
            state.timers[name] = Timer(number: state.timerCount) {}
            return state.timerCount
        }
        let what = "\(name) of socket \(self.number) (\(lane))"
        Task { [self] in
            let work = SandboxClock.Work()
            let wake = await sandbox.clock.sleep(for: max(.zero, due - sandbox.clock.now), what: what, work: work) { cancel in
                state.withLock { state in
                    if state.timers[name]?.number == number { state.timers[name]?.cancel = cancel }
                }
            }
            let isMine = state.withLock { state in
                guard state.timers[name]?.number == number else { return false }
                state.timers[name] = nil
                return !state.isClosed
            }
            if case .due = wake, isMine { timerFired(self, name, work) } else { sandbox.clock.ended(work) }
        }
    }

    public func clearTimer(_ name: String) { state.withLock { $0.timers.removeValue(forKey: name) }?.cancel() }

    /// - Returns: false where it had ended before.
    func end() -> Bool {
        let (isFirst, timers) = state.withLock { state in
            defer {
                state.isClosed = true
                state.timers = [:]
                state.unsent = []
                state.inbox = []
                state.wire = nil
            }
            return (!state.isClosed, state.timers.values.map(\.cancel))
        }
        for cancel in timers { cancel() }
        return isFirst
    }
}

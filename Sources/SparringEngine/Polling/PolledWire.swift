import Dispatch
import SparringLocks
import SparringSandbox
import SparringVariation

/// The wire of a client that polls (Bayeux 1.0 §2.2.2, §5.1): a request brings messages, and its response takes along what answers
/// them and what is to be sent besides.
final class PolledWire: SocketWire {
    /// The end of a request.
    enum Outcome: Sendable {
        case frames([[UInt8]])
        case reset, empty
    }

    private struct Poll {
        /// Messages that are still to be answered.
        var outstanding: Int
        var isHeld = false
        var frames: [[UInt8]] = []
        let finish: @Sendable (Outcome) -> Void
    }

    private struct State {
        /// Polls by their number, counted from 1.
        var polls: [Int: Poll] = [:]
        var last = 0
        /// Frames that wait for the next poll.
        var waiting: [[UInt8]] = []
        var isFrozen = false
        var isOver = false
    }

    /// Frames that wait for a client that does not poll; the oldest are dropped where there are more.
    private static let mostWaiting = 1_000

    private let state = Mutex(State())
    /// The queue on which callbacks run, because a sender holds locks of its own.
    private let queue = DispatchQueue(label: "sparring.polls")
    private let ended: @Sendable (_ code: UInt16?, _ reason: String) -> Void

    /// - Parameter ended: called once, with the code and the reason of a close frame; without them where the connections were cut.
    init(ended: @escaping @Sendable (_ code: UInt16?, _ reason: String) -> Void) { self.ended = ended }

    /// - Parameters:
    ///   - messages: how many it has brought.
    ///   - finish: called once, with what becomes of it.
    /// - Returns: its number; nil where the wire has ended: nothing is called then.
    func begin(messages: Int, finish: @escaping @Sendable (Outcome) -> Void) -> Int? {
        state.withLock { state in
            if state.isOver { return nil }
            state.last += 1
            state.polls[state.last] = Poll(outstanding: messages, finish: finish)
            return state.last
        }
    }

    /// One of its messages is over: answered, or held.
    func answered(_ poll: Int, isHeld: Bool) {
        settle { state in
            state.polls[poll]?.outstanding -= 1
            // What came meanwhile is taken along at once.
            if isHeld, state.waiting.isEmpty { state.polls[poll]?.isHeld = true }
            return Self.finish(poll, &state)
        }
    }

    /// Its client does not wait any more: what it was to take along waits for the next one.
    func abandon(_ poll: Int) {
        settle { state in
            guard let left = state.polls.removeValue(forKey: poll) else { return nil }
            state.waiting = left.frames + state.waiting
            return { left.finish(.empty) }
        }
    }

    var hasWaiting: Bool { state.withLock { !$0.waiting.isEmpty } }

    // MARK: SocketWire

    func send(text: [UInt8], _ reply: SocketReply, as frames: FrameVariation?) {
        settle { state in
            if case .message(let poll?) = reply, state.polls[poll] != nil {
                state.polls[poll]?.frames.append(text)
                return nil  // it is finished when the message is
            }
            guard let held = state.polls.filter(\.value.isHeld).keys.min() else {
                state.waiting = (state.waiting + [text]).suffix(Self.mostWaiting)
                return nil
            }
            state.polls[held]?.frames.append(text)
            guard case .held = reply else { return nil }
            state.polls[held]?.isHeld = false
            return Self.finish(held, &state)
        }
    }

    /// A held request gets no answer: its connection is closed, as it is when a server ends.
    func close(_ code: UInt16, _ reason: String) { over(code, reason) { $0.isEmpty ? .empty : .frames($0) } }

    func abort() { over(nil, "") { _ in .empty } }

    func reset() { over(nil, "") { _ in .reset } }

    func freeze() {
        settle { state in
            state.isFrozen = true
            return nil
        }
    }

    /// Each request is read whole before its messages are taken.
    func setReading(_ isOn: Bool) {}

    // MARK: -

    /// - Returns: what is to be called once the lock is free.
    private static func finish(_ number: Int, _ state: inout State) -> (@Sendable () -> Void)? {
        guard !state.isFrozen, let poll = state.polls[number], poll.outstanding <= 0, !poll.isHeld else { return nil }
        state.polls[number] = nil
        let frames = state.waiting + poll.frames
        state.waiting = []
        return { poll.finish(.frames(frames)) }
    }

    private func settle(_ change: (inout State) -> (@Sendable () -> Void)?) {
        guard let call = state.withLock({ change(&$0) }) else { return }
        queue.async(execute: call)
    }

    private func over(_ code: UInt16?, _ reason: String, _ outcome: ([[UInt8]]) -> Outcome) {
        let (isFirst, polls, waiting) = state.withLock { state in
            defer { (state.isOver, state.polls, state.waiting) = (true, [:], []) }
            return (!state.isOver, state.polls.sorted { $0.key < $1.key }.map(\.value), state.waiting)
        }
        guard isFirst else { return }
        for (index, poll) in polls.enumerated() {
            let outcome = outcome((index == 0 ? waiting : []) + poll.frames)
            queue.async { poll.finish(outcome) }
        }
        queue.async { [self] in ended(code, reason) }
    }
}

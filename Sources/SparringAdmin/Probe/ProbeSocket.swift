import SparringClient
import SparringJournal
import SparringLocks

/// The time of a probe, in which each moment has its own number.
final class ProbeClock: Sendable {
    private let state = Mutex((offset: Duration.zero, last: 0))

    /// A moment after all before it.
    func stamp() -> (time: Timestamp, number: Int) {
        state.withLock { state in
            state.last += 1
            return (Timestamp.now + state.offset, state.last)
        }
    }

    /// The vendor's clock was moved.
    func advance(by distance: Duration) { state.withLock { $0.offset += distance } }
}

/// The messages of a socket at the vendor.
final class ProbeSocket: Sendable {
    private struct State {
        var messages: [Archive.Message] = []
        var count = 0
        var end: (time: Timestamp, entry: Int, isByClient: Bool, code: Int?)?
    }

    private let clock: ProbeClock
    private let state = Mutex(State())

    init(_ clock: ProbeClock) { self.clock = clock }

    func take(_ event: ClientSocket.Event) {
        let (time, number) = clock.stamp()
        state.withLock { state in
            guard state.end == nil else { return }
            switch event {
            case .text(let bytes), .binary(let bytes):
                let isBinary = if case .binary = event { true } else { false }
                state.messages.append(
                    Archive.Message(isSent: false, time: time, isBinary: isBinary, bytes: bytes, own: (time, number)))
                state.count += 1
            case .closed(let code, _): state.end = (time, number, false, code)
            case .ended: state.end = (time, number, false, nil)
            }
        }
    }

    func note(sent bytes: [UInt8]) {
        let (time, number) = clock.stamp()
        state.withLock { $0.messages.append(Archive.Message(isSent: true, time: time, isBinary: false, bytes: bytes, own: (time, number))) }
    }

    /// The client closes it.
    func noteEnd(_ code: Int) {
        let (time, number) = clock.stamp()
        state.withLock { $0.end = $0.end ?? (time, number, true, code) }
    }

    /// How much has come, with its end.
    var count: Int { state.withLock { $0.count + ($0.end == nil ? 0 : 1) } }
    var hasEnded: Bool { state.withLock { $0.end != nil } }
    var messages: [Archive.Message] { state.withLock(\.messages) }
    var end: (time: Timestamp, entry: Int, isByClient: Bool, code: Int?)? { state.withLock(\.end) }
}

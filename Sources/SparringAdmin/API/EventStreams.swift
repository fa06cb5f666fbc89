import SparringHTTP
import SparringJSON
import SparringLocks

/// Answers that go on for as long as their reader stays: server-sent events (WHATWG HTML §9.2).
final class EventStreams: Sendable {
    private struct State {
        var open: [Int: ResponseStream] = [:]
        /// Open streams of each sandbox.
        var counts: [String: Int] = [:]
        var last = 0
        var isOver = false
    }

    private let state = Mutex(State())

    /// Readers of one sandbox at a time: each reads the store up to twenty times a second.
    static let limit = 64

    /// Opens one. `produce` writes to it until it returns or throws, or is cancelled because the reader has left.
    ///
    /// - Parameter sandbox: whose events they are.
    /// - Returns: nil where the sandbox has ``limit`` readers already.
    func open(of sandbox: String, _ produce: @escaping @Sendable (EventStream) async throws -> Void) -> ResponseStream? {
        let stream = ResponseStream()
        let (number, isFull) = state.withLock { state -> (Int?, Bool) in
            guard !state.isOver else { return (nil, false) }
            guard state.counts[sandbox, default: 0] < Self.limit else { return (nil, true) }
            state.counts[sandbox, default: 0] += 1
            state.last += 1
            state.open[state.last] = stream
            return (state.last, false)
        }
        if isFull { return nil }
        guard let number else {
            stream.finish()
            return stream
        }
        let task = Task { [self] in
            let events = EventStream(stream)
            events.keepAlive()  // so that the answer's head goes out at once
            try? await produce(events)
            stream.finish()
            state.withLock { state in
                state.open[number] = nil
                let left = state.counts[sandbox, default: 1] - 1
                state.counts[sandbox] = left > 0 ? left : nil
            }
        }
        stream.onCancel { task.cancel() }
        return stream
    }

    /// Bytes that readers have not taken yet.
    var waiting: Int { state.withLock { $0.open.values.map { $0 } }.reduce(0) { $0 + $1.waiting } }

    /// Ends all of them, those to come included.
    func end() {
        let open = state.withLock { state in
            defer { state.open = [:] }
            state.isOver = true
            return state.open.values.map { $0 }
        }
        for stream in open { stream.finish() }
    }
}

/// The writing end of one.
struct EventStream: Sendable {
    private let stream: ResponseStream

    fileprivate init(_ stream: ResponseStream) { self.stream = stream }

    /// Bytes that the reader has not taken yet.
    var waiting: Int { stream.waiting }

    /// - Parameter id: comes back as `Last-Event-ID` from a reader that has lost the connection; nil: what it had last.
    func send(_ event: String, id: Int? = nil, _ data: JSON) {
        let line = id.map { "id: \($0)\n" } ?? ""
        stream.append("\(line)event: \(event)\ndata: \(data.text)\n\n".utf8)
    }

    /// A comment, for whatever stands between and closes what is silent.
    func keepAlive() { stream.append(": still here\n\n".utf8) }
}

internal import CMicrohttpd
import Synchronization

/// A body that is made while it is sent. While there is nothing to send, the connection is suspended and holds no thread.
public final class ResponseStream: Sendable {
    private struct State {
        var pending: ArraySlice<UInt8> = []
        var isFinished = false
        var sleeper: Exchange.Connection?
        var onCancel: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    public init() {}

    /// Queues bytes; they are sent as the client takes them.
    public func append(_ bytes: some Sequence<UInt8>) {
        wake { $0.pending.append(contentsOf: bytes) }
    }

    /// Ends the body once what is queued has been sent.
    public func finish() { wake { $0.isFinished = true } }

    /// `action` is called if the client leaves before the end.
    public func onCancel(_ action: @escaping @Sendable () -> Void) { state.withLock { $0.onCancel = action } }

    func cancel() {
        let action = state.withLock { state in
            state.isFinished = true
            state.sleeper = nil
            return state.onCancel.take()
        }
        action?()
    }

    /// Called on the listener's thread when the socket can take more: fills `buffer`, or lets the connection sleep and returns 0, or
    /// returns nil at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer, of connection: Exchange.Connection) -> Int? {
        state.withLock { state in
            if state.pending.isEmpty {
                if state.isFinished { return nil }
                MHD_suspend_connection(connection.pointer)
                state.sleeper = connection
                return 0
            }
            let count = min(buffer.count, state.pending.count)
            buffer.copyBytes(from: state.pending.prefix(count))
            state.pending.removeFirst(count)
            if state.pending.isEmpty { state.pending = [] }
            return count
        }
    }

    private func wake(_ change: (inout State) -> Void) {
        let sleeper = state.withLock { state in
            if !state.isFinished { change(&state) }
            return state.sleeper.take()
        }
        if let sleeper { MHD_resume_connection(sleeper.pointer) }
    }
}

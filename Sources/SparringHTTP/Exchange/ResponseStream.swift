internal import CMicrohttpd
import SparringLocks
import SparringLoop

/// A body that is made while it is sent. While there is nothing to send, the connection is suspended and holds no thread.
public final class ResponseStream: Sendable {
    private struct State {
        var pending: ArraySlice<UInt8> = []
        var isFinished = false
        /// The client left, or the end was read: there is nothing to cancel any more, or nobody to send to.
        var isOver = false
        /// The client left, or the server waits for the end no longer.
        var isBrokenOff = false
        var sleeper: Sleeper?
        var onCancel: (@Sendable () -> Void)?
    }

    private struct Sleeper {
        let exchange: Exchange
        let watch: Loop.Watch
    }

    private let state = Mutex(State(), .first)

    package init() {}

    /// Queues bytes; they are sent as the client takes them.
    package func append(_ bytes: some Sequence<UInt8>) {
        wake { if !$0.isFinished { $0.pending.append(contentsOf: bytes) } }
    }

    /// Bytes that the client has not taken yet.
    package var waiting: Int { state.withLock { $0.pending.count } }

    /// Ends the body once what is queued has been sent.
    package func finish() { wake { $0.isFinished = true } }

    /// `action` is called once if the body is not sent to its end: the client leaves, even while there is nothing to send, or asked by HEAD.
    package func onCancel(_ action: @escaping @Sendable () -> Void) { state.withLock { $0.onCancel = action } }

    /// Ends the connection without the rest of the body, where it is asleep or as soon as more of it is asked for.
    func breakOff() { wake { $0.isBrokenOff = true } }

    /// The exchange is over.
    func cancel() {
        let action = state.withLock { state in
            let action = state.isOver ? nil : state.onCancel
            state.onCancel = nil
            state.isOver = true
            state.isFinished = true
            state.pending = []
            return action
        }
        action?()
    }

    /// libmicrohttpd's content reader, called on the loop when the socket can take more: fills `buffer`, or lets the
    /// connection sleep and returns 0, or returns one of the constants for the end.
    func read(into buffer: UnsafeMutableRawBufferPointer, of exchange: Exchange) -> Int {
        state.withLock { state in
            if state.isBrokenOff { return exchange.breakOff(buffer) }
            if state.pending.isEmpty {
                if state.isFinished {
                    state.isOver = true
                    return sparring_end_of_stream()
                }
                guard exchange.listener.waiting.add(exchange) else { return exchange.breakOff(buffer) }
                guard exchange.listener.shared.flow.maySuspend() else {
                    exchange.listener.waiting.remove(exchange)
                    return exchange.breakOff(buffer)
                }
                MHD_suspend_connection(exchange.connection.pointer)
                // libmicrohttpd does not look at a suspended connection.
                let watch = exchange.listener.shared.loop.watch(exchange.descriptor) { [self] _ in breakOff() }
                state.sleeper = Sleeper(exchange: exchange, watch: watch)
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
        state.withLock { state in
            change(&state)
            guard let sleeper = state.sleeper.take() else { return }
            let exchange = sleeper.exchange
            exchange.listener.waiting.remove(exchange)
            exchange.listener.shared.loop.forget(sleeper.watch)
            exchange.listener.shared.flow.resumed()
            exchange.listener.resume(exchange.connection)
        }
    }
}

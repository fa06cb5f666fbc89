internal import CMicrohttpd
import SparringLocks
import SparringLoop

/// How an exchange waits while it is being answered: suspended, holding no thread, watched for the client's leaving.
extension Exchange {
    /// One wait. The number tells it from those before, whose wakers may come late.
    struct Sleep {
        let number: Int
        let watch: Loop.Watch
        let timer: Loop.Timer?
    }

    /// Lets libmicrohttpd leave the connection alone, from one of its callbacks, which it calls again on ``wake(_:hasClientLeft:)``. That
    /// happens by itself when the time is over, the client leaves, or the server stops.
    ///
    /// - Returns: the number to wake it with; nil, with nothing done, when the server stops: then nothing is waited for.
    func sleep(for duration: Duration? = nil, untilWritable: Bool = false) -> Int? {
        guard !listener.shared.sleepers.areReleased, suspend() else { return nil }
        let (number, isWaited) = state.withLock { state in
            state.sleeps += 1
            let number = state.sleeps
            let watch = listener.shared.loop.watch(descriptor, orWritable: untilWritable) { [self] hasClientLeft in
                wake(number, hasClientLeft: hasClientLeft)
            }
            let timer = duration.map { duration in listener.shared.loop.after(duration) { [self] in wake(number) } }
            state.sleep = Sleep(number: number, watch: watch, timer: timer)
            return (number, listener.shared.sleepers.add(self))
        }
        if !isWaited { wake(number) }
        return number
    }

    /// Ends that sleep, from any thread, if it is not over.
    func wake(_ number: Int, hasClientLeft: Bool = false) {
        let wasAsleep = state.withLock { state in
            guard let sleep = state.sleep, sleep.number == number else { return false }
            state.sleep = nil
            if hasClientLeft { state.hasClientLeft = true }
            listener.shared.loop.forget(sleep.watch)
            if let timer = sleep.timer { listener.shared.loop.run { [loop = listener.shared.loop] in loop.cancel(timer) } }
            return true
        }
        guard wasAsleep else { return }
        listener.shared.sleepers.remove(self)
        listener.resume(connection)
    }

    /// Suspends the connection and gives the exchange to the handler, from the access callback.
    func hold(_ point: HoldPoint, limit: Int) -> MHD_Result {
        guard suspend() else { return serverStopped() }
        client.enter(.busy)
        let isWaited = state.withLock { state in
            state.phase = .held(point, limit: limit)
            return listener.shared.sleepers.add(self)
        }
        if isWaited { listener.shared.handler.held(self) } else { release() }
        return .YES
    }

    /// The server stops and waits for nobody any more but the handler.
    func release() {
        if let number = state.withLock({ $0.sleep?.number }) { return wake(number) }
        let wasHeld = state.withLock { state in
            guard case .held = state.phase else { return false }
            state.cut = "the server stopped"
            return true
        }
        if wasHeld { deliver(.empty) }
    }

    /// The server stops and does not wait for the handler any more either: the connection of an exchange that has not been delivered is closed, a
    /// stream that has not been finished broken off.
    func abandon() {
        let (isWaiting, stream) = state.withLock { state in
            if case .waiting = state.phase {
                state.cut = "the server stopped"
                return (true, ResponseStream?.none)
            }
            if state.stream != nil { state.cut = state.cut ?? "the server stopped" }
            return (false, state.stream)
        }
        if isWaiting { deliver(.empty) }
        stream?.breakOff()
    }

    /// Ends an exchange that can no longer wait, and notes the reason for its report.
    func serverStopped() -> MHD_Result {
        state.withLock { $0.cut = "the server stopped" }
        return .NO
    }

    /// Suspends the connection, from one of libmicrohttpd's callbacks.
    ///
    /// - Returns: false when the server has closed.
    func suspend() -> Bool { state.withLock { suspend(&$0) } }

    func suspend(_ state: inout State) -> Bool {
        guard listener.shared.flow.maySuspend() else { return false }
        state.isSuspended = true
        MHD_suspend_connection(connection.pointer)
        return true
    }

    /// libmicrohttpd has called for the exchange: it is not suspended any more.
    func wasResumed() {
        let wasSuspended = state.withLock { state in
            defer { state.isSuspended = false }
            return state.isSuspended
        }
        if wasSuspended { listener.shared.flow.resumed() }
    }
}
